import type { Context } from '@loyalty/platform/context';
import { batches } from '@loyalty/platform/loading/batches';
import type { MemberDraft } from './import-drafts.ts';

export type MemberConflict = 'ID_CONFLICT' | 'ID_OF_MEMBER' | 'EMAIL_CONFLICT' | 'MEMBER_RESTRICTED';

/**
 * The member that a person in a file is, as the loyalty subgraph answers it from its slice imported-members.
 */
interface MemberMatch {
  /** Null where there is no such member yet, or a conflict. */
  readonly memberId: string | null;
  readonly conflict: MemberConflict | null;
}

/** People in one query: encrypting them must not delay other requests. */
const PEOPLE_AT_ONCE = 2_000;

const MATCH = 'query MatchMembers($members: JSON!) { matches: _matchMembers(members: $members) }';
const ENSURE = 'mutation EnsureMembers($members: JSON!) { matches: _ensureMembers(members: $members) }';

/**
 * Finds people among the members of the loyalty programme; nothing is written.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export const matchMembers = (
  ctx: Context,
  people: readonly { readonly externalId: string; readonly emailIndexes: readonly string[] }[],
): Promise<MemberMatch[]> => askFor(ctx, MATCH, people);

/**
 * Creates those people as members of the loyalty programme who are not members yet.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export const ensureMembers = (tx: Context, people: readonly MemberDraft[]): Promise<MemberMatch[]> =>
  askFor(tx, ENSURE, people);

async function askFor(ctx: Context, query: string, people: readonly object[]): Promise<MemberMatch[]> {
  const matches: MemberMatch[] = [];
  for (const members of batches(people, PEOPLE_AT_ONCE)) {
    const variables = { members };
    const answer = await ctx.services.peers.ask(ctx, 'loyalty', { query, variables });
    matches.push(...(answer['matches'] as MemberMatch[]));
  }
  return matches;
}
