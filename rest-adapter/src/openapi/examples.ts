import { ordersExamples } from '../rows/commerce/orders.examples.ts';
import { brandsExamples, categoriesExamples, productsExamples } from '../rows/commerce/products.examples.ts';
import { capturesExamples, receiptsExamples } from '../rows/commerce/receipts.examples.ts';
import { storesExamples } from '../rows/commerce/stores.examples.ts';
import { agentRunsExamples } from '../rows/engagement/agent-runs.examples.ts';
import { automationsExamples } from '../rows/engagement/automations.examples.ts';
import { campaignsExamples, journeyAnalyticsExamples } from '../rows/engagement/campaigns.examples.ts';
import { locationExamples } from '../rows/engagement/location.examples.ts';
import {
  transactionalExamples,
  unsubscribeExamples,
  webPushExamples,
} from '../rows/engagement/messages.examples.ts';
import { segmentsExamples } from '../rows/engagement/segments.examples.ts';
import { trackingExamples } from '../rows/engagement/tracking.examples.ts';
import { webhooksExamples } from '../rows/engagement/webhooks.examples.ts';
import type { Example } from '../rows/example.ts';
import { ambassadorExamples } from '../rows/loyalty/ambassador.examples.ts';
import { couponsExamples } from '../rows/loyalty/coupons.examples.ts';
import { importsExamples } from '../rows/loyalty/imports.examples.ts';
import { memberSessionExamples } from '../rows/loyalty/member-session.examples.ts';
import {
  customFieldsExamples,
  memberBatchExamples,
  membersExamples,
  profileExamples,
  tagsExamples,
} from '../rows/loyalty/members.examples.ts';
import { objectsExamples } from '../rows/loyalty/objects.examples.ts';
import { pointsExamples, tiersExamples } from '../rows/loyalty/points.examples.ts';
import { alignmentExamples } from '../rows/model/alignment.examples.ts';
import { bulkJobsExamples, memberStatesExamples } from '../rows/model/bulk-jobs.examples.ts';
import { capabilitiesExamples } from '../rows/model/capabilities.examples.ts';
import { dataExamples } from '../rows/model/data.examples.ts';
import { trainingExamples, trainingSchedulesExamples } from '../rows/model/training.examples.ts';
import { accountsExamples } from '../rows/workspace/accounts.examples.ts';
import { apiKeysExamples, testDataExamples } from '../rows/workspace/api-keys.examples.ts';

/**
 * One example for each operation, by operation name. A test checks each against the schemas of the document.
 */
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
