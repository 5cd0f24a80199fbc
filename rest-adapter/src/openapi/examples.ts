import type { Example } from '../examples/example.ts';
import { alignmentExamples } from '../examples/v1/alignment.examples.ts';
import { bulkJobsExamples } from '../examples/v1/bulk-jobs.examples.ts';
import { capabilitiesExamples } from '../examples/v1/capabilities.examples.ts';
import { dataExamples } from '../examples/v1/data.examples.ts';
import { memberStatesExamples } from '../examples/v1/member-states.examples.ts';
import { trainingExamples } from '../examples/v1/training.examples.ts';
import { trainingSchedulesExamples } from '../examples/v1/training-schedules.examples.ts';
import { accountsExamples } from '../examples/v2/accounts.examples.ts';
import { ambassadorExamples } from '../examples/v2/ambassador.examples.ts';
import { apiKeysExamples } from '../examples/v2/api-keys.examples.ts';
import { brandsExamples } from '../examples/v2/brands.examples.ts';
import { capturesExamples } from '../examples/v2/captures.examples.ts';
import { categoriesExamples } from '../examples/v2/categories.examples.ts';
import { couponsExamples } from '../examples/v2/coupons.examples.ts';
import { customFieldsExamples } from '../examples/v2/custom-fields.examples.ts';
import { agentRunsExamples } from '../examples/v2/engagement/agent-runs.examples.ts';
import { automationsExamples } from '../examples/v2/engagement/automations.examples.ts';
import { campaignsExamples } from '../examples/v2/engagement/campaigns.examples.ts';
import { journeyAnalyticsExamples } from '../examples/v2/engagement/journey-analytics.examples.ts';
import { locationExamples } from '../examples/v2/engagement/location.examples.ts';
import { memberSessionExamples } from '../examples/v2/engagement/member-session.examples.ts';
import { segmentsExamples } from '../examples/v2/engagement/segments.examples.ts';
import { trackingExamples } from '../examples/v2/engagement/tracking.examples.ts';
import { transactionalExamples } from '../examples/v2/engagement/transactional.examples.ts';
import { unsubscribeExamples } from '../examples/v2/engagement/unsubscribe.examples.ts';
import { webPushExamples } from '../examples/v2/engagement/web-push.examples.ts';
import { webhooksExamples } from '../examples/v2/engagement/webhooks.examples.ts';
import { importsExamples } from '../examples/v2/imports.examples.ts';
import { memberBatchExamples } from '../examples/v2/member-batch.examples.ts';
import { membersExamples } from '../examples/v2/members.examples.ts';
import { objectsExamples } from '../examples/v2/objects.examples.ts';
import { ordersExamples } from '../examples/v2/orders.examples.ts';
import { pointsExamples } from '../examples/v2/points.examples.ts';
import { productsExamples } from '../examples/v2/products.examples.ts';
import { profileExamples } from '../examples/v2/profile.examples.ts';
import { receiptsExamples } from '../examples/v2/receipts.examples.ts';
import { storesExamples } from '../examples/v2/stores.examples.ts';
import { tagsExamples } from '../examples/v2/tags.examples.ts';
import { testDataExamples } from '../examples/v2/test-data.examples.ts';
import { tiersExamples } from '../examples/v2/tiers.examples.ts';

/** One example per operation, by its name; a test checks each against the schemas of the document. */
export const examples: Readonly<Record<string, Example>> = {
  ...accountsExamples,
  ...alignmentExamples,
  ...ambassadorExamples,
  ...apiKeysExamples,
  ...bulkJobsExamples,
  ...capabilitiesExamples,
  ...capturesExamples,
  ...couponsExamples,
  ...brandsExamples,
  ...categoriesExamples,
  ...customFieldsExamples,
  ...dataExamples,
  ...memberBatchExamples,
  ...memberStatesExamples,
  ...importsExamples,
  ...agentRunsExamples,
  ...journeyAnalyticsExamples,
  ...locationExamples,
  ...memberSessionExamples,
  ...membersExamples,
  ...ordersExamples,
  ...objectsExamples,
  ...pointsExamples,
  ...productsExamples,
  ...receiptsExamples,
  ...automationsExamples,
  ...segmentsExamples,
  ...campaignsExamples,
  ...storesExamples,
  ...testDataExamples,
  ...profileExamples,
  ...tagsExamples,
  ...tiersExamples,
  ...transactionalExamples,
  ...trackingExamples,
  ...trainingExamples,
  ...trainingSchedulesExamples,
  ...unsubscribeExamples,
  ...webPushExamples,
  ...webhooksExamples,
};
