import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, page, pageRequest } from '@loyalty/platform/loading/pages';
import type { AgentDefinition, AgentVersion } from './agent-definition.ts';
import { agentVersionByKey, versionKey, versionsOfAgent } from './agent-versions.store.ts';
import { agentById, agentsPage } from './agents.store.ts';

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
