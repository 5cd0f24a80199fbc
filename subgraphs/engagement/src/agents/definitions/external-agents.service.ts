import { actorId } from '@loyalty/platform/caller/caller';
import type { Context } from '@loyalty/platform/context';
import { newId } from '@loyalty/platform/values/ids';
import type { AgentSpecification } from './agent-definition.ts';
import { externalAgentOfKey, insertAgentVersion } from './agent-versions.store.ts';
import { agentOfName, insertAgent } from './agents.store.ts';
import { blueprintSchema } from './blueprint.ts';

/** The definition of callers that no definition names. */
const MCP_AGENT = 'MCP';
const mcpSpecification: AgentSpecification = {
  runtimeForm: 'MCP_EXTERNAL',
  agentType: 'EMPLOYEE',
  kind: 'AGENT',
  domain: 'ANALYTICS_AND_INSIGHTS',
  apiKeyId: null,
  blueprint: blueprintSchema.parse({
    instructions: 'Agents outside of the platform that call tools over MCP.',
  }),
};

interface NamedVersion {
  readonly definitionId: string;
  readonly version: number;
}

/**
 * The agent outside of the platform that the caller is: the one whose latest version names the caller's key,
 * else the agent called MCP, which is made where the workspace has none.
 */
export async function externalAgentOf(tx: Context): Promise<NamedVersion> {
  const { caller } = tx;
  const named = caller.kind === 'KEY' ? await externalAgentOfKey(tx, actorId(caller)!) : null;
  return named ?? mcpAgent(tx);
}

async function mcpAgent(tx: Context): Promise<NamedVersion> {
  const known = await agentOfName(tx, MCP_AGENT);
  if (known) return { definitionId: known.id, version: known.version };
  const made = await insertAgent(tx, { id: newId(tx.clock), name: MCP_AGENT });
  // Another call has just made it.
  if (!made) return mcpAgent(tx);
  await insertAgentVersion(tx, made.id, 1, mcpSpecification);
  return { definitionId: made.id, version: 1 };
}
