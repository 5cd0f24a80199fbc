import { alignmentRoutes } from '../routes/v1/alignment.routes.ts';
import { bulkJobsRoutes } from '../routes/v1/bulk-jobs.routes.ts';
import { capabilitiesRoutes } from '../routes/v1/capabilities.routes.ts';
import { dataRoutes } from '../routes/v1/data.routes.ts';
import { memberStatesRoutes } from '../routes/v1/member-states.routes.ts';
import { trainingRoutes } from '../routes/v1/training.routes.ts';
import { trainingSchedulesRoutes } from '../routes/v1/training-schedules.routes.ts';
import { accountsRoutes } from '../routes/v2/accounts.routes.ts';
import { ambassadorRoutes } from '../routes/v2/ambassador.routes.ts';
import { apiKeysRoutes } from '../routes/v2/api-keys.routes.ts';
import { brandsRoutes } from '../routes/v2/brands.routes.ts';
import { capturesRoutes } from '../routes/v2/captures.routes.ts';
import { categoriesRoutes } from '../routes/v2/categories.routes.ts';
import { couponsRoutes } from '../routes/v2/coupons.routes.ts';
import { customFieldsRoutes } from '../routes/v2/custom-fields.routes.ts';
import { agentRunsRoutes } from '../routes/v2/engagement/agent-runs.routes.ts';
import { automationsRoutes } from '../routes/v2/engagement/automations.routes.ts';
import { campaignsRoutes } from '../routes/v2/engagement/campaigns.routes.ts';
import { journeyAnalyticsRoutes } from '../routes/v2/engagement/journey-analytics.routes.ts';
import { locationRoutes } from '../routes/v2/engagement/location.routes.ts';
import { memberSessionRoutes } from '../routes/v2/engagement/member-session.routes.ts';
import { segmentsRoutes } from '../routes/v2/engagement/segments.routes.ts';
import { trackingRoutes } from '../routes/v2/engagement/tracking.routes.ts';
import { transactionalRoutes } from '../routes/v2/engagement/transactional.routes.ts';
import { unsubscribeRoutes } from '../routes/v2/engagement/unsubscribe.routes.ts';
import { webPushRoutes } from '../routes/v2/engagement/web-push.routes.ts';
import { webhooksRoutes } from '../routes/v2/engagement/webhooks.routes.ts';
import { importsRoutes } from '../routes/v2/imports.routes.ts';
import { memberBatchRoutes } from '../routes/v2/member-batch.routes.ts';
import { membersRoutes } from '../routes/v2/members.routes.ts';
import { objectsRoutes } from '../routes/v2/objects.routes.ts';
import { ordersRoutes } from '../routes/v2/orders.routes.ts';
import { pointsRoutes } from '../routes/v2/points.routes.ts';
import { productsRoutes } from '../routes/v2/products.routes.ts';
import { profileRoutes } from '../routes/v2/profile.routes.ts';
import { receiptsRoutes } from '../routes/v2/receipts.routes.ts';
import { storesRoutes } from '../routes/v2/stores.routes.ts';
import { tagsRoutes } from '../routes/v2/tags.routes.ts';
import { testDataRoutes } from '../routes/v2/test-data.routes.ts';
import { tiersRoutes } from '../routes/v2/tiers.routes.ts';
import type { Row } from './row.ts';

/** Everything that REST can do. */
export const rows: readonly Row[] = [
  ...accountsRoutes,
  ...alignmentRoutes,
  ...ambassadorRoutes,
  ...apiKeysRoutes,
  ...bulkJobsRoutes,
  ...capabilitiesRoutes,
  ...capturesRoutes,
  ...couponsRoutes,
  ...brandsRoutes,
  ...categoriesRoutes,
  ...customFieldsRoutes,
  ...dataRoutes,
  ...memberBatchRoutes,
  ...memberStatesRoutes,
  ...importsRoutes,
  ...agentRunsRoutes,
  ...journeyAnalyticsRoutes,
  ...locationRoutes,
  ...memberSessionRoutes,
  ...membersRoutes,
  ...ordersRoutes,
  ...objectsRoutes,
  ...pointsRoutes,
  ...productsRoutes,
  ...receiptsRoutes,
  ...automationsRoutes,
  ...segmentsRoutes,
  ...campaignsRoutes,
  ...storesRoutes,
  ...testDataRoutes,
  ...profileRoutes,
  ...tagsRoutes,
  ...tiersRoutes,
  ...transactionalRoutes,
  ...trackingRoutes,
  ...trainingRoutes,
  ...trainingSchedulesRoutes,
  ...unsubscribeRoutes,
  ...webPushRoutes,
  ...webhooksRoutes,
];
