import { catalogImportRequested } from '@loyalty/commerce-subgraph/catalog/catalog-import/catalog-import.events';
import { importCatalogJob } from '@loyalty/commerce-subgraph/catalog/catalog-import/catalog-import.jobs';
import {
  orderImportRequested,
  ordersImported,
} from '@loyalty/commerce-subgraph/orders/order-import/order-import.events';
import { importOrdersJob } from '@loyalty/commerce-subgraph/orders/order-import/order-import.jobs';
import { orderCreated } from '@loyalty/commerce-subgraph/orders/orders/orders.events';
import { forgetPointsJob } from '@loyalty/commerce-subgraph/orders/orders/orders.jobs';
import { orderRefunded } from '@loyalty/commerce-subgraph/orders/refunds/refunds.events';
import { readReceiptJob } from '@loyalty/commerce-subgraph/receipts/receipt-reading/receipt-reading.jobs';
import {
  receiptProcessed,
  receiptSubmitted,
} from '@loyalty/commerce-subgraph/receipts/receipts/receipts.events';
import { forgetReceiptsJob } from '@loyalty/commerce-subgraph/receipts/receipts/receipts.jobs';
import { purgeCommerceTestDataJob } from '@loyalty/commerce-subgraph/test-data/test-data.jobs';
import { addressSuppressed } from '@loyalty/engagement-subgraph/suppressions/suppressions.events';
import { suppressAddressJob } from '@loyalty/engagement-subgraph/suppressions/suppressions.jobs';
import { purgeEngagementTestDataJob } from '@loyalty/engagement-subgraph/test-data/test-data.jobs';
import { couponBatchRequested } from '@loyalty/loyalty-subgraph/coupons/coupon-batches/coupon-batches.events';
import { fillCouponBatchJob } from '@loyalty/loyalty-subgraph/coupons/coupon-batches/coupon-batches.jobs';
import { couponStockDrawn } from '@loyalty/loyalty-subgraph/coupons/coupon-pools/coupon-pools.events';
import { publishLowStockJob } from '@loyalty/loyalty-subgraph/coupons/coupon-pools/coupon-pools.jobs';
import { visitObserved } from '@loyalty/loyalty-subgraph/coupons/coupons/coupons.events';
import { forgetCapturesJob, linkCapturesJob } from '@loyalty/loyalty-subgraph/joining/captures/captures.jobs';
import { enrollmentRequested } from '@loyalty/loyalty-subgraph/joining/enrollment/enrollment.events';
import { sendEnrollmentLinkJob } from '@loyalty/loyalty-subgraph/joining/enrollment/enrollment.jobs';
import { memberImportRequested } from '@loyalty/loyalty-subgraph/joining/member-import/member-import.events';
import { importMembersJob } from '@loyalty/loyalty-subgraph/joining/member-import/member-import.jobs';
import { emailConsentWithdrawn } from '@loyalty/loyalty-subgraph/members/consents/consents.events';
import { memberExportRequested } from '@loyalty/loyalty-subgraph/members/member-exports/member-exports.events';
import { gatherMemberExportJob } from '@loyalty/loyalty-subgraph/members/member-exports/member-exports.jobs';
import {
  memberErased,
  memberErasureCancelled,
  memberErasureRequested,
  memberRestrictionChanged,
} from '@loyalty/loyalty-subgraph/members/member-status/member-status.events';
import { markUnsubscribedJob } from '@loyalty/loyalty-subgraph/members/member-status/member-status.jobs';
import { fillObjectFieldJob } from '@loyalty/loyalty-subgraph/objects/object-records/object-records.jobs';
import { objectFieldAdded } from '@loyalty/loyalty-subgraph/objects/object-types/object-types.events';
import { bulkAwardRequested } from '@loyalty/loyalty-subgraph/points/bulk-awards/bulk-awards.events';
import { runBulkAwardJob } from '@loyalty/loyalty-subgraph/points/bulk-awards/bulk-awards.jobs';
import { orderEarningDeclined } from '@loyalty/loyalty-subgraph/points/earnings/earnings.events';
import { bookOrderJob, bookRefundJob } from '@loyalty/loyalty-subgraph/points/earnings/order-earnings.jobs';
import { bookReceiptJob } from '@loyalty/loyalty-subgraph/points/earnings/receipt-earnings.jobs';
import { attributeOrderJob } from '@loyalty/loyalty-subgraph/referrals/referrals/referrals.jobs';
import { purgeLoyaltyTestDataJob } from '@loyalty/loyalty-subgraph/test-data/test-data.jobs';
import { tierRecalculationRequested } from '@loyalty/loyalty-subgraph/tiers/tier-rules/tier-rules.events';
import { recalculateTiersJob } from '@loyalty/loyalty-subgraph/tiers/tier-rules/tier-rules.jobs';
import { tiersChanged } from '@loyalty/loyalty-subgraph/tiers/tiers/tiers.events';
import { reevaluateTiersJob } from '@loyalty/loyalty-subgraph/tiers/tiers/tiers.jobs';
import { recordVisitJob } from '@loyalty/loyalty-subgraph/visits/visits/visits.jobs';
import { giveTrialJob, openWalletJob } from '@loyalty/model-subgraph/credits/wallet/wallet.jobs';
import {
  ingestImportedOrdersJob,
  ingestMemberOrdersJob,
  ingestOrderJob,
} from '@loyalty/model-subgraph/facts/facts/commerce-facts.jobs';
import { forgetMemberJob } from '@loyalty/model-subgraph/member-data/member-data.jobs';
import { purgeModelTestDataJob } from '@loyalty/model-subgraph/test-data/test-data.jobs';
import { forgetAnswersJob } from '@loyalty/platform/graph/forget-answers';
import type { EventType } from '@loyalty/platform/outbox/events';
import type { Job, JobType } from '@loyalty/platform/outbox/jobs';
import {
  purgePlatformTestDataJob,
  testDataPurged,
  testDataPurgeFailed,
  testDataPurgeRequested,
} from '@loyalty/platform/outbox/test-data';
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
  on(couponStockDrawn, publishLowStockJob),
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
  on(orderCreated, ingestOrderJob),
  on(orderRefunded, ingestOrderJob),
  on(ordersImported, ingestImportedOrdersJob),
  on(memberRestrictionChanged, ingestMemberOrdersJob),
  on(memberErasureCancelled, ingestMemberOrdersJob),
  on(memberErased, forgetMemberJob),
  on(memberErased, forgetAnswersJob),
];
