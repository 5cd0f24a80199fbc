import type { NewRunEvent } from '../runs/agent-run.ts';
import type { AgentTools } from '../tools/agent-tools.ts';
import { type LoadedSource, promptOf } from './prompt.ts';
import { giveUp, keepStep, postpone, type Work } from './work.ts';

/** Of a source that is longer, only the beginning is read. */
const SOURCE_CHARACTERS_MAX = 20_000;

/**
 * Reads the context and assembles the prompt. What the key may not read is logged and left out.
 *
 * @returns false where the run goes no further
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
    await giveUp(work, 'refusal', `required state missing: ${missing}`, begun);
    return false;
  }
  const index = modelIndexFrom(work, 0);
  if (index === null) {
    await giveUp(work, 'model_failure', 'no model of the definition is set up', begun);
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

/** The place in the routing of the first model, from `from` on, that has a price; null for none. */
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
