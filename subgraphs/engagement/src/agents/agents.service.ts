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

/** Returns a definition by id, or null. */
export const findAgent = (ctx: Context, id: string): Promise<AgentDefinition | null> =>
  ctx.load(agentById, id);

/**
 * Lists definitions of the workspace, newest first.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export const listAgents = async (
  ctx: Context,
  { isArchived, ...paging }: PageArgs & { readonly isArchived?: boolean | null | undefined },
): Promise<Page<AgentDefinition>> => agentsPage(ctx, pageRequest(paging), isArchived ?? null);

/** Returns a version of a definition. All numbers up to the definition's version exist. */
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
 * Lists versions of a definition, newest first. Batched by definition.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export async function listAgentVersions(
  ctx: Context,
  { id, version }: AgentDefinition,
  args: PageArgs,
): Promise<Page<AgentVersion>> {
  const request = pageRequest(args, VERSIONS_PAGE, undefined, (text) => /^[1-9][0-9]{0,8}$/.test(text));
  // Numbers have no gaps, so the version is the count.
  return page(request, await versionsOfAgent(ctx, id, request), async () => version);
}

/** Name of the definition of external callers without their own definition. */
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
 * Returns the definition of an external caller: the one whose latest version has the caller's key, else the
 * definition named MCP, which is created if it is missing.
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
  // Another call has just created it.
  if (!made) return mcpAgent(tx);
  await insertAgentVersion(tx, made.id, 1, mcpSpecification);
  return { definitionId: made.id, version: 1 };
}
