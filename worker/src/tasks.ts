import { runBulkAwardJob } from '@loyalty/loyalty-subgraph/bulk-awards/bulk-awards.jobs';
import {
  eraseDueMembersJob,
  markInactiveMembersJob,
  markUnsubscribedJob,
} from '@loyalty/loyalty-subgraph/member-status/member-status.jobs';
import { expirePointsJob, releasePointsJob } from '@loyalty/loyalty-subgraph/point-lots/point-lots.jobs';
import {
  endTierOverridesJob,
  recalculateTiersJob,
  requestTierRecalculationsJob,
  settleChangedTiersJob,
} from '@loyalty/loyalty-subgraph/tier-rules/tier-rules.jobs';
import { reevaluateTiersJob } from '@loyalty/loyalty-subgraph/tiers/tiers.jobs';
import { expireReservationsJob } from '@loyalty/model-subgraph/reservations/reservations.jobs';
import { openWalletJob } from '@loyalty/model-subgraph/wallet/wallet.jobs';
import type { Job } from '@loyalty/platform/jobs';
import { pruneJob } from '@loyalty/platform/prune';
import { pruneCallLogJob } from '@loyalty/workspace-subgraph/call-log/call-log.jobs';
import { sendInvitationJob } from '@loyalty/workspace-subgraph/invitations/invitations.jobs';
import { sendPasswordResetJob } from '@loyalty/workspace-subgraph/passwords/passwords.jobs';

/** Every job that a worker runs. */
export const tasks: readonly Job[] = [
  endTierOverridesJob,
  eraseDueMembersJob,
  expirePointsJob,
  expireReservationsJob,
  markInactiveMembersJob,
  markUnsubscribedJob,
  openWalletJob,
  pruneCallLogJob,
  pruneJob,
  recalculateTiersJob,
  reevaluateTiersJob,
  releasePointsJob,
  requestTierRecalculationsJob,
  runBulkAwardJob,
  sendInvitationJob,
  sendPasswordResetJob,
  settleChangedTiersJob,
];
