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

/** Events that one page shows unless it is asked for fewer; a run has seldom more. */
const EVENTS_PAGE = 200;

/** One run of the workspace; null when there is none. */
export const findRun = (ctx: Context, id: string): Promise<AgentRun | null> => ctx.load(runById, id);

/** @throws AppError AGENT_RUN_NOT_FOUND (404) */
export async function getRun(ctx: Context, id: string): Promise<AgentRun> {
  const found = await findRun(ctx, id);
  if (!found) throw notFound('agent run', id);
  return found;
}

/** The run as it is now, not as it was loaded. @throws AppError AGENT_RUN_NOT_FOUND (404) */
export async function getRunNow(ctx: Context, id: string): Promise<AgentRun> {
  const found = await readRun(ctx, id);
  if (!found) throw notFound('agent run', id);
  return found;
}

/**
 * Runs of the workspace, newest first.
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
 * The log of a run, in order; parts of many logs load together.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export async function listRunEvents(
  ctx: Context,
  { id, lastSeq }: Pick<AgentRun, 'id' | 'lastSeq'>,
  args: PageArgs,
): Promise<Page<AgentRunEvent>> {
  const request = pageRequest(args, EVENTS_PAGE, undefined, (text) => /^[1-9][0-9]{0,8}$/.test(text));
  // Numbers have no gaps.
  return page(request, await eventsOfRun(ctx, id, request), async () => lastSeq);
}

/** What the agent answered at its end; null before that, and after a person whom it was about was erased. */
export async function answerOf(ctx: Context, { id, endedAt }: AgentRun): Promise<string | null> {
  const sealed = endedAt === null ? null : await ctx.load(sealedAnswers, id);
  return sealed ? ctx.services.keyring.open(ctx.scope.workspaceId, sealed, ANSWER_CONTEXT) : null;
}

/** The call that a run waits with, whole; null where none waits. */
export async function approvalOf(ctx: Context, { id, waitingSeq }: AgentRun) {
  const sealed = waitingSeq === null ? null : await ctx.load(sealedStates, id);
  if (waitingSeq === null || !sealed) return null;
  const { calls } = await openState(ctx, sealed);
  const [call] = calls;
  return call ? { seq: waitingSeq, tool: call.tool, args: argumentsOf(call) ?? {} } : null;
}

/**
 * The run as it is now, and after its changes, until it has ended.
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
