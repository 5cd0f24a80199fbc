import type { Context } from '@loyalty/platform/context';
import {
  cancelMessages,
  holdMessages,
  releaseMessages,
  waitForMessages,
} from '../../messages/source-messages.service.ts';
import { type JourneyStatus, setJourneyStatus } from '../journeys/journeys.service.ts';
import { endAllRuns, moveRunsToVersion, resumeRuns, stopRuns } from '../run-control/run-control.service.ts';
import type { VersionMove } from '../run-control/run-control.store.ts';

/**
 * Sets the status, if it is one of `from`, in the caller's transaction: members go on no more unless it is
 * ACTIVE, messages that wait are held while it is PAUSED, and an end cancels them. For automations too.
 *
 * @returns false where the status is another one, or the journey unknown
 */
export async function changeJourneyStatus(
  tx: Context,
  id: string,
  change: { readonly from: readonly JourneyStatus[]; readonly to: 'ACTIVE' | 'PAUSED' | 'ENDED' },
): Promise<boolean> {
  if (!(await setJourneyStatus(tx, id, change))) return false;
  if (change.to === 'PAUSED') await holdRuns(tx, id);
  if (change.to === 'ACTIVE') await releaseRuns(tx, id);
  if (change.to === 'ENDED') await cancelRuns(tx, id);
  return true;
}

async function holdRuns(tx: Context, journeyId: string): Promise<void> {
  // First the workers that may be adding messages.
  await stopRuns(tx, journeyId);
  await holdMessages(tx, journeyId);
}

async function releaseRuns(tx: Context, journeyId: string): Promise<void> {
  await resumeRuns(tx, journeyId);
  await releaseMessages(tx, journeyId);
}

async function cancelRuns(tx: Context, journeyId: string): Promise<void> {
  await endAllRuns(tx, journeyId);
  await cancelMessages(tx, journeyId);
}

/** Resolves once none of its messages is in a provider's hands. */
export const awaitMessages = (ctx: Context, journeyId: string): Promise<void> =>
  waitForMessages(ctx, journeyId);

/** @returns how many members were moved */
export const moveRuns = (tx: Context, move: VersionMove): Promise<number> => moveRunsToVersion(tx, move);
