import type { Client } from '../harness/client.ts';
import { eventually } from '../harness/eventually.ts';
import type { Stack } from '../harness/stack.ts';

export const MODELS = new Map([
  ['small', { input: 1, output: 2 }],
  ['large', { input: 3, output: 15 }],
]);

const specification = {
  runtimeForm: 'SERVER_ORCHESTRATOR',
  agentType: 'EMPLOYEE',
  kind: 'AGENT',
  domain: 'LOYALTY_AND_RETENTION',
};

/** The parts of a new agent that a test can choose. */
export interface GivenAgent {
  readonly apiKeyId?: string | null;
  readonly runtimeForm?: string;
  readonly blueprint?: Readonly<Record<string, unknown>>;
}

let made = 0;

export const CREATE =
  'mutation ($input: CreateAgentInput!) { createAgent(input: $input) { id version { number } } }';

/** The input for a new agent that uses the model `small`. */
export function agentInput({ blueprint, ...more }: GivenAgent = {}) {
  made += 1;
  const parts = { instructions: 'Help members.', modelRouting: [{ model: 'small' }], ...blueprint };
  return { name: `Agent ${made}`, ...specification, ...more, blueprint: parts };
}

/** Makes an agent and returns its id. */
export async function createAgent(stack: Client, token: string, given: GivenAgent = {}): Promise<string> {
  const { data, errors } = await stack.graph<{ createAgent: { id: string } }>(
    CREATE,
    { input: agentInput(given) },
    token,
  );
  if (errors) throw new Error(JSON.stringify(errors));
  return data.createAgent.id;
}

export const START = 'mutation ($input: StartAgentRunInput!) { startAgentRun(input: $input) { id status } }';

/** Starts a run and returns its id. */
export async function startRun(
  stack: Client,
  token: string,
  agentId: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const input = { agentId, intent: 'Look after the member.', ...more };
  const { data, errors } = await stack.graph<{ startAgentRun: { id: string } }>(START, { input }, token);
  if (errors) throw new Error(JSON.stringify(errors));
  return data.startAgentRun.id;
}

/** A run as REST shows it. */
export interface RestRun {
  readonly runId: string;
  readonly status: string;
  readonly outcome?: string;
  readonly definition: string;
  readonly definitionVersion: number;
  readonly tokens: number;
  readonly usd: number;
  readonly total: number;
  readonly events: readonly (Readonly<Record<string, unknown>> & { readonly type: string })[];
}

export async function readRun(stack: Client, credential: string, id: string): Promise<RestRun> {
  const { status, body } = await stack.rest('GET', `/api/app/agent-runs/${id}`, { as: credential });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body as RestRun;
}

/** Waits until the run has one of these statuses, and returns it. */
export const runIn = (
  stack: Client,
  credential: string,
  id: string,
  ...statuses: readonly string[]
): Promise<RestRun> =>
  eventually(async () => {
    const run = await readRun(stack, credential, id);
    if (!statuses.includes(run.status)) throw new Error(`The run ${id} is ${run.status}.`);
    return run;
  });

/** The types of the events, in their order. */
export const typesOf = ({ events }: RestRun): string[] => events.map(({ type }) => type);

/** The events of these types, without the fields that every event has. */
export const eventsOf = ({ events }: RestRun, ...types: readonly string[]) =>
  events
    .filter(({ type }) => types.includes(type))
    .map(({ seq: _seq, at: _at, runId: _runId, definitionVersion: _version, ...event }) => event);

/** The points balance of a member over REST. */
export async function balanceOf(stack: Stack, key: string, memberId: string): Promise<number> {
  const { body } = await stack.rest('GET', `/api/v2/members/${memberId}/points`, { as: key });
  return body.balance;
}
