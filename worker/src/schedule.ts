import { pruneCommerceJob } from '@loyalty/commerce-subgraph/retention.jobs';
import { pruneEngagementJob } from '@loyalty/engagement-subgraph/member-data/retention/engagement-retention.jobs';
import { rotateEventDaysJob } from '@loyalty/engagement-subgraph/tracking/tracked-events/tracked-events.jobs';
import { expireCouponHoldsJob } from '@loyalty/loyalty-subgraph/coupons/coupon-reservations/coupon-reservations.jobs';
import { failOldMemberExportsJob } from '@loyalty/loyalty-subgraph/members/member-exports/member-exports.jobs';
import { indexMissingMembersJob } from '@loyalty/loyalty-subgraph/members/member-search/member-search.jobs';
import {
  eraseDueMembersJob,
  markInactiveMembersJob,
} from '@loyalty/loyalty-subgraph/members/member-status/member-status.jobs';
import { expirePointsJob, releasePointsJob } from '@loyalty/loyalty-subgraph/points/due-lots/due-lots.jobs';
import { sumLiabilityJob } from '@loyalty/loyalty-subgraph/points/liability/liability.jobs';
import { scoreAmbassadorsJob } from '@loyalty/loyalty-subgraph/referrals/ambassador/ambassador.jobs';
import { pruneLoyaltyJob } from '@loyalty/loyalty-subgraph/retention/loyalty-retention.jobs';
import {
  endTierOverridesJob,
  recalculateChangedTiersJob,
  requestTierRecalculationsJob,
} from '@loyalty/loyalty-subgraph/tiers/tier-rules/tier-rules.jobs';
import {
  dropBulkResultsJob,
  resumeFundedJobsJob,
} from '@loyalty/model-subgraph/bulk-jobs/jobs/bulk-jobs.jobs';
import { expireReservationsJob } from '@loyalty/model-subgraph/credits/reservations/reservations.jobs';
import { renewSubscriptionsJob } from '@loyalty/model-subgraph/credits/subscriptions/subscriptions.jobs';
import { pruneModelJob } from '@loyalty/model-subgraph/retention/model-retention.jobs';
import { countAllBasketsJob } from '@loyalty/model-subgraph/scoring/recommendations/count-baskets.jobs';
import { refitWorkspacesJob } from '@loyalty/model-subgraph/scoring/refitting/refit.jobs';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@loyalty/platform/clock';
import type { Job } from '@loyalty/platform/outbox/jobs';
import { endStuckExportsJob, endStuckImportsJob, prunePlatformJob } from '@loyalty/platform/outbox/prune';
import { pruneCallLogJob } from '@loyalty/workspace-subgraph/call-log/call-log.jobs';
import { pruneWorkspaceJob } from '@loyalty/workspace-subgraph/retention.jobs';

/** A job that is queued once per period, however many workers run. */
export interface ScheduleEntry {
  readonly job: Job;
  readonly everyMs: number;
}

const every = (everyMs: number, jobs: readonly Job[]): ScheduleEntry[] =>
  jobs.map((job) => ({ job, everyMs }));

/** Period → jobs, the shortest period first. */
export const schedule: readonly ScheduleEntry[] = [
  ...every(MINUTE_MS, [
    countAllBasketsJob,
    expireCouponHoldsJob,
    expireReservationsJob,
    // Often, so that each run has little to do.
    pruneCommerceJob,
    pruneEngagementJob,
    pruneLoyaltyJob,
    pruneModelJob,
    prunePlatformJob,
    pruneWorkspaceJob,
    resumeFundedJobsJob,
    sumLiabilityJob,
  ]),
  ...every(HOUR_MS, [
    dropBulkResultsJob,
    endStuckExportsJob,
    endStuckImportsJob,
    endTierOverridesJob,
    eraseDueMembersJob,
    expirePointsJob,
    failOldMemberExportsJob,
    pruneCallLogJob,
    recalculateChangedTiersJob,
    releasePointsJob,
    renewSubscriptionsJob,
    rotateEventDaysJob,
  ]),
  ...every(DAY_MS, [
    indexMissingMembersJob,
    markInactiveMembersJob,
    refitWorkspacesJob,
    requestTierRecalculationsJob,
    scoreAmbassadorsJob,
  ]),
];
