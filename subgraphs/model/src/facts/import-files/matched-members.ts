import type { Context } from '@loyalty/platform/context';
import { batches } from '@loyalty/platform/loading/batches';
import type { MemberMatchFragment, NamedPersonInput } from '#generated/peers';
import { questions } from '../../peers.ts';
import type { MemberDraft } from './import-drafts.ts';

/** People in one query: encrypting them must not delay other requests. */
const PEOPLE_AT_ONCE = 2_000;

/**
 * Finds people among the members of the loyalty programme; nothing is written.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function matchMembers(
  ctx: Context,
  people: readonly NamedPersonInput[],
): Promise<MemberMatchFragment[]> {
  const found: MemberMatchFragment[] = [];
  for (const members of batches(people, PEOPLE_AT_ONCE)) {
    const answer = await ctx.services.peers.ask(ctx, 'loyalty', questions.MatchMembers, { members });
    found.push(...answer.matches);
  }
  return found;
}

/**
 * Creates those people as members of the loyalty programme who are not members yet.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function ensureMembers(
  tx: Context,
  people: readonly MemberDraft[],
): Promise<MemberMatchFragment[]> {
  const found: MemberMatchFragment[] = [];
  for (const members of batches(people, PEOPLE_AT_ONCE)) {
    const answer = await tx.services.peers.ask(tx, 'loyalty', questions.EnsureMembers, { members });
    found.push(...answer.matches);
  }
  return found;
}
