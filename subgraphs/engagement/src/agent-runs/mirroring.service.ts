import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import { invalid } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { agentVersionOf, externalAgentOf } from '../agents/agents.service.ts';
import type { NewRunEvent } from './agent-run.ts';
import { addMirroredCall } from './change-runs.service.ts';
import { shownArguments } from './shown-arguments.ts';

interface ToolCallInput {
  readonly tool: string;
  readonly args?: Readonly<Record<string, unknown>> | null | undefined;
  readonly ok: boolean;
  readonly reason?: string | null | undefined;
}

/**
 * Adds a call to the caller's run of the UTC day, which the first call creates and which ends with the day.
 *
 * @returns the id of the run; null if the workspace has no agents, or if a run made the call, because its own
 * log contains it
 * @throws AppError VALIDATION_FAILED (400)
 * @remarks Source: requirements L-AGT-12, L-MCP-03
 */
export async function recordToolCall(ctx: Context, input: ToolCallInput): Promise<string | null> {
  const { modules, agentRunId } = ctx.caller;
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(input.tool))
    throw invalid('input.tool', 'must be the name of a tool, such as members_get');
  if (input.reason && !/^[A-Z][A-Z0-9_]{0,63}$/.test(input.reason))
    throw invalid('input.reason', 'must be the reason of an error, such as SCOPE_MISSING');
  if (agentRunId || !modules.includes('agents')) return null;
  return ctx.transaction(async (tx) => {
    const agent = await externalAgentOf(tx);
    const { blueprint } = await agentVersionOf(tx, agent.definitionId, agent.version);
    const { tools } = blueprint.mcpSurface;
    const isExpected = tools.length === 0 || tools.includes(input.tool);
    const call: NewRunEvent = {
      type: 'mcp_tool_call',
      tool: input.tool,
      args: shownArguments(input.args ?? {}),
      ok: input.ok,
      ...(input.reason && { reason: input.reason }),
      ...(!isExpected && { result: 'outside of the surface of the definition' }),
    };
    const now = tx.clock.now();
    const day = now.toISOString().slice(0, 10);
    const deadlineAt = addMs(new Date(day), DAY_MS);
    return addMirroredCall(tx, { ...agent, id: newId(tx.clock), day, deadlineAt }, call);
  });
}
