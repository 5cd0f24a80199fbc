import type { Context } from '@loyalty/platform/context';

/** Enough to know whether there are others. */
const LOOKED_AT = 200;

const TEAM = `query TeamRoles { teamMembers(first: ${LOOKED_AT}) { nodes { role } } }`;

/**
 * Administrators of the workspace, owners among them, as far as they are among the 200 newest of the team.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function countAdministrators(ctx: Context): Promise<number> {
  const { teamMembers } = (await ctx.services.peers.ask(ctx, 'workspace', {
    query: TEAM,
    variables: {},
  })) as {
    readonly teamMembers: { readonly nodes: readonly { readonly role: string }[] };
  };
  return teamMembers.nodes.filter(({ role }) => role !== 'MEMBER').length;
}
