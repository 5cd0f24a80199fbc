import type { Context } from '@loyalty/platform/context';
import { publishEnd, publishProgress } from '@loyalty/platform/subscriptions/publish-progress';
import { type AgentRun, type NewRunEvent, RUN_NOUN, toUsd } from './agent-run.ts';
import { ANSWER_CONTEXT } from './agent-runs.service.ts';
import {
  appendEvents,
  countCalls,
  eraseInRuns,
  eraseTexts,
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

/** Claims a due run of any workspace, or returns null. */
export const takeDueRun = (ctx: Context, leasedUntil: Date): Promise<ClaimedAgentRun | null> =>
  claimRun(ctx, leasedUntil);

/** Renews a claim. Returns false if it is lost. */
export const renewClaim = (ctx: Context, claimed: ClaimedAgentRun, leasedUntil: Date): Promise<boolean> =>
  extendRunClaim(ctx, claimed, leasedUntil);

/**
 * Locks an active run until the transaction ends. Returns null if it has ended or is unknown.
 *
 * @param token - of a claim that must still be valid; null if no claim is needed
 */
export const lockActiveRun = (
  tx: Context,
  id: string,
  token: number | null,
): Promise<LockedAgentRun | null> => lockRun(tx, id, token);

/** Inserts a run with the beginning of its log. */
export async function addRun(tx: Context, run: NewRun, events: readonly NewRunEvent[]): Promise<AgentRun> {
  const made = await insertRun(tx, run);
  return { ...made, lastSeq: await appendEvents(tx, made.id, events) };
}

/** Writes events and progress of a locked run. If it waits for an approval, it waits for its latest event. */
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

/**
 * Adds a mirrored call to the caller's run of the day, which the first call creates. Returns the id of the
 * run.
 */
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

/** The end of a run. */
export interface RunEnd {
  readonly status: 'COMPLETED' | 'ESCALATED' | 'FAILED' | 'CANCELLED';
  /** A short text, such as `done` or `limit: STEPS`. */
  readonly outcome: string;
  readonly answer?: string;
}

/**
 * Ends a run that the transaction has locked, and logs the result, the calls, the cost and the end.
 *
 * @param before - events that are logged first
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
 * Erases the data of a member in runs: answers, intents and arguments. An active run ends, and its
 * conversation is deleted.
 */
export const eraseRuns = (ctx: Context, memberId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const about = await eraseInRuns(tx, memberId);
    for (const { id } of about.filter(({ isRunning }) => isRunning)) {
      const run = await lockRun(tx, id, null);
      if (run) await endRun(tx, run, { status: 'FAILED', outcome: 'a member whom it was about was erased' });
    }
    const ids = about.map(({ id }) => id);
    if (ids.length > 0) await eraseTexts(tx, ids);
  });
