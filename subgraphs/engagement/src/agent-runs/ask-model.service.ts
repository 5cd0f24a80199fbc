import type { Verifier } from '../agents/agent-definition.ts';
import { type ChatMessage, type NewRunEvent, type PendingCall, toUsd } from './agent-run.ts';
import { costOf, tokensLeft } from './limits.ts';
import { charactersOf, type ModelAnswer } from './model.ts';
import { offeredTools, remembered } from './prompt.ts';
import { endFailed, finish, keepStep, modelIndexFrom, mustEscalate, postpone, type Work } from './work.ts';

/** Maximum number of calls in one answer. Further calls are refused. */
const CALLS_MAX = 16;

/**
 * Asks the model, and stores the calls that it requests, or ends the run with its answer.
 *
 * @returns false if the run stops
 */
export async function askModel(work: Work): Promise<boolean> {
  const { agent, skill, state, run, port, signal } = work;
  const { modelRouting, tools: wanted, memory } = agent.blueprint;
  const { model } = modelRouting[state.modelIndex]!;
  const price = port.priceOf(model);
  if (!price) return askNext(work, 'MODEL_NOT_SET_UP');
  const messages = remembered(state.messages, memory.messages);
  const tokensMax = tokensLeft(run, agent.blueprint, price, charactersOf(messages));
  if (typeof tokensMax === 'string') {
    await endFailed(work, 'limit', `limit: ${tokensMax}`, [{ type: 'limit_reached', reason: tokensMax }]);
    return false;
  }
  const tools = wanted.length > 0 ? await work.tools() : null;
  if (tools === 'AWAY') return postpone(work);
  if (tools === 'REFUSED') {
    const refused: NewRunEvent = { type: 'permission_check', ok: false, reason: 'CREDENTIAL_INVALID' };
    await endFailed(work, 'refusal', 'the key of the agent has ended', [refused]);
    return false;
  }
  const offered = tools ? offeredTools(agent.blueprint, skill, tools.known) : [];
  const answer = await port.ask({ model, messages, tools: offered, tokensMax, signal });
  if (signal.aborted) return true;
  if ('failure' in answer) return askNext(work, answer.failure);
  const usdMicros = costOf(price, answer);
  const used = { steps: 1, tokens: answer.inputTokens + answer.outputTokens, usdMicros };
  const said: NewRunEvent = { type: 'reasoning', model, tokens: used.tokens, usd: toUsd(usdMicros) };
  return answer.calls.length > 0
    ? keepCalls(work, answer, used, said)
    : endWith(work, answer.text, used, said);
}

interface UsedByAnswer {
  readonly steps: number;
  readonly tokens: number;
  readonly usdMicros: bigint;
}

/** Selects the next model of the routing. If there is none, ends the run. */
async function askNext(work: Work, reason: string): Promise<boolean> {
  const { agent, state } = work;
  const { modelRouting } = agent.blueprint;
  const { model } = modelRouting[state.modelIndex]!;
  const refused: NewRunEvent = { type: 'model_selected', model, ok: false, reason };
  const index = modelIndexFrom(work, state.modelIndex + 1);
  if (index === null) {
    await endFailed(work, 'model_failure', `no model answered: ${reason}`, [refused]);
    return false;
  }
  const next: NewRunEvent = { type: 'model_selected', model: modelRouting[index]!.model, ok: true };
  return keepStep(work, { state: { ...state, modelIndex: index }, events: [refused, next] });
}

function keepCalls(
  work: Work,
  { text, calls }: ModelAnswer,
  used: UsedByAnswer,
  said: NewRunEvent,
): Promise<boolean> {
  const { state } = work;
  const numbered = calls.map((call, index) => ({ ...call, id: `call_${state.callCount + index + 1}` }));
  const refused = numbered.slice(CALLS_MAX);
  const pending: PendingCall[] = numbered
    .slice(0, CALLS_MAX)
    .map((call) => ({ ...call, isStarted: false, isApproved: null }));
  const replies = refused.map(
    ({ id }): ChatMessage => ({ role: 'tool', callId: id, content: 'Refused: too many calls at once.' }),
  );
  return keepStep(work, {
    ...used,
    state: {
      ...state,
      messages: [...state.messages, { role: 'assistant', content: text, calls: numbered }, ...replies],
      calls: pending,
      callCount: state.callCount + numbered.length,
    },
    events: [
      said,
      ...refused.map((): NewRunEvent => ({ type: 'permission_check', ok: false, reason: 'TOO_MANY_CALLS' })),
    ],
  });
}

/**
 * Ends the run with an answer. Verifiers check the answer first. If they refuse it, the model may correct it
 * a few times.
 */
async function endWith(work: Work, text: string, used: UsedByAnswer, said: NewRunEvent): Promise<boolean> {
  const { state, skill } = work;
  const fault = checkAnswer(text, skill?.verifiers ?? [], state.succeeded);
  const checked: NewRunEvent[] = skill?.verifiers.length
    ? [{ type: 'answer_checked', ok: fault === null, ...(fault && { result: fault }) }]
    : [];
  const isCorrectable = fault !== null && state.corrections < MAX_CORRECTIONS;
  const messages: ChatMessage[] = [...state.messages, { role: 'assistant', content: text }];
  if (isCorrectable)
    messages.push({ role: 'user', content: `Your answer was refused: ${fault} Correct it.` });
  const corrections = state.corrections + (isCorrectable ? 1 : 0);
  const isKept = await keepStep(work, {
    ...used,
    state: { ...state, messages, corrections },
    events: [said, ...checked],
  });
  if (!isKept || isCorrectable) return isKept;
  if (fault === null) await finish(work, { status: 'COMPLETED', outcome: 'done', answer: text });
  else {
    const status = mustEscalate(work, 'refusal') ? 'ESCALATED' : 'FAILED';
    await finish(work, { status, outcome: 'the answer broke a rule of the skill', answer: text });
  }
  return false;
}

/** Maximum number of corrections of an answer. */
const MAX_CORRECTIONS = 2;

/** Returns the rule that an answer breaks, as a sentence for the model; null if it breaks none. */
function checkAnswer(
  text: string,
  verifiers: readonly Verifier[],
  succeeded: readonly string[],
): string | null {
  for (const verifier of verifiers) {
    const fault = faultOf(text, verifier, succeeded);
    if (fault) return fault;
  }
  return null;
}

function faultOf(text: string, verifier: Verifier, succeeded: readonly string[]): string | null {
  if (verifier.rule === 'tool_called')
    return succeeded.includes(verifier.tool) ? null : `The tool ${verifier.tool} must have been called.`;
  if (verifier.rule === 'answer_contains')
    return text.includes(verifier.text) ? null : `The answer must contain “${verifier.text}”.`;
  return text.length <= verifier.characters
    ? null
    : `The answer must have at most ${verifier.characters} characters.`;
}
