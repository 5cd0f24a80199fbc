import type { Context } from '@loyalty/platform/context';
import { publishEnd, publishProgress } from '@loyalty/platform/subscriptions/publish-progress';
import { type AgentRun, type NewRunEvent, RUN_NOUN, toUsd } from './agent-run.ts';
import { ANSWER_CONTEXT } from './agent-runs.service.ts';
import {
  appendEvents,
  countCalls,
  forgetInRuns,
  forgetTexts,
  insertRun,
  mirroredRun,
  type NewRun,
} from './agent-runs.store.ts';
import {
  type ClaimedAgentRun,
  claimRun,
  countMirroredCall,
  extendRunClaim,
  type LockedAgentRun,
  lockRun,
  markRunEnded,
  type RunProgress,
  saveProgress,
} from './changing-runs.store.ts';

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

/** How a run ends. */
export interface RunEnd {
  readonly status: 'COMPLETED' | 'ESCALATED' | 'FAILED' | 'CANCELLED';
  /** In a few words, such as `done` or `limit: STEPS`. */
  readonly outcome: string;
  readonly answer?: string;
}

/**
 * Ends a run that the transaction has locked: its log gets the result, what was done, the cost and the end.
 *
 * @param before - what else is logged, first
 */
export async function endRun(
  tx: Context,
  run: AgentRun,
  { status, outcome, answer }: RunEnd,
  before: readonly NewRunEvent[] = [],
): Promise<void> {
  if (before.length > 0) await appendEvents(tx, run.id, before);
  const { calls, failed } = await countCalls(tx, run.id);
  await appendEvents(tx, run.id, [
    { type: 'action_result', ok: status === 'COMPLETED', result: outcome },
    { type: 'business_outcome', calls, result: `calls done: ${calls - failed}, failed: ${failed}` },
    { type: 'cost', tokens: run.tokens, usd: toUsd(run.usdMicros) },
    { type: 'run_ended', outcome: status.toLowerCase() },
  ]);
  const { keyring } = tx.services;
  const sealed =
    answer === undefined ? null : await keyring.seal(tx.scope.workspaceId, answer, ANSWER_CONTEXT);
  await markRunEnded(tx, run.id, { status, outcome, answer: sealed });
  publishEnd(tx, RUN_NOUN, run.id);
}

/**
 * Erases what runs keep of a member: answers, intents and arguments go, and a run that is under way ends with
 * its conversation.
 */
export const forgetRuns = (ctx: Context, memberId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const about = await forgetInRuns(tx, memberId);
    for (const { id } of about.filter(({ isRunning }) => isRunning)) {
      const run = await lockRun(tx, id, null);
      if (run) await endRun(tx, run, { status: 'FAILED', outcome: 'a member whom it was about was erased' });
    }
    const ids = about.map(({ id }) => id);
    if (ids.length > 0) await forgetTexts(tx, ids);
  });
