import type { Context } from '@loyalty/platform/context';
import { publishEnd } from '@loyalty/platform/live/snapshots/publish-progress';
import { type AgentRun, type NewRunEvent, RUN_NOUN, toUsd } from './agent-run.ts';
import { ANSWER_CONTEXT } from './agent-runs.service.ts';
import { markRunEnded } from './changing-runs.store.ts';
import { appendEvents, countCalls } from './run-events.store.ts';

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
