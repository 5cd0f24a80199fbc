import { administratorOf } from '@loyalty/platform/base/caller';
import { invalid } from '@loyalty/platform/base/errors';
import { between } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import type { AlignmentTargetName, ModelVersion } from '../versions/model-version.ts';
import { createFromHistory, startVersion } from '../versions/versions.service.ts';
import { type AlignmentNotice, findNotices, waitingProposalId } from './proposals.store.ts';

const HORIZON_MAX = 365;

/** Default horizons of proposals in days: those of the standard signals. */
export const usualHorizons: Readonly<Record<AlignmentTargetName, number>> = {
  PURCHASE: 30,
  CHURN: 90,
  ABANDONMENT: 30,
};

/** The target and horizon of a proposal. */
export interface ProposalRequest {
  readonly target: AlignmentTargetName;
  /** Days, 1 to 365. Default: that of the standard signal. */
  readonly horizon?: number | null | undefined;
}

/**
 * Queues an attempt to align a signal to the history of the workspace's own members. It makes a version with
 * a report; nothing is applied before a person approves and publishes it. A proposal of the same target and
 * horizon that waits for its review is computed again.
 *
 * @throws AppError VALIDATION_FAILED (400), PROPOSAL_RUNNING (409)
 */
export function proposeAlignment(ctx: Context, request: ProposalRequest): Promise<ModelVersion> {
  const { target } = request;
  const horizon = checkHorizon('horizon', request);
  return ctx.transaction(async (tx) => {
    const waiting = await waitingProposalId(tx, target, horizon);
    const name = `${target.toLowerCase()} from own history, ${horizon} days`;
    const about = { subject: target, horizon, name, administrator: administratorOf(tx.caller) };
    const version = waiting ? { id: waiting } : await createFromHistory(tx, about);
    return startVersion(tx, version);
  });
}

/** Returns proposals that wait for a review, and stale alignments in use, oldest first; at most 20. */
export const listNotices = (ctx: Context): Promise<AlignmentNotice[]> => findNotices(ctx);

/** @throws AppError VALIDATION_FAILED (400) naming the field */
export function checkHorizon(field: string, { target, horizon }: ProposalRequest): number {
  const days = horizon ?? usualHorizons[target];
  if (days < 1 || days > HORIZON_MAX) throw invalid(field, between(1, HORIZON_MAX));
  return days;
}
