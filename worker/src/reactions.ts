import { catalogImportRequested } from '@loyalty/commerce-subgraph/catalog/catalog-import.events';
import { importCatalogJob } from '@loyalty/commerce-subgraph/catalog/catalog-import.jobs';
import { orderImportRequested, ordersImported } from '@loyalty/commerce-subgraph/orders/order-import.events';
import { importOrdersJob } from '@loyalty/commerce-subgraph/orders/order-import.jobs';
import { orderCreated, orderExportRequested } from '@loyalty/commerce-subgraph/orders/orders.events';
import {
  clearPointsJob,
  countSalesConsumer,
  eraseRefundReasonsJob,
  exportOrdersJob,
} from '@loyalty/commerce-subgraph/orders/orders.jobs';
import { orderRefunded } from '@loyalty/commerce-subgraph/orders/refunds.events';
import { receiptProcessed, receiptSubmitted } from '@loyalty/commerce-subgraph/receipts/receipts.events';
import { eraseReceiptsJob, readReceiptJob } from '@loyalty/commerce-subgraph/receipts/receipts.jobs';
import { purgeCommerceTestDataJob } from '@loyalty/commerce-subgraph/test-data.jobs';
import { eraseActivityJob, keepActivityEvents } from '@loyalty/engagement-subgraph/activity/activity.jobs';
import { eraseAgentRunsJob } from '@loyalty/engagement-subgraph/agent-runs/agent-runs.jobs';
import {
  eraseAttributionsJob,
  keepOrdersToAttribute,
} from '@loyalty/engagement-subgraph/campaign-results/attribution.jobs';
import { eraseRecipientJob } from '@loyalty/engagement-subgraph/campaigns/campaigns.jobs';
import {
  endRemainingRunsJob,
  enterSegmentJob,
  eraseRunsJob,
  eraseTriggerEventsJob,
  keepTriggerEventsConsumer,
  releaseRunsJob,
} from '@loyalty/engagement-subgraph/journey-runs/journey-runs.jobs';
import {
  journeyEmptyingRequested,
  journeyLaunched,
  journeyResumed,
} from '@loyalty/engagement-subgraph/journeys/journeys.events';
import { eraseGeofenceEventsJob } from '@loyalty/engagement-subgraph/location/location.jobs';
import { sendingReleased, sourceChanged } from '@loyalty/engagement-subgraph/messages/messages.events';
import {
  eraseMessagesJob,
  moveMessagesJob,
  releaseStoppedJob,
} from '@loyalty/engagement-subgraph/messages/messages.jobs';
import { eraseProfileJob, noteProfileChanges } from '@loyalty/engagement-subgraph/profiles/profiles.jobs';
import { pushRequested } from '@loyalty/engagement-subgraph/push/push.events';
import { eraseBrowsersJob, sendPushJob } from '@loyalty/engagement-subgraph/push/push.jobs';
import {
  segmentComputationRequested,
  segmentMembersDropped,
} from '@loyalty/engagement-subgraph/segments/segments.events';
import {
  computeSegmentJob,
  dropSegmentMembersJob,
} from '@loyalty/engagement-subgraph/segments/segments.jobs';
import { addressSuppressed } from '@loyalty/engagement-subgraph/suppressions/suppressions.events';
import { suppressAddressJob } from '@loyalty/engagement-subgraph/suppressions/suppressions.jobs';
import { purgeEngagementTestDataJob } from '@loyalty/engagement-subgraph/test-data.jobs';
import { trackedEventsRecorded } from '@loyalty/engagement-subgraph/tracking/tracking.events';
import { eraseTrackingJob } from '@loyalty/engagement-subgraph/tracking/tracking.jobs';
import { webhookEndpointDisabled } from '@loyalty/engagement-subgraph/webhooks/webhooks.events';
import { keepWebhookEvents } from '@loyalty/engagement-subgraph/webhooks/webhooks.jobs';
import { bulkAwardRequested } from '@loyalty/loyalty-subgraph/bulk-awards/bulk-awards.events';
import { runBulkAwardJob } from '@loyalty/loyalty-subgraph/bulk-awards/bulk-awards.jobs';
import { forgetCapturesJob, linkCapturesJob } from '@loyalty/loyalty-subgraph/captures/captures.jobs';
import { emailConsentWithdrawn } from '@loyalty/loyalty-subgraph/consents/consents.events';
import {
  couponBatchRequested,
  couponStockDrawn,
  visitObserved,
} from '@loyalty/loyalty-subgraph/coupons/coupons.events';
import { fillCouponBatchJob, publishLowStockJob } from '@loyalty/loyalty-subgraph/coupons/coupons.jobs';
import { enrollmentRequested } from '@loyalty/loyalty-subgraph/enrollment/enrollment.events';
import { sendEnrollmentLinkJob } from '@loyalty/loyalty-subgraph/enrollment/enrollment.jobs';
import {
  couponExportRequested,
  memberExportRequested,
  memberListExportRequested,
  pointsExportRequested,
} from '@loyalty/loyalty-subgraph/exports/exports.events';
import {
  exportCouponsJob,
  exportMembersJob,
  exportPointsJob,
  forgetExportsJob,
  gatherMemberExportJob,
} from '@loyalty/loyalty-subgraph/exports/exports.jobs';
import { memberImportRequested } from '@loyalty/loyalty-subgraph/imports/member-import.events';
import { importMembersJob } from '@loyalty/loyalty-subgraph/imports/member-import.jobs';
import {
  memberErased,
  memberErasureCancelled,
  memberErasureRequested,
  memberRestrictionChanged,
} from '@loyalty/loyalty-subgraph/member-status/member-status.events';
import { markUnsubscribedJob } from '@loyalty/loyalty-subgraph/member-status/member-status.jobs';
import { objectFieldAdded } from '@loyalty/loyalty-subgraph/objects/objects.events';
import { eraseMemberRecordsJob, fillObjectFieldJob } from '@loyalty/loyalty-subgraph/objects/objects.jobs';
import { bookOrderJob, bookReceiptJob, bookRefundJob } from '@loyalty/loyalty-subgraph/points/earnings.jobs';
import { orderEarningDeclined } from '@loyalty/loyalty-subgraph/points/points.events';
import { countProgramConsumer } from '@loyalty/loyalty-subgraph/points/points.jobs';
import { attributeOrderJob } from '@loyalty/loyalty-subgraph/referrals/referrals.jobs';
import { memberSignInRequested } from '@loyalty/loyalty-subgraph/sign-in/sign-in.events';
import { mailSignInCodeJob } from '@loyalty/loyalty-subgraph/sign-in/sign-in.jobs';
import { purgeLoyaltyTestDataJob } from '@loyalty/loyalty-subgraph/test-data.jobs';
import { tierRecalculationRequested, tiersChanged } from '@loyalty/loyalty-subgraph/tiers/tiers.events';
import { recalculateTiersJob, reevaluateTiersJob } from '@loyalty/loyalty-subgraph/tiers/tiers.jobs';
import { recordVisitJob } from '@loyalty/loyalty-subgraph/visits/visits.jobs';
import { giveTrialJob, openWalletJob } from '@loyalty/model-subgraph/credits/credits.jobs';
import {
  ingestImportedOrdersJob,
  ingestMemberOrdersJob,
  ingestOrderJob,
  ingestTrackedEventsJob,
} from '@loyalty/model-subgraph/facts/facts.jobs';
import { dataImported } from '@loyalty/model-subgraph/imports/data-imports.events';
import { forgetMemberJob } from '@loyalty/model-subgraph/member-data.jobs';
import { countImportedBasketsJob } from '@loyalty/model-subgraph/predictions/predictions.jobs';
import { purgeModelTestDataJob } from '@loyalty/model-subgraph/test-data.jobs';
import type { EventConsumer } from '@loyalty/platform/work/event-consumer';
import type { EventType } from '@loyalty/platform/work/events';
import { forgetAnswersJob } from '@loyalty/platform/work/forget-answers';
import type { Job, JobType } from '@loyalty/platform/work/jobs';
import {
  purgePlatformTestDataJob,
  testDataPurged,
  testDataPurgeFailed,
  testDataPurgeRequested,
} from '@loyalty/platform/work/test-data';
import {
  emailConfirmationRequested,
  emailConfirmed,
} from '@loyalty/workspace-subgraph/accounts/accounts.events';
import { sendEmailConfirmationJob } from '@loyalty/workspace-subgraph/accounts/accounts.jobs';
import { auditExportRequested } from '@loyalty/workspace-subgraph/exports/exports.events';
import { exportAuditJob } from '@loyalty/workspace-subgraph/exports/exports.jobs';
import { passwordResetRequested } from '@loyalty/workspace-subgraph/sessions/sessions.events';
import { sendPasswordResetJob } from '@loyalty/workspace-subgraph/sessions/sessions.jobs';
import { invitationCreated, workspaceRegistered } from '@loyalty/workspace-subgraph/team/team.events';
import { sendEndpointDisabledJob, sendInvitationJob } from '@loyalty/workspace-subgraph/team/team.jobs';
import { notePurgedJob, notePurgeFailedJob } from '@loyalty/workspace-subgraph/test-data/test-data.jobs';

