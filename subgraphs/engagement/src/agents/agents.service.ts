import { actorId } from '@loyalty/platform/base/caller';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, page, pageRequest } from '@loyalty/platform/database/pages';
import {
  type AgentDefinition,
  type AgentSpecification,
  type AgentVersion,
  blueprintSchema,
} from './agent-definition.ts';
import {
  agentById,
  agentOfName,
  agentsPage,
  agentVersionByKey,
  externalAgentOfKey,
  insertAgent,
  insertAgentVersion,
  versionKey,
  versionsOfAgent,
} from './agents.store.ts';

const VERSIONS_PAGE = 20;

/** One definition of the workspace; null when there is none. */
export const findAgent = (ctx: Context, id: string): Promise<AgentDefinition | null> =>
  ctx.load(agentById, id);

/**
 * Definitions of the workspace, newest first.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export const listAgents = async (
  ctx: Context,
  { isArchived, ...paging }: PageArgs & { readonly isArchived?: boolean | null | undefined },
): Promise<Page<AgentDefinition>> => agentsPage(ctx, pageRequest(paging), isArchived ?? null);

/** A version of a definition. It exists for every number up to that of the definition. */
export async function agentVersionOf(
  ctx: Context,
  definitionId: string,
  number: number,
): Promise<AgentVersion> {
  const found = await ctx.load(agentVersionByKey, versionKey(definitionId, number));
  if (!found) throw new Error(`The definition ${definitionId} has no version ${number}.`);
  return found;
}

/**
 * Versions of a definition, newest first; parts of many lists load together.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export async function listAgentVersions(
  ctx: Context,
  { id, version }: AgentDefinition,
  args: PageArgs,
): Promise<Page<AgentVersion>> {
  const request = pageRequest(args, VERSIONS_PAGE, undefined, (text) => /^[1-9][0-9]{0,8}$/.test(text));
  // Numbers have no gaps.
  return page(request, await versionsOfAgent(ctx, id, request), async () => version);
}

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
