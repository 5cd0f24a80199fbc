import { notFound } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, page, pageRequest } from '@loyalty/platform/database/pages';
import { watchSnapshot } from '@loyalty/platform/subscriptions/watch-snapshot';
import {
  type AgentRun,
  type AgentRunEvent,
  type AgentRunStatus,
  argumentsOf,
  isEnded,
  openState,
  RUN_NOUN,
} from './agent-run.ts';
import { eventsOfRun, readRun, runById, runsPage, sealedAnswers } from './agent-runs.store.ts';
import { sealedStates } from './changing-runs.store.ts';

export const ANSWER_CONTEXT = 'agent-run.answer';

/** Default page size of events. A run rarely has more. */
const EVENTS_PAGE = 200;

/** Returns a run by id, or null. */
export const findRun = (ctx: Context, id: string): Promise<AgentRun | null> => ctx.load(runById, id);

/** @throws AppError AGENT_RUN_NOT_FOUND (404) */
export async function getRun(ctx: Context, id: string): Promise<AgentRun> {
  const found = await findRun(ctx, id);
  if (!found) throw notFound('agent run', id);
  return found;
}

/** Reads a run without the cache of the loader. @throws AppError AGENT_RUN_NOT_FOUND (404) */
export async function getRunNow(ctx: Context, id: string): Promise<AgentRun> {
  const found = await readRun(ctx, id);
  if (!found) throw notFound('agent run', id);
  return found;
}

/**
 * Lists runs of the workspace, newest first.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export const listRuns = async (
  ctx: Context,
  {
    definitionId,
    status,
    ...paging
  }: PageArgs & {
    readonly definitionId?: string | null | undefined;
    readonly status?: AgentRunStatus | null | undefined;
  },
): Promise<Page<AgentRun>> =>
  runsPage(ctx, pageRequest(paging), { definitionId: definitionId ?? null, status: status ?? null });

/**
 * Lists the log of a run, oldest first. Batched by run.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export async function listRunEvents(
  ctx: Context,
  { id, lastSeq }: Pick<AgentRun, 'id' | 'lastSeq'>,
  args: PageArgs,
): Promise<Page<AgentRunEvent>> {
  const request = pageRequest(args, EVENTS_PAGE, undefined, (text) => /^[1-9][0-9]{0,8}$/.test(text));
  // Numbers have no gaps, so the last number is the count.
  return page(request, await eventsOfRun(ctx, id, request), async () => lastSeq);
}

/** Returns the final answer; null before the end, and after a person whom the run concerns was erased. */
export async function answerOf(ctx: Context, { id, endedAt }: AgentRun): Promise<string | null> {
  const sealed = endedAt === null ? null : await ctx.load(sealedAnswers, id);
  return sealed ? ctx.services.keyring.open(ctx.scope.workspaceId, sealed, ANSWER_CONTEXT) : null;
}

/** Returns the complete call that waits for an approval; null without one. */
export async function approvalOf(ctx: Context, { id, waitingSeq }: AgentRun) {
  const sealed = waitingSeq === null ? null : await ctx.load(sealedStates, id);
  if (waitingSeq === null || !sealed) return null;
  const { calls } = await openState(ctx, sealed);
  const [call] = calls;
  return call ? { seq: waitingSeq, tool: call.tool, args: argumentsOf(call) ?? {} } : null;
}

/**
 * Watches a run: its current state and each change, until it has ended.
 *
 * @throws AppError AGENT_RUN_NOT_FOUND (404)
 */
export async function watchRun(ctx: Context, id: string): Promise<AsyncIterableIterator<AgentRun>> {
  await getRun(ctx, id);
  return watchSnapshot<AgentRun>(ctx, {
    noun: RUN_NOUN,
    id,
    read: (reading) => readRun(reading, id),
    isEnded,
  });
}
