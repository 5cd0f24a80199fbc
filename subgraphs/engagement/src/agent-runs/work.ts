import { addMs } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import type { AgentVersion, Escalation, Skill } from '../agents/agent-definition.ts';
import { type NewRunEvent, type RunState, sealState } from './agent-run.ts';
import type { AgentTools } from './agent-tools.ts';
import {
  type ClaimedAgentRun,
  endRun,
  keepProgress,
  type LockedAgentRun,
  lockActiveRun,
  type RunEnd,
  type RunProgress,
} from './change-runs.service.ts';
import type { ModelPort } from './model.ts';
import { type LoadedSource, promptOf } from './prompt.ts';

/** A run that a worker is executing. */
export interface Work {
  readonly ctx: Context;
  readonly claimed: ClaimedAgentRun;
  readonly run: LockedAgentRun;
  readonly agent: AgentVersion;
  /** The skill of the run. */
  readonly skill: Skill | null;
  readonly state: RunState;
  readonly port: ModelPort;
  /** Opened by the first step that needs tools; or the reason why there are none. */
  readonly tools: () => Promise<AgentTools | 'REFUSED' | 'AWAY'>;
  /** Calls that this worker has started. */
  readonly begun: Set<string>;
  /** Aborted when the claim is lost or the deadline of the run is over. */
  readonly signal: AbortSignal;
}

/** The changes of a step. */
export type StepChange = Partial<Omit<RunProgress, 'state'>> & {
  readonly events: readonly NewRunEvent[];
  readonly state: RunState;
};

/**
 * Writes the changes of a step in one transaction.
 *
 * @returns false if the claim is lost: another worker has claimed the run, or it was cancelled or has ended
 */
export async function keepStep(
  { ctx, claimed }: Pick<Work, 'ctx' | 'claimed'>,
  { events, state, ...progress }: StepChange,
): Promise<boolean> {
  const sealed = await sealState(ctx, state);
  return ctx.transaction(async (tx) => {
    if (!(await lockActiveRun(tx, claimed.id, claimed.token))) return false;
    await keepProgress(tx, claimed.id, events, { status: 'RUNNING', ...progress, state: sealed });
    return true;
  });
}

/** Delay of a run while the server of its tools does not respond. */
const UNAVAILABLE_DELAY_MS = 10_000;

/** Postpones the run and ends the claim. Returns false, because the run stops for now. */
export async function postpone(work: Work): Promise<false> {
  const dueAt = addMs(work.ctx.clock.now(), UNAVAILABLE_DELAY_MS);
  await keepStep(work, { status: 'QUEUED', dueAt, state: work.state, events: [] });
  return false;
}

/** Ends the run, unless the claim is lost. */
export async function finish(
  { ctx, claimed }: Pick<Work, 'ctx' | 'claimed'>,
  end: RunEnd,
  events: readonly NewRunEvent[] = [],
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const locked = await lockActiveRun(tx, claimed.id, claimed.token);
    if (locked) await endRun(tx, locked, end, events);
  });
}

/** Whether the definition mustEscalate to a person in this case. */
export const mustEscalate = ({ agent }: Pick<Work, 'agent'>, what: Escalation): boolean =>
  agent.blueprint.loopPolicy.escalateWhen.includes(what);

/**
 * Ends a run that cannot continue. Its status is ESCALATED if the definition mustEscalate this case, else
 * FAILED.
 */
export const endFailed = (
  work: Work,
  what: Escalation,
  outcome: string,
  events: readonly NewRunEvent[] = [],
): Promise<void> => {
  const status = mustEscalate(work, what) ? 'ESCALATED' : 'FAILED';
  return finish(work, { status, outcome }, events);
};

/** Maximum length of a source. Only the beginning of a longer one is read. */
const SOURCE_CHARACTERS_MAX = 20_000;

/**
 * Reads the context sources and creates the prompt. Sources that the key may not read are logged and omitted.
 *
 * @returns false if the run stops
 */
export async function beginRun(work: Work): Promise<boolean> {
  const { agent, skill, state } = work;
  const { contextSources } = agent.blueprint;
  const tools = contextSources.length > 0 ? await work.tools() : 'REFUSED';
  if (tools === 'AWAY') return postpone(work);
  const { loaded, events } = await loadSources(tools, contextSources);
  const missing = skill?.requiredState.find((uri) => !loaded.some((source) => source.uri === uri));
  const sources = loaded.map(({ uri }) => uri);
  const begun: NewRunEvent[] = [...events, { type: 'context_loaded', sources, ok: events.length === 0 }];
  if (missing !== undefined) {
    await endFailed(work, 'refusal', `required state missing: ${missing}`, begun);
    return false;
  }
  const index = modelIndexFrom(work, 0);
  if (index === null) {
    await endFailed(work, 'model_failure', 'no model of the definition is set up', begun);
    return false;
  }
  const messages = promptOf(agent, skill, loaded, state.intent);
  return keepStep(work, {
    state: { ...state, messages, modelIndex: index },
    events: [
      ...begun,
      { type: 'model_selected', model: agent.blueprint.modelRouting[index]!.model, ok: true },
      {
        type: 'prompt_assembled',
        result: `${messages.length} messages`,
        ...(skill && { skill: skill.name }),
      },
    ],
  });
}

/**
 * Returns the index of the first model of the routing, from `from` on, that has a price; null if there is
 * none.
 */
export function modelIndexFrom({ agent, port }: Pick<Work, 'agent' | 'port'>, from: number): number | null {
  const { modelRouting } = agent.blueprint;
  const index = modelRouting.findIndex(({ model }, place) => place >= from && port.priceOf(model) !== null);
  return index < 0 ? null : index;
}

async function loadSources(
  tools: AgentTools | 'REFUSED',
  uris: readonly string[],
): Promise<{ readonly loaded: readonly LoadedSource[]; readonly events: readonly NewRunEvent[] }> {
  const loaded: LoadedSource[] = [];
  const events: NewRunEvent[] = [];
  for (const uri of uris) {
    const text = tools === 'REFUSED' ? null : await tools.read(uri);
    if (text === null)
      events.push({ type: 'permission_check', sources: [uri], ok: false, reason: 'SOURCE_NOT_ALLOWED' });
    else loaded.push({ uri, text: text.slice(0, SOURCE_CHARACTERS_MAX) });
  }
  return { loaded, events };
}
