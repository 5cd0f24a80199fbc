import { importCatalogJob } from '@loyalty/commerce-subgraph/catalog-import/catalog-import.jobs';
import { ordersImported } from '@loyalty/commerce-subgraph/order-import/order-import.events';
import { importOrdersJob } from '@loyalty/commerce-subgraph/order-import/order-import.jobs';
import { orderCreated } from '@loyalty/commerce-subgraph/orders/orders.events';
import { forgetPointsJob } from '@loyalty/commerce-subgraph/orders/orders.jobs';
import { readReceiptJob } from '@loyalty/commerce-subgraph/receipt-reading/receipt-reading.jobs';
import { receiptProcessed, receiptSubmitted } from '@loyalty/commerce-subgraph/receipts/receipts.events';
import { forgetReceiptsJob } from '@loyalty/commerce-subgraph/receipts/receipts.jobs';
import { orderRefunded } from '@loyalty/commerce-subgraph/refunds/refunds.events';
import { purgeCommerceTestDataJob } from '@loyalty/commerce-subgraph/test-data/test-data.jobs';
import { addressSuppressed } from '@loyalty/engagement-subgraph/suppressions/suppressions.events';
import { suppressAddressJob } from '@loyalty/engagement-subgraph/suppressions/suppressions.jobs';
import { purgeEngagementTestDataJob } from '@loyalty/engagement-subgraph/test-data/test-data.jobs';
import { bulkAwardRequested } from '@loyalty/loyalty-subgraph/bulk-awards/bulk-awards.events';
import { runBulkAwardJob } from '@loyalty/loyalty-subgraph/bulk-awards/bulk-awards.jobs';
import { forgetCapturesJob, linkCapturesJob } from '@loyalty/loyalty-subgraph/captures/captures.jobs';
import { emailConsentWithdrawn } from '@loyalty/loyalty-subgraph/consents/consents.events';
import { couponBatchRequested } from '@loyalty/loyalty-subgraph/coupon-batches/coupon-batches.events';
import { fillCouponBatchJob } from '@loyalty/loyalty-subgraph/coupon-batches/coupon-batches.jobs';
import { couponStockDrawn } from '@loyalty/loyalty-subgraph/coupon-pools/coupon-pools.events';
import { tellLowStockJob } from '@loyalty/loyalty-subgraph/coupon-pools/coupon-pools.jobs';
import { visitObserved } from '@loyalty/loyalty-subgraph/coupons/coupons.events';
import { orderEarningDeclined } from '@loyalty/loyalty-subgraph/earnings/earnings.events';
import { bookOrderJob, bookRefundJob } from '@loyalty/loyalty-subgraph/earnings/order-earnings.jobs';
import { bookReceiptJob } from '@loyalty/loyalty-subgraph/earnings/receipt-earnings.jobs';
import { enrollmentRequested } from '@loyalty/loyalty-subgraph/enrollment/enrollment.events';
import { sendEnrollmentLinkJob } from '@loyalty/loyalty-subgraph/enrollment/enrollment.jobs';
import {
  catalogImportRequested,
  memberImportRequested,
  orderImportRequested,
} from '@loyalty/loyalty-subgraph/imports/imports.events';
import { memberExportRequested } from '@loyalty/loyalty-subgraph/member-exports/member-exports.events';
import { gatherMemberExportJob } from '@loyalty/loyalty-subgraph/member-exports/member-exports.jobs';
import { importMembersJob } from '@loyalty/loyalty-subgraph/member-import/member-import.jobs';
import {
  memberErased,
  memberErasureCancelled,
  memberErasureRequested,
  memberRestrictionChanged,
} from '@loyalty/loyalty-subgraph/member-status/member-status.events';
import { markUnsubscribedJob } from '@loyalty/loyalty-subgraph/member-status/member-status.jobs';
import { fillObjectFieldJob } from '@loyalty/loyalty-subgraph/object-records/object-records.jobs';
import { objectFieldAdded } from '@loyalty/loyalty-subgraph/object-types/object-types.events';
import { attributeOrderJob } from '@loyalty/loyalty-subgraph/referrals/referrals.jobs';
import { purgeLoyaltyTestDataJob } from '@loyalty/loyalty-subgraph/test-data/test-data.jobs';
import { tierRecalculationRequested } from '@loyalty/loyalty-subgraph/tier-rules/tier-rules.events';
import { recalculateTiersJob } from '@loyalty/loyalty-subgraph/tier-rules/tier-rules.jobs';
import { tiersChanged } from '@loyalty/loyalty-subgraph/tiers/tiers.events';
import { reevaluateTiersJob } from '@loyalty/loyalty-subgraph/tiers/tiers.jobs';
import { recordVisitJob } from '@loyalty/loyalty-subgraph/visits/visits.jobs';
import {
  learnImportedOrdersJob,
  learnMemberOrdersJob,
  learnOrderJob,
} from '@loyalty/model-subgraph/facts/commerce-facts.jobs';
import { forgetMemberJob } from '@loyalty/model-subgraph/member-data/member-data.jobs';
import { purgeModelTestDataJob } from '@loyalty/model-subgraph/test-data/test-data.jobs';
import { giveTrialJob, openWalletJob } from '@loyalty/model-subgraph/wallet/wallet.jobs';
import type { EventType } from '@loyalty/platform/events';
import { forgetAnswersJob } from '@loyalty/platform/forget-answers';
import type { Job, JobType } from '@loyalty/platform/jobs';
import {
  purgePlatformTestDataJob,
  testDataPurged,
  testDataPurgeFailed,
  testDataPurgeRequested,
} from '@loyalty/platform/test-data';
import { workspaceRegistered } from '@loyalty/workspace-subgraph/accounts/accounts.events';
import {
  emailConfirmationRequested,
  emailConfirmed,
} from '@loyalty/workspace-subgraph/confirmations/confirmations.events';
import { sendEmailConfirmationJob } from '@loyalty/workspace-subgraph/confirmations/confirmations.jobs';
import { invitationCreated } from '@loyalty/workspace-subgraph/invitations/invitations.events';
import { sendInvitationJob } from '@loyalty/workspace-subgraph/invitations/invitations.jobs';
import { passwordResetRequested } from '@loyalty/workspace-subgraph/passwords/passwords.events';
import { sendPasswordResetJob } from '@loyalty/workspace-subgraph/passwords/passwords.jobs';
import { notePurgedJob, notePurgeFailedJob } from '@loyalty/workspace-subgraph/test-data/test-data.jobs';

