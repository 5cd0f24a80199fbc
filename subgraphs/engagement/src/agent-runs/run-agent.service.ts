import { addMs, SECOND_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { CLAIMS_MAX, isGivenUp } from '@loyalty/platform/work/lost-workers';
import { agentVersionOf } from '../agents/agents.service.ts';
import { openState } from './agent-run.ts';
import type { AgentTools, ToolsOf } from './agent-tools.ts';
import { askModel } from './ask-model.service.ts';
import { callNextTool } from './call-tool.service.ts';
import {
  type ClaimedAgentRun,
  type LockedAgentRun,
  lockActiveRun,
  renewClaim,
  takeDueRun,
} from './change-runs.service.ts';
import { reachedLimit } from './limits.ts';
import type { ModelPort } from './model.ts';
import { beginRun, endFailed, finish, type Work } from './work.ts';

/** Lease of a claim. If a worker does not renew it in time, another one continues. */
const LEASE_SECONDS = 20;
const RENEWAL_MS = 2_000;

/** Claims a due run of any workspace. */
export const takeRun = (ctx: Context): Promise<ClaimedAgentRun | null> => takeDueRun(ctx, leaseFrom(ctx));

const leaseFrom = (ctx: Context): Date => addMs(ctx.clock.now(), LEASE_SECONDS * SECOND_MS);

/**
 * Executes steps of a run until it ends or waits for an approval. Each step is committed as a whole. The
 * unfinished call of a lost worker is repeated with the same Idempotency-Key.
 *
 * @param ctx - a context of the product, in the workspace of the run
 */
export async function runAgent(ctx: Context, claimed: ClaimedAgentRun, port: ModelPort): Promise<void> {
  if (isGivenUp(claimed)) {
    const outcome = `${CLAIMS_MAX} workers were lost in one step`;
    return finish({ ctx, claimed }, { status: 'FAILED', outcome });
  }
  const stopped = new AbortController();
  const heartbeat = setInterval(() => void renew(ctx, claimed, stopped), RENEWAL_MS);
  const tools = lazily<AgentTools | 'REFUSED' | 'AWAY'>();
  const begun = new Set<string>();
  try {
    while (!stopped.signal.aborted && (await takeStep(ctx, claimed, { port, stopped, tools, begun })));
  } finally {
    clearInterval(heartbeat);
    const opened = await tools.opened();
    if (opened !== null && typeof opened !== 'string') await opened.close();
  }
}

/** A value that is opened once, at its first use. */
interface Lazy<T> {
  readonly open: (opening: () => Promise<T>) => Promise<T>;
  /** Null if it was never used. */
  readonly opened: () => Promise<T | null>;
}

function lazily<T>(): Lazy<T> {
  let value: Promise<T> | null = null;
  return {
    open: (opening) => {
      value ??= opening();
      return value;
    },
    opened: async () => value,
  };
}

async function renew(ctx: Context, claimed: ClaimedAgentRun, stopped: AbortController): Promise<void> {
  try {
    if (!(await renewClaim(ctx, claimed, leaseFrom(ctx)))) stopped.abort();
  } catch (error) {
    // The next renewal may succeed. Otherwise the claim is lost, and no more writes have an effect.
    ctx.log.warn({ err: error, requestId: ctx.request.requestId }, 'claim of an agent run not renewed');
  }
}

interface Parts {
  readonly port: ModelPort;
  readonly stopped: AbortController;
  readonly tools: Lazy<AgentTools | 'REFUSED' | 'AWAY'>;
  readonly begun: Set<string>;
}

/** @returns false if the run stops or waits */
async function takeStep(ctx: Context, claimed: ClaimedAgentRun, parts: Parts): Promise<boolean> {
  const run = await ctx.transaction((tx) => lockActiveRun(tx, claimed.id, claimed.token));
  if (!run) return false;
  if (run.isMirrored) return endDay(ctx, claimed);
  const work = await workOn(ctx, claimed, run, parts);
  const limit = reachedLimit(run, work.agent.blueprint, ctx.clock.now());
  // A started call is finished first, so that the log contains its result.
  const isBegun = work.state.calls[0]?.isStarted === true;
  if (limit && !(limit === 'STEPS' && isBegun)) {
    await endFailed(work, 'limit', `limit: ${limit}`, [{ type: 'limit_reached', reason: limit }]);
    return false;
  }
  if (work.state.messages.length === 0) return beginRun(work);
  return work.state.calls.length > 0 ? callNextTool(work) : askModel(work);
}

async function workOn(
  ctx: Context,
  claimed: ClaimedAgentRun,
  run: LockedAgentRun,
  parts: Parts,
): Promise<Work> {
  const agent = await agentVersionOf(ctx, run.definitionId, run.version);
  const left = Math.max(run.deadlineAt.getTime() - ctx.clock.now().getTime(), 1);
  return {
    ctx,
    claimed,
    run,
    agent,
    skill: agent.blueprint.skills.find(({ name }) => name === run.skill) ?? null,
    state: await openState(ctx, run.state!),
    port: parts.port,
    begun: parts.begun,
    tools: () =>
      parts.tools.open(async () =>
        agent.apiKeyId ? toolsOf(ctx, { runId: run.id, apiKeyId: agent.apiKeyId }) : 'REFUSED',
      ),
    // Timers of Node are limited to 24 days. A run has at most 7.
    signal: AbortSignal.any([parts.stopped.signal, AbortSignal.timeout(left)]),
  };
}

/** The MCP client is loaded on demand, because few processes run agents. */
async function toolsOf(ctx: Context, of: ToolsOf): Promise<AgentTools | 'REFUSED' | 'AWAY'> {
  const { openTools } = await import('./agent-tools.ts');
  return openTools(ctx, of);
}

/** Ends a run of mirrored calls after its day. */
async function endDay(ctx: Context, claimed: ClaimedAgentRun): Promise<boolean> {
  await finish({ ctx, claimed }, { status: 'COMPLETED', outcome: 'the day is over' });
  return false;
}
