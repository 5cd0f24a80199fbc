import { deleteReceiptImagesJob } from '@loyalty/commerce-subgraph/receipts/receipt-images/receipt-images.jobs';
import { expireCouponHoldsJob } from '@loyalty/loyalty-subgraph/coupons/coupon-reservations/coupon-reservations.jobs';
import { pruneMemberExportsJob } from '@loyalty/loyalty-subgraph/members/member-exports/member-exports.jobs';
import { pruneMemberSessionsJob } from '@loyalty/loyalty-subgraph/members/member-sessions/member-sessions.jobs';
import {
  eraseDueMembersJob,
  markInactiveMembersJob,
} from '@loyalty/loyalty-subgraph/members/member-status/member-status.jobs';
import { expirePointsJob, releasePointsJob } from '@loyalty/loyalty-subgraph/points/due-lots/due-lots.jobs';
import { scoreAmbassadorsJob } from '@loyalty/loyalty-subgraph/referrals/ambassador/ambassador.jobs';
import {
  endTierOverridesJob,
  recalculateChangedTiersJob,
  requestTierRecalculationsJob,
} from '@loyalty/loyalty-subgraph/tiers/tier-rules/tier-rules.jobs';
import { pruneCapabilityRunsJob } from '@loyalty/model-subgraph/answers/capabilities/capabilities.jobs';
import {
  dropBulkResultsJob,
  resumeFundedJobsJob,
} from '@loyalty/model-subgraph/bulk-jobs/jobs/bulk-jobs.jobs';
import { expireReservationsJob } from '@loyalty/model-subgraph/credits/reservations/reservations.jobs';
import { renewSubscriptionsJob } from '@loyalty/model-subgraph/credits/subscriptions/subscriptions.jobs';
import { pruneDataImportPreviewsJob } from '@loyalty/model-subgraph/facts/data-imports/data-imports.jobs';
import { refitWorkspacesJob } from '@loyalty/model-subgraph/scoring/refitting/refit.jobs';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@loyalty/platform/clock';
import type { Job } from '@loyalty/platform/outbox/jobs';
import { pruneJob } from '@loyalty/platform/outbox/prune';
import { pruneCallLogJob } from '@loyalty/workspace-subgraph/call-log/call-log.jobs';

/** A job that is queued once per period, however many workers run. */
export interface ScheduleEntry {
  readonly job: Job;
  readonly everyMs: number;
}

const every = (everyMs: number, jobs: readonly Job[]): ScheduleEntry[] =>
  jobs.map((job) => ({ job, everyMs }));

/** Period → jobs, the shortest period first. */
export const schedule: readonly ScheduleEntry[] = [
  ...every(MINUTE_MS, [expireCouponHoldsJob, expireReservationsJob, resumeFundedJobsJob]),
  ...every(HOUR_MS, [
    dropBulkResultsJob,
    endTierOverridesJob,
    eraseDueMembersJob,
    expirePointsJob,
    pruneCallLogJob,
    pruneCapabilityRunsJob,
    pruneDataImportPreviewsJob,
    pruneJob,
    pruneMemberExportsJob,
    pruneMemberSessionsJob,
    recalculateChangedTiersJob,
    releasePointsJob,
    renewSubscriptionsJob,
  ]),
  ...every(DAY_MS, [
    deleteReceiptImagesJob,
    markInactiveMembersJob,
    refitWorkspacesJob,
    requestTierRecalculationsJob,
    scoreAmbassadorsJob,
  ]),
];
