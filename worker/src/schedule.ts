import { pruneCommerceJob } from '@loyalty/commerce-subgraph/retention.jobs';
import { pruneEngagementJob } from '@loyalty/engagement-subgraph/retention.jobs';
import { rotateEventDaysJob } from '@loyalty/engagement-subgraph/tracking/tracking.jobs';
import { expireCouponHoldsJob } from '@loyalty/loyalty-subgraph/coupons/coupons.jobs';
import { failOldMemberExportsJob } from '@loyalty/loyalty-subgraph/exports/exports.jobs';
import {
  eraseDueMembersJob,
  markInactiveMembersJob,
} from '@loyalty/loyalty-subgraph/member-status/member-status.jobs';
import { indexMissingMembersJob } from '@loyalty/loyalty-subgraph/members/member-search.jobs';
import {
  expirePointsJob,
  releasePointsJob,
  sumLiabilityJob,
} from '@loyalty/loyalty-subgraph/points/points.jobs';
import { scoreAmbassadorsJob } from '@loyalty/loyalty-subgraph/referrals/referrals.jobs';
import { pruneLoyaltyJob } from '@loyalty/loyalty-subgraph/retention.jobs';
import {
  endTierOverridesJob,
  recalculateChangedTiersJob,
  requestTierRecalculationsJob,
} from '@loyalty/loyalty-subgraph/tiers/tiers.jobs';
import { dropBulkResultsJob, resumeFundedJobsJob } from '@loyalty/model-subgraph/bulk-jobs/bulk-jobs.jobs';
import { expireReservationsJob, renewSubscriptionsJob } from '@loyalty/model-subgraph/credits/credits.jobs';
import { countAllBasketsJob, refitWorkspacesJob } from '@loyalty/model-subgraph/predictions/predictions.jobs';
import { pruneModelJob } from '@loyalty/model-subgraph/retention.jobs';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@loyalty/platform/base/clock';
import { endStuckExportsJob } from '@loyalty/platform/exports/export-job';
import { endStuckImportsJob } from '@loyalty/platform/imports/import-job';
import type { Job } from '@loyalty/platform/work/jobs';
import { prunePlatformJob } from '@loyalty/platform/work/prune';
import { pruneCallLogJob } from '@loyalty/workspace-subgraph/call-log/call-log.jobs';
import { pruneWorkspaceJob } from '@loyalty/workspace-subgraph/retention.jobs';

/** A job that is queued once per period, for any number of workers. */
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
    // Runs often, so that each run has little work.
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