/** An event with its jobs; each job is queued once per event. */
export interface Reaction {
  readonly event: string;
  readonly jobs: readonly Job[];
}

/**
 * Declares a reaction. The jobs receive the event's payload as their data, so it must contain the fields of
 * each job.
 */
export const on = <Payload>(event: EventType<Payload>, ...jobs: readonly JobType<Payload>[]): Reaction => ({
  event: event.type,
  jobs,
});

/** Event → jobs, sorted by event name. */
export const reactions: readonly Reaction[] = [
  on(catalogImportRequested, importCatalogJob),
  on(orderExportRequested, exportOrdersJob),
  on(orderImportRequested, importOrdersJob),
  on(dataImported, countImportedBasketsJob),
  on(addressSuppressed, markUnsubscribedJob),
  on(journeyEmptyingRequested, endRemainingRunsJob),
  on(journeyLaunched, enterSegmentJob),
  on(journeyResumed, releaseRunsJob, enterSegmentJob),
  on(sourceChanged, moveMessagesJob),
  on(pushRequested, sendPushJob),
  on(segmentComputationRequested, computeSegmentJob),
  on(segmentMembersDropped, dropSegmentMembersJob),
  on(sendingReleased, releaseStoppedJob),
  on(bulkAwardRequested, runBulkAwardJob),
  on(couponBatchRequested, fillCouponBatchJob),
  on(couponExportRequested, exportCouponsJob),
  on(couponStockDrawn, publishLowStockJob),
  on(emailConsentWithdrawn, suppressAddressJob),
  on(enrollmentRequested, sendEnrollmentLinkJob),
  on(memberImportRequested, importMembersJob),
  on(memberListExportRequested, exportMembersJob),
  on(memberSignInRequested, mailSignInCodeJob),
  on(orderEarningDeclined, clearPointsJob),
  on(pointsExportRequested, exportPointsJob),
  on(tierRecalculationRequested, recalculateTiersJob),
  on(tiersChanged, reevaluateTiersJob),
  on(visitObserved, recordVisitJob),
  on(
    memberErased,
    eraseMemberRecordsJob,
    forgetAnswersJob,
    forgetCapturesJob,
    forgetExportsJob,
    eraseGeofenceEventsJob,
    eraseActivityJob,
    eraseAgentRunsJob,
    eraseAttributionsJob,
    eraseBrowsersJob,
    forgetMemberJob,
    eraseMessagesJob,
    eraseProfileJob,
    eraseReceiptsJob,
    eraseRefundReasonsJob,
    eraseRecipientJob,
    eraseRunsJob,
    eraseTrackingJob,
    eraseTriggerEventsJob,
  ),
  on(memberErasureCancelled, ingestMemberOrdersJob),
  on(memberErasureRequested, linkCapturesJob),
  on(memberExportRequested, gatherMemberExportJob),
  on(memberRestrictionChanged, ingestMemberOrdersJob),
  on(objectFieldAdded, fillObjectFieldJob),
  on(orderCreated, attributeOrderJob, bookOrderJob, ingestOrderJob),
  on(orderRefunded, bookRefundJob, ingestOrderJob),
  on(ordersImported, ingestImportedOrdersJob),
  on(receiptProcessed, bookReceiptJob),
  on(receiptSubmitted, readReceiptJob),
  on(trackedEventsRecorded, ingestTrackedEventsJob),
  on(webhookEndpointDisabled, sendEndpointDisabledJob),
  on(auditExportRequested, exportAuditJob),
  on(emailConfirmationRequested, sendEmailConfirmationJob),
  on(emailConfirmed, giveTrialJob),
  on(invitationCreated, sendInvitationJob),
  on(passwordResetRequested, sendPasswordResetJob),
  on(workspaceRegistered, openWalletJob),
  on(testDataPurgeFailed, notePurgeFailedJob),
  on(
    testDataPurgeRequested,
    purgeCommerceTestDataJob,
    purgeEngagementTestDataJob,
    purgeLoyaltyTestDataJob,
    purgeModelTestDataJob,
    purgePlatformTestDataJob,
  ),
  on(testDataPurged, notePurgedJob),
];

/**
 * Consumers of event batches. Counters are last, because their rows stay locked until the batch is committed.
 */
export const consumers: readonly EventConsumer[] = [
  keepActivityEvents,
  keepOrdersToAttribute,
  keepTriggerEventsConsumer,
  keepWebhookEvents,
  noteProfileChanges,
  countProgramConsumer,
  countSalesConsumer,
];
