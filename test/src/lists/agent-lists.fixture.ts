import { agentInput, createAgent, startRun } from '../agents/agents.fixture.ts';
import type { Stack } from '../harness/stack.ts';

const UPDATE =
  'mutation ($id: ID!, $input: UpdateAgentInput!) { updateAgent(id: $id, input: $input) { id } }';
const CANCEL = 'mutation ($id: ID!) { cancelAgentRun(id: $id) { id } }';

/** Makes agents; one of them has versions, and runs that were cancelled. */
export async function agentLists(
  stack: Stack,
  token: string,
  places: readonly number[],
): Promise<{ readonly agentId: string; readonly agentRunId: string }> {
  Object.assign(stack.services.config, { AGENT_MODEL_URL: 'http://127.0.0.1:9/v1' });
  const agents: string[] = [];
  for (const _ of places) agents.push(await createAgent(stack, token));
  const [agentId] = agents as [string];
  const { name: _name, ...input } = agentInput();
  const runs: string[] = [];
  for (const place of places) {
    await stack.graph(UPDATE, { id: agentId, input: { ...input, baseVersion: place + 1 } }, token);
    runs.push(await startRun(stack, token, agentId));
    await stack.graph(CANCEL, { id: runs[place] }, token);
  }
  return { agentId, agentRunId: runs[0]! };
}
