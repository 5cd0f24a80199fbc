import { importCatalogJob } from '@loyalty/commerce-subgraph/catalog/catalog-import/catalog-import.jobs';
import { importOrdersJob } from '@loyalty/commerce-subgraph/orders/order-import/order-import.jobs';
import { forgetPointsJob } from '@loyalty/commerce-subgraph/orders/orders/orders.jobs';
import { deleteReceiptImagesJob } from '@loyalty/commerce-subgraph/receipts/receipt-images/receipt-images.jobs';
import { readReceiptJob } from '@loyalty/commerce-subgraph/receipts/receipt-reading/receipt-reading.jobs';
import { forgetReceiptsJob } from '@loyalty/commerce-subgraph/receipts/receipts/receipts.jobs';
import { purgeCommerceTestDataJob } from '@loyalty/commerce-subgraph/test-data/test-data.jobs';
import { suppressAddressJob } from '@loyalty/engagement-subgraph/suppressions/suppressions.jobs';
import { purgeEngagementTestDataJob } from '@loyalty/engagement-subgraph/test-data/test-data.jobs';
import { fillCouponBatchJob } from '@loyalty/loyalty-subgraph/coupons/coupon-batches/coupon-batches.jobs';
import { publishLowStockJob } from '@loyalty/loyalty-subgraph/coupons/coupon-pools/coupon-pools.jobs';
import { expireCouponHoldsJob } from '@loyalty/loyalty-subgraph/coupons/coupon-reservations/coupon-reservations.jobs';
import { forgetCapturesJob, linkCapturesJob } from '@loyalty/loyalty-subgraph/joining/captures/captures.jobs';
import { sendEnrollmentLinkJob } from '@loyalty/loyalty-subgraph/joining/enrollment/enrollment.jobs';
import { importMembersJob } from '@loyalty/loyalty-subgraph/joining/member-import/member-import.jobs';
import {
  gatherMemberExportJob,
  pruneMemberExportsJob,
} from '@loyalty/loyalty-subgraph/members/member-exports/member-exports.jobs';
import { pruneMemberSessionsJob } from '@loyalty/loyalty-subgraph/members/member-sessions/member-sessions.jobs';
import {
  eraseDueMembersJob,
  markInactiveMembersJob,
  markUnsubscribedJob,
} from '@loyalty/loyalty-subgraph/members/member-status/member-status.jobs';
import { fillObjectFieldJob } from '@loyalty/loyalty-subgraph/objects/object-records/object-records.jobs';
import { runBulkAwardJob } from '@loyalty/loyalty-subgraph/points/bulk-awards/bulk-awards.jobs';
import { expirePointsJob, releasePointsJob } from '@loyalty/loyalty-subgraph/points/due-lots/due-lots.jobs';
import { bookOrderJob, bookRefundJob } from '@loyalty/loyalty-subgraph/points/earnings/order-earnings.jobs';
import { bookReceiptJob } from '@loyalty/loyalty-subgraph/points/earnings/receipt-earnings.jobs';
import { scoreAmbassadorsJob } from '@loyalty/loyalty-subgraph/referrals/ambassador/ambassador.jobs';
import { attributeOrderJob } from '@loyalty/loyalty-subgraph/referrals/referrals/referrals.jobs';
import { purgeLoyaltyTestDataJob } from '@loyalty/loyalty-subgraph/test-data/test-data.jobs';
import {
  endTierOverridesJob,
  recalculateChangedTiersJob,
  recalculateTiersJob,
  reevaluateTiersJob,
  requestTierRecalculationsJob,
} from '@loyalty/loyalty-subgraph/tiers/tier-rules/tier-rules.jobs';
import { recordVisitJob } from '@loyalty/loyalty-subgraph/visits/visits/visits.jobs';
import { pruneCapabilityRunsJob } from '@loyalty/model-subgraph/answers/capabilities/capabilities.jobs';
import { expireReservationsJob } from '@loyalty/model-subgraph/credits/reservations/reservations.jobs';
import { renewSubscriptionsJob } from '@loyalty/model-subgraph/credits/subscriptions/subscriptions.jobs';
import { giveTrialJob, openWalletJob } from '@loyalty/model-subgraph/credits/wallet/wallet.jobs';
import { pruneDataImportPreviewsJob } from '@loyalty/model-subgraph/facts/data-imports/data-imports.jobs';
import {
  ingestImportedOrdersJob,
  ingestMemberOrdersJob,
  ingestOrderJob,
} from '@loyalty/model-subgraph/facts/facts/commerce-facts.jobs';
import { forgetMemberJob } from '@loyalty/model-subgraph/member-data/member-data.jobs';
import { refitWorkspacesJob } from '@loyalty/model-subgraph/scoring/workspace-fits/refit.jobs';
import { purgeModelTestDataJob } from '@loyalty/model-subgraph/test-data/test-data.jobs';
import { forgetAnswersJob } from '@loyalty/platform/graph/forget-answers';
import type { Job } from '@loyalty/platform/outbox/jobs';
import { pruneJob } from '@loyalty/platform/outbox/prune';
import { purgePlatformTestDataJob } from '@loyalty/platform/outbox/test-data';
import { pruneCallLogJob } from '@loyalty/workspace-subgraph/call-log/call-log.jobs';
import { sendEmailConfirmationJob } from '@loyalty/workspace-subgraph/confirmations/confirmations.jobs';
import { sendInvitationJob } from '@loyalty/workspace-subgraph/invitations/invitations.jobs';
import { sendPasswordResetJob } from '@loyalty/workspace-subgraph/passwords/passwords.jobs';
import { notePurgedJob, notePurgeFailedJob } from '@loyalty/workspace-subgraph/test-data/test-data.jobs';

/** Every job that a worker runs. */
export const tasks: readonly Job[] = [
  bookOrderJob,
  bookRefundJob,
  attributeOrderJob,
  bookReceiptJob,
  deleteReceiptImagesJob,
  eraseDueMembersJob,
  expireCouponHoldsJob,
  endTierOverridesJob,
  expirePointsJob,
  expireReservationsJob,
  forgetPointsJob,
  fillCouponBatchJob,
  forgetCapturesJob,
  linkCapturesJob,
  forgetReceiptsJob,
  gatherMemberExportJob,
  fillObjectFieldJob,
  importCatalogJob,
  importMembersJob,
  importOrdersJob,
  markInactiveMembersJob,
  markUnsubscribedJob,
  notePurgedJob,
  notePurgeFailedJob,
  openWalletJob,
  giveTrialJob,
  pruneCallLogJob,
  pruneCapabilityRunsJob,
  pruneDataImportPreviewsJob,
  pruneJob,
  pruneMemberSessionsJob,
  purgeCommerceTestDataJob,
  purgeEngagementTestDataJob,
  purgeLoyaltyTestDataJob,
  purgeModelTestDataJob,
  purgePlatformTestDataJob,
  recordVisitJob,
  readReceiptJob,
  pruneMemberExportsJob,
  reevaluateTiersJob,
  refitWorkspacesJob,
  scoreAmbassadorsJob,
  sendEnrollmentLinkJob,
  sendInvitationJob,
  sendPasswordResetJob,
  sendEmailConfirmationJob,
  publishLowStockJob,
  suppressAddressJob,
  recalculateTiersJob,
  releasePointsJob,
  renewSubscriptionsJob,
  requestTierRecalculationsJob,
  runBulkAwardJob,
  recalculateChangedTiersJob,
  ingestImportedOrdersJob,
  ingestMemberOrdersJob,
  ingestOrderJob,
  forgetMemberJob,
  forgetAnswersJob,
];
