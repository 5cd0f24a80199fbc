import { importCatalogJob } from '@loyalty/commerce-subgraph/catalog-import/catalog-import.jobs';
import { importOrdersJob } from '@loyalty/commerce-subgraph/order-import/order-import.jobs';
import { forgetPointsJob } from '@loyalty/commerce-subgraph/orders/orders.jobs';
import { deleteReceiptImagesJob } from '@loyalty/commerce-subgraph/receipt-images/receipt-images.jobs';
import { readReceiptJob } from '@loyalty/commerce-subgraph/receipt-reading/receipt-reading.jobs';
import { forgetReceiptsJob } from '@loyalty/commerce-subgraph/receipts/receipts.jobs';
import { purgeCommerceTestDataJob } from '@loyalty/commerce-subgraph/test-data/test-data.jobs';
import { suppressAddressJob } from '@loyalty/engagement-subgraph/suppressions/suppressions.jobs';
import { purgeEngagementTestDataJob } from '@loyalty/engagement-subgraph/test-data/test-data.jobs';
import { scoreAmbassadorsJob } from '@loyalty/loyalty-subgraph/ambassador/ambassador.jobs';
import { runBulkAwardJob } from '@loyalty/loyalty-subgraph/bulk-awards/bulk-awards.jobs';
import { forgetCapturesJob, linkCapturesJob } from '@loyalty/loyalty-subgraph/captures/captures.jobs';
import { fillCouponBatchJob } from '@loyalty/loyalty-subgraph/coupon-batches/coupon-batches.jobs';
import { tellLowStockJob } from '@loyalty/loyalty-subgraph/coupon-pools/coupon-pools.jobs';
import { expireCouponHoldsJob } from '@loyalty/loyalty-subgraph/coupon-reservations/coupon-reservations.jobs';
import { bookOrderJob, bookRefundJob } from '@loyalty/loyalty-subgraph/earnings/order-earnings.jobs';
import { bookReceiptJob } from '@loyalty/loyalty-subgraph/earnings/receipt-earnings.jobs';
import { sendEnrollmentLinkJob } from '@loyalty/loyalty-subgraph/enrollment/enrollment.jobs';
import {
  gatherMemberExportJob,
  pruneMemberExportsJob,
} from '@loyalty/loyalty-subgraph/member-exports/member-exports.jobs';
import { importMembersJob } from '@loyalty/loyalty-subgraph/member-import/member-import.jobs';
import { pruneMemberSessionsJob } from '@loyalty/loyalty-subgraph/member-sessions/member-sessions.jobs';
import {
  eraseDueMembersJob,
  markInactiveMembersJob,
  markUnsubscribedJob,
} from '@loyalty/loyalty-subgraph/member-status/member-status.jobs';
import { fillObjectFieldJob } from '@loyalty/loyalty-subgraph/object-records/object-records.jobs';
import { expirePointsJob, releasePointsJob } from '@loyalty/loyalty-subgraph/point-lots/point-lots.jobs';
import { attributeOrderJob } from '@loyalty/loyalty-subgraph/referrals/referrals.jobs';
import { purgeLoyaltyTestDataJob } from '@loyalty/loyalty-subgraph/test-data/test-data.jobs';
import {
  endTierOverridesJob,
  recalculateTiersJob,
  requestTierRecalculationsJob,
  settleChangedTiersJob,
} from '@loyalty/loyalty-subgraph/tier-rules/tier-rules.jobs';
import { reevaluateTiersJob } from '@loyalty/loyalty-subgraph/tiers/tiers.jobs';
import { recordVisitJob } from '@loyalty/loyalty-subgraph/visits/visits.jobs';
import { pruneCapabilityRunsJob } from '@loyalty/model-subgraph/capabilities/capabilities.jobs';
import { pruneDataImportPreviewsJob } from '@loyalty/model-subgraph/data-imports/data-imports.jobs';
import {
  learnImportedOrdersJob,
  learnMemberOrdersJob,
  learnOrderJob,
} from '@loyalty/model-subgraph/facts/commerce-facts.jobs';
import { forgetMemberJob } from '@loyalty/model-subgraph/member-data/member-data.jobs';
import { expireReservationsJob } from '@loyalty/model-subgraph/reservations/reservations.jobs';
import { renewSubscriptionsJob } from '@loyalty/model-subgraph/subscriptions/subscriptions.jobs';
import { purgeModelTestDataJob } from '@loyalty/model-subgraph/test-data/test-data.jobs';
import { giveTrialJob, openWalletJob } from '@loyalty/model-subgraph/wallet/wallet.jobs';
import { refitWorkspacesJob } from '@loyalty/model-subgraph/workspace-fits/refit.jobs';
import { forgetAnswersJob } from '@loyalty/platform/forget-answers';
import type { Job } from '@loyalty/platform/jobs';
import { pruneJob } from '@loyalty/platform/prune';
import { purgePlatformTestDataJob } from '@loyalty/platform/test-data';
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
  tellLowStockJob,
  suppressAddressJob,
  recalculateTiersJob,
  releasePointsJob,
  renewSubscriptionsJob,
  requestTierRecalculationsJob,
  runBulkAwardJob,
  settleChangedTiersJob,
  learnImportedOrdersJob,
  learnMemberOrdersJob,
  learnOrderJob,
  forgetMemberJob,
  forgetAnswersJob,
];