/** What happens because of an event: one line, one job, once per event. */
export interface Reaction {
  readonly event: string;
  readonly job: Job;
}

/** The job gets the event's payload as its data, so the payload must hold what the job asks for. */
export const on = <T, P extends T>(event: EventType<P>, job: JobType<T>): Reaction => ({
  event: event.type,
  job,
});

export const reactions: readonly Reaction[] = [
  on(invitationCreated, sendInvitationJob),
  on(addressSuppressed, markUnsubscribedJob),
  on(orderCreated, attributeOrderJob),
  on(orderCreated, bookOrderJob),
  on(orderEarningDeclined, forgetPointsJob),
  on(orderRefunded, bookRefundJob),
  on(enrollmentRequested, sendEnrollmentLinkJob),
  on(couponBatchRequested, fillCouponBatchJob),
  on(couponStockDrawn, tellLowStockJob),
  on(memberErased, forgetCapturesJob),
  on(memberErasureRequested, linkCapturesJob),
  on(emailConsentWithdrawn, suppressAddressJob),
  on(memberExportRequested, gatherMemberExportJob),
  on(passwordResetRequested, sendPasswordResetJob),
  on(testDataPurgeRequested, purgeCommerceTestDataJob),
  on(testDataPurgeRequested, purgeEngagementTestDataJob),
  on(testDataPurgeRequested, purgeLoyaltyTestDataJob),
  on(testDataPurgeRequested, purgeModelTestDataJob),
  on(testDataPurgeRequested, purgePlatformTestDataJob),
  on(testDataPurged, notePurgedJob),
  on(testDataPurgeFailed, notePurgeFailedJob),
  on(memberErased, forgetReceiptsJob),
  on(receiptProcessed, bookReceiptJob),
  on(receiptSubmitted, readReceiptJob),
  on(objectFieldAdded, fillObjectFieldJob),
  on(tiersChanged, reevaluateTiersJob),
  on(visitObserved, recordVisitJob),
  on(tierRecalculationRequested, recalculateTiersJob),
  on(bulkAwardRequested, runBulkAwardJob),
  on(workspaceRegistered, openWalletJob),
  on(emailConfirmationRequested, sendEmailConfirmationJob),
  on(emailConfirmed, giveTrialJob),
  on(memberImportRequested, importMembersJob),
  on(orderImportRequested, importOrdersJob),
  on(catalogImportRequested, importCatalogJob),
  on(orderCreated, learnOrderJob),
  on(orderRefunded, learnOrderJob),
  on(ordersImported, learnImportedOrdersJob),
  on(memberRestrictionChanged, learnMemberOrdersJob),
  on(memberErasureCancelled, learnMemberOrdersJob),
  on(memberErased, forgetMemberJob),
  on(memberErased, forgetAnswersJob),
];
