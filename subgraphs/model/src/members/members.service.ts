import { type AppError, forbidden, notFound } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { batched } from '@loyalty/platform/database/batched';
import type { MemberRefFragment, MemberRefsQueryVariables } from '#generated/peers';
import { questions } from '../peers.ts';

/**
 * Finds members in the loyalty subgraph by one of the ids, address indexes (of the context EMAIL_INDEX) or
 * external ids. A member that is being erased counts as restricted, too: nothing is computed, stored or shown
 * about a restricted member.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function findMembers(
  ctx: Context,
  wanted: MemberRefsQueryVariables,
): Promise<MemberRefFragment[]> {
  const found = await ctx.services.peers.ask(ctx, 'loyalty', questions.MemberRefs, wanted);
  return found._memberRefs.map((member) => ({
    ...member,
    isRestricted: member.isRestricted || member.status === 'DEACTIVATION_PENDING',
  }));
}

/** Lists up to this size are batched into one query; a longer list has its own. */
const FEW = 20;

const findBatch = batched(async (ctx, wanted: readonly (readonly string[])[]) => {
  const ids = [...new Set(wanted.flat())];
  const found = await findMembers(ctx, { ids });
  return wanted.map(() => found);
});

/**
 * Returns the reason for each member about whom nothing may be computed, saved or shown: CONSUMER_NOT_FOUND
 * (404) for unknown and erased members, MEMBER_RESTRICTED (403) for members whose processing is restricted or
 * that are being erased.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 * @remarks Source: model API, section 2 "Member state", rule 4; requirement M-CAP-20
 */
export async function refusedConsumers(
  ctx: Context,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AppError>> {
  const refused = new Map<string, AppError>();
  if (ids.length === 0) return refused;
  const members: MemberRefFragment[] = await (ids.length > FEW
    ? findMembers(ctx, { ids })
    : findBatch(ctx, ids));
  const found = new Map(members.map((member) => [member.id, member]));
  for (const id of ids) {
    const member = found.get(id);
    if (!member) refused.set(id, notFound('consumer', id));
    else if (member.isRestricted) refused.set(id, restricted());
  }
  return refused;
}

/**
 * Makes sure that the member exists and may be processed.
 *
 * @throws AppError CONSUMER_NOT_FOUND (404), MEMBER_RESTRICTED (403), PEER_UNAVAILABLE (503)
 */
export async function requireConsumer(ctx: Context, id: string): Promise<void> {
  const refusal = (await refusedConsumers(ctx, [id])).get(id);
  if (refusal) throw refusal;
}

const restricted = (): AppError =>
  forbidden(
    'MEMBER_RESTRICTED',
    'Processing of the member is restricted or its erasure is near: nothing is computed or shown about it.',
  );
