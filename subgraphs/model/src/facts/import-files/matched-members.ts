import type { Context } from '@loyalty/platform/context';
import type { MemberDraft } from './import-drafts.ts';

export type MatchConflict = 'ID_CONFLICT' | 'ID_OF_MEMBER' | 'EMAIL_CONFLICT' | 'MEMBER_RESTRICTED';

/** Who somebody in a file is; the loyalty subgraph's imported-members slice answers. */
export interface Match {
  /** Null where there is no such member yet, or a conflict. */
  readonly memberId: string | null;
  readonly conflict: MatchConflict | null;
}

/** People in one question: sealing them must not hold other requests up. */
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
): Promise<Match[]> => askFor(ctx, MATCH, people);

/**
 * Makes people members of the loyalty programme, those that are not.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export const ensureMembers = (tx: Context, people: readonly MemberDraft[]): Promise<Match[]> =>
  askFor(tx, ENSURE, people);

async function askFor(ctx: Context, query: string, people: readonly object[]): Promise<Match[]> {
  const matches: Match[] = [];
  for (let at = 0; at < people.length; at += PEOPLE_AT_ONCE) {
    const variables = { members: people.slice(at, at + PEOPLE_AT_ONCE) };
    const answer = await ctx.services.peers.ask(ctx, 'loyalty', { query, variables });
    matches.push(...(answer['matches'] as Match[]));
  }
  return matches;
}
