import { addMs, SECOND_MS } from '@loyalty/platform/base/clock';
import { conflict, invalid, notFound } from '@loyalty/platform/base/errors';
import { idsIn, newId } from '@loyalty/platform/base/ids';
import { checkText } from '@loyalty/platform/base/input';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/identity/audit';
import { agentVersionOf, findAgent } from '../agents/agents.service.ts';
import {
  type AgentRun,
  type NewRunEvent,
  newState,
  openState,
  RUNS_CHANNEL,
  sealState,
} from './agent-run.ts';
import { getRun, getRunNow } from './agent-runs.service.ts';
import { addRun, endRun, keepProgress, lockActiveRun, type NewRun } from './change-runs.service.ts';

const INTENT_MAX = 4_000;

/**
 * Starts a run. A worker executes it.
 *
 * @throws AppError VALIDATION_FAILED (400), AGENT_NOT_FOUND (404), AGENT_ARCHIVED, AGENT_RUNS_OUTSIDE,
 * AGENT_MODEL_MISSING (409)
 */
export async function startAgentRun(
  ctx: Context,
  input: { readonly agentId: string; readonly intent: string; readonly skill?: string | null | undefined },
): Promise<AgentRun> {
  const intent = checkText('input.intent', input.intent, INTENT_MAX);
  const agent = await findAgent(ctx, input.agentId);
  if (!agent) throw notFound('agent', input.agentId);
  if (agent.archivedAt) throw conflict('AGENT_ARCHIVED', 'The agent is archived. Take it back first.');
  const { runtimeForm, blueprint } = await agentVersionOf(ctx, agent.id, agent.version);
  if (runtimeForm === 'MCP_EXTERNAL')
    throw conflict('AGENT_RUNS_OUTSIDE', 'The agent runs outside of the platform. Start it there.');
  if (!ctx.services.config.AGENT_MODEL_URL)
    throw conflict('AGENT_MODEL_MISSING', 'No model is set up. Ask the operator to set AGENT_MODEL_URL.');
  const skill = input.skill ?? null;
  if (skill !== null && !blueprint.skills.some(({ name }) => name === skill))
    throw invalid('input.skill', 'must be the name of a skill of the agent');
  const { timeLimitSeconds } = blueprint.loopPolicy;
  const state = await sealState(ctx, newState(intent));
  const run = await ctx.transaction(async (tx) => {
    const begun: NewRun = {
      id: newId(tx.clock),
      definitionId: agent.id,
      version: agent.version,
      skill,
      state,
      about: [...idsIn(intent.split(/[^\da-f-]+/i))],
      deadlineAt: addMs(tx.clock.now(), timeLimitSeconds * SECOND_MS),
    };
    const made = await addRun(tx, begun, [
      { type: 'run_started', by: tx.caller.actor, ...(skill !== null && { skill }) },
      { type: 'user_intent', intent },
    ]);
    await auditRun(tx, 'startAgentRun', made);
    return made;
  });
  await ctx.services.live.publish(RUNS_CHANNEL, run.id);
  return run;
}

/**
 * Cancels a run. A call that is being made is not reverted. No further calls follow.
 *
 * @throws AppError AGENT_RUN_NOT_FOUND (404), AGENT_RUN_ENDED (409)
 */
export async function cancelAgentRun(ctx: Context, id: string): Promise<AgentRun> {
  const run = await getRun(ctx, id);
  await ctx.transaction(async (tx) => {
    const locked = await lockActiveRun(tx, id, null);
    if (!locked) throw conflict('AGENT_RUN_ENDED', 'The run has ended.');
    if (locked.isMirrored)
      throw conflict('AGENT_RUNS_OUTSIDE', 'The agent runs outside of the platform. Revoke its key instead.');
    await endRun(tx, locked, { status: 'CANCELLED', outcome: `cancelled by ${tx.caller.actor}` });
    await auditRun(tx, 'cancelAgentRun', run);
  });
  return getRunNow(ctx, id);
}

/**
 * Approves or refuses the call that waits for an approval. The first decision counts.
 *
 * @param decision.seq - of the event with the request, so that a decision always concerns the call that was
 * seen
 * @throws AppError AGENT_RUN_NOT_FOUND (404), APPROVAL_STALE (409) if no call or another call is waiting
 */
export async function approveAgentStep(
  ctx: Context,
  { id, seq, isApproved }: { readonly id: string; readonly seq: number; readonly isApproved: boolean },
): Promise<AgentRun> {
  const run = await getRun(ctx, id);
  await ctx.transaction(async (tx) => {
    const locked = await lockActiveRun(tx, id, null);
    if (!locked?.state || locked.waitingSeq !== seq)
      throw conflict('APPROVAL_STALE', 'The run does not wait for this approval any more. Read it again.');
    const state = await openState(tx, locked.state);
    const [call, ...others] = state.calls;
    const decided: NewRunEvent = {
      type: 'approval_decided',
      tool: call!.tool,
      ok: isApproved,
      by: tx.caller.actor,
    };
    await keepProgress(tx, id, [decided], {
      status: 'QUEUED',
      state: await sealState(tx, { ...state, calls: [{ ...call!, isApproved }, ...others] }),
      dueAt: tx.clock.now(),
    });
    await auditRun(tx, isApproved ? 'approveAgentStep' : 'rejectAgentStep', run);
  });
  await ctx.services.live.publish(RUNS_CHANNEL, id);
  return getRunNow(ctx, id);
}

const auditRun = (tx: Context, action: string, { id, definitionId, version }: AgentRun): Promise<void> =>
  audit(tx, { action, resourceType: 'AgentRun', resourceId: id, after: { definitionId, version } });
