import type { Context } from '@loyalty/platform/context';
import { publishProgress } from '@loyalty/platform/live/snapshots/publish-progress';
import { type AgentRun, type NewRunEvent, RUN_NOUN } from './agent-run.ts';
import { insertRun, mirroredRun, type NewRun } from './agent-runs.store.ts';
import {
  type ClaimedAgentRun,
  claimRun,
  countMirroredCall,
  extendRunClaim,
  type LockedAgentRun,
  lockRun,
  type RunProgress,
  saveProgress,
} from './changing-runs.store.ts';
import { appendEvents } from './run-events.store.ts';

export type { ClaimedAgentRun, LockedAgentRun, NewRun, RunProgress };

/** Takes a run of any workspace that is due; null where none is. */
export const takeDueRun = (ctx: Context, leasedUntil: Date): Promise<ClaimedAgentRun | null> =>
  claimRun(ctx, leasedUntil);

/** Keeps a claim; false where it is lost. */
export const renewClaim = (ctx: Context, claimed: ClaimedAgentRun, leasedUntil: Date): Promise<boolean> =>
  extendRunClaim(ctx, claimed, leasedUntil);

/**
 * Locks a run that has not ended until the transaction does; null where it has, or is not known.
 *
 * @param token - of the claim that must still hold; null for who needs none
 */
export const lockActiveRun = (
  tx: Context,
  id: string,
  token: number | null,
): Promise<LockedAgentRun | null> => lockRun(tx, id, token);

/** Adds a run with the beginning of its log. */
export async function addRun(tx: Context, run: NewRun, events: readonly NewRunEvent[]): Promise<AgentRun> {
  const made = await insertRun(tx, run);
  return { ...made, lastSeq: await appendEvents(tx, made.id, events) };
}

/** Goes on with a run that the transaction has locked; one that waits, waits for its latest event. */
export async function keepProgress(
  tx: Context,
  id: string,
  events: readonly NewRunEvent[],
  progress: Omit<RunProgress, 'waitingSeq'>,
): Promise<void> {
  const lastSeq = events.length > 0 ? await appendEvents(tx, id, events) : null;
  const waitingSeq = progress.status === 'WAITING_FOR_APPROVAL' ? lastSeq : null;
  await saveProgress(tx, id, { ...progress, waitingSeq });
  publishProgress(tx, RUN_NOUN, id);
}

/** Adds a mirrored call to the caller's run of the day, which it makes if it is the first. Returns its id. */
export async function addMirroredCall(
  tx: Context,
  day: Parameters<typeof mirroredRun>[1],
  call: NewRunEvent,
): Promise<string> {
  const { id, isNew } = await mirroredRun(tx, day);
  const start: NewRunEvent = { type: 'run_started', by: tx.caller.actor };
  await appendEvents(tx, id, isNew ? [start, call] : [call]);
  await countMirroredCall(tx, id);
  publishProgress(tx, RUN_NOUN, id);
  return id;
}
