import { setTimeout as sleep } from 'node:timers/promises';
import { idsIn } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import {
  argumentsOf,
  type ChatMessage,
  type NewRunEvent,
  type PendingCall,
  type RunState,
} from './agent-run.ts';
import type { AgentTools, ToolOutcome } from './agent-tools.ts';
import { shownArguments } from './shown-arguments.ts';
import { endFailed, keepStep, postpone, type Work } from './work.ts';

const ARGUMENTS_CHARACTERS_MAX = 20_000;
/** Maximum length of a tool's response. The model reads only the beginning of a longer one. */
const REPLY_CHARACTERS_MAX = 20_000;
/** Delays between the attempts of a call without a response. */
const RETRY_DELAYS_MS = [500, 2_000];

/**
 * Handles the first pending call: refuses it, requests an approval, or makes it.
 *
 * @returns false if the run stops, or waits for an approval
 */
export async function callNextTool(work: Work): Promise<boolean> {
  const [call] = work.state.calls as [PendingCall];
  const tools = await work.tools();
  const args = argumentsOf(call);
  if (tools === 'AWAY') return postpone(work);
  if (tools === 'REFUSED') return refuse(work, call, 'CREDENTIAL_INVALID');
  const refusal = refusalOf(work, tools, call, args);
  if (refusal) return refuse(work, call, refusal);
  if (call.isApproved === false) return skipCall(work, call);
  const shown = { tool: call.tool, args: shownArguments(args!) };
  if (call.isApproved === null && needsApproval(work, tools, call)) {
    await keepStep(work, {
      state: work.state,
      status: 'WAITING_FOR_APPROVAL',
      dueAt: work.run.deadlineAt,
      events: [
        { type: 'permission_check', tool: call.tool, ok: true },
        { type: 'approval_requested', ...shown },
      ],
    });
    return false;
  }
  if (!call.isStarted) {
    const checked: NewRunEvent[] =
      call.isApproved === null ? [{ type: 'permission_check', tool: call.tool, ok: true }] : [];
    work.begun.add(call.id);
    // The call is logged before it is made. If the worker is lost in between, the next one finds the log
    // entry and continues.
    const isKept = await keepStep(work, {
      state: withFirstCall(work.state, { ...call, isStarted: true }),
      steps: 1,
      about: [...idsIn(args)],
      events: [...checked, { type: 'tool_called', ...shown }],
    });
    return isKept;
  }
  return make(work, tools, call, args!);
}

/** Returns the reason why the agent may not make a call, or null. The server decides again at the call. */
function refusalOf(
  { agent, skill }: Work,
  { known }: AgentTools,
  call: PendingCall,
  args: Record<string, unknown> | null,
): string | null {
  if (!agent.blueprint.tools.some(({ name }) => name === call.tool)) return 'TOOL_NOT_IN_DEFINITION';
  if (skill && !skill.tools.includes(call.tool)) return 'TOOL_NOT_IN_SKILL';
  if (!known.has(call.tool)) return 'TOOL_NOT_ALLOWED';
  if (args === null) return 'ARGUMENTS_INVALID';
  return call.args.length > ARGUMENTS_CHARACTERS_MAX ? 'ARGUMENTS_TOO_LARGE' : null;
}

function needsApproval({ agent }: Work, { known }: AgentTools, call: PendingCall): boolean {
  const wanted = agent.blueprint.tools.find(({ name }) => name === call.tool);
  return wanted?.needsApproval ?? known.get(call.tool)?.annotations?.readOnlyHint !== true;
}

async function refuse(work: Work, call: PendingCall, reason: string): Promise<boolean> {
  const event: NewRunEvent = {
    type: 'permission_check',
    tool: /^[a-z][a-z0-9_]{0,63}$/.test(call.tool) ? call.tool : 'unknown',
    ok: false,
    reason,
  };
  if (work.agent.blueprint.loopPolicy.escalateWhen.includes('refusal')) {
    await endFailed(work, 'refusal', `refused: ${reason}`, [event]);
    return false;
  }
  const state = answered(work.state, call, `Refused: ${reason}. Do not call this again.`);
  return keepStep(work, { state, steps: 1, events: [event] });
}

async function skipCall(work: Work, call: PendingCall): Promise<boolean> {
  if (work.agent.blueprint.loopPolicy.escalateWhen.includes('rejection')) {
    await endFailed(work, 'rejection', `a person rejected ${call.tool}`);
    return false;
  }
  const state = answered(work.state, call, 'Rejected: a person decided that this is not done.');
  return keepStep(work, { state, events: [] });
}

async function make(
  work: Work,
  tools: AgentTools,
  call: PendingCall,
  args: Record<string, unknown>,
): Promise<boolean> {
  const outcome = await outcomeOf(work, tools, call, args);
  if (work.signal.aborted) return true;
  const { ok, reason, text } = outcome ?? unreached;
  const event: NewRunEvent = {
    type: 'tool_result',
    tool: call.tool,
    ok,
    ...(reason !== undefined && { reason }),
    result: `${text.length} characters`,
  };
  if (!ok && work.agent.blueprint.loopPolicy.escalateWhen.includes('tool_failure')) {
    await endFailed(work, 'tool_failure', `${call.tool} failed: ${reason}`, [event]);
    return false;
  }
  const state = answered(work.state, call, text.slice(0, REPLY_CHARACTERS_MAX));
  const succeeded = ok ? [...new Set([...state.succeeded, call.tool])] : state.succeeded;
  return keepStep(work, { state: { ...state, succeeded }, events: [event] });
}

const unreached: ToolOutcome = {
  ok: false,
  reason: 'TOOL_UNAVAILABLE',
  text: 'Nobody answered. Whether the call was done is not known.',
};

/**
 * Makes a call. A call that must not be repeated, and may have been made by another worker, is not made
 * again; then the result is null.
 */
async function outcomeOf(
  { ctx, run, signal, begun }: Work,
  tools: AgentTools,
  { id, tool }: PendingCall,
  args: Record<string, unknown>,
): Promise<ToolOutcome | null> {
  const attempt = () => tools.call(tool, args, `agent-run:${run.id}:${id}`, signal);
  if (tools.isRepeatable(tool)) return callWithRetries(ctx, signal, attempt);
  return begun.has(id) ? attempt() : null;
}

/** Repeats a call without a response. Its Idempotency-Key prevents a second execution. */
async function callWithRetries(
  ctx: Context,
  signal: AbortSignal,
  attempt: () => Promise<ToolOutcome | null>,
): Promise<ToolOutcome | null> {
  for (const delay of RETRY_DELAYS_MS) {
    const outcome = await attempt();
    if (outcome || signal.aborted) return outcome;
    ctx.log.info({ requestId: ctx.request.requestId }, 'tool of an agent not reached, called again');
    await sleep(delay);
  }
  return attempt();
}

const withFirstCall = (state: RunState, call: PendingCall): RunState => ({
  ...state,
  calls: [call, ...state.calls.slice(1)],
});

/** Removes the first call from the state and adds its result as a message for the model. */
function answered(state: RunState, { id }: PendingCall, content: string): RunState {
  const message: ChatMessage = { role: 'tool', callId: id, content };
  return { ...state, messages: [...state.messages, message], calls: state.calls.slice(1) };
}
