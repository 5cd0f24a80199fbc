import { ordersRoutes } from '../rows/commerce/orders.ts';
import { brandsRoutes, categoriesRoutes, productsRoutes } from '../rows/commerce/products.ts';
import { capturesRoutes, receiptsRoutes } from '../rows/commerce/receipts.ts';
import { storesRoutes } from '../rows/commerce/stores.ts';
import { agentRunsRoutes } from '../rows/engagement/agent-runs.ts';
import { automationsRoutes } from '../rows/engagement/automations.ts';
import { campaignsRoutes, journeyAnalyticsRoutes } from '../rows/engagement/campaigns.ts';
import { locationRoutes } from '../rows/engagement/location.ts';
import { transactionalRoutes, unsubscribeRoutes, webPushRoutes } from '../rows/engagement/messages.ts';
import { segmentsRoutes } from '../rows/engagement/segments.ts';
import { trackingRoutes } from '../rows/engagement/tracking.ts';
import { webhooksRoutes } from '../rows/engagement/webhooks.ts';
import { ambassadorRoutes } from '../rows/loyalty/ambassador.ts';
import { couponsRoutes } from '../rows/loyalty/coupons.ts';
import { importsRoutes } from '../rows/loyalty/imports.ts';
import { memberSessionRoutes } from '../rows/loyalty/member-session.ts';
import {
  customFieldsRoutes,
  memberBatchRoutes,
  membersRoutes,
  profileRoutes,
  tagsRoutes,
} from '../rows/loyalty/members.ts';
import { objectsRoutes } from '../rows/loyalty/objects.ts';
import { pointsRoutes, tiersRoutes } from '../rows/loyalty/points.ts';
import { alignmentRoutes } from '../rows/model/alignment.ts';
import { bulkJobsRoutes, memberStatesRoutes } from '../rows/model/bulk-jobs.ts';
import { capabilitiesRoutes } from '../rows/model/capabilities.ts';
import { dataRoutes } from '../rows/model/data.ts';
import { trainingRoutes, trainingSchedulesRoutes } from '../rows/model/training.ts';
import { accountsRoutes } from '../rows/workspace/accounts.ts';
import { apiKeysRoutes, testDataRoutes } from '../rows/workspace/api-keys.ts';
import type { Row } from './row.ts';

/** Every row of the REST table. */
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
