import { type AppError, forbidden, notFound } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { batched } from '@loyalty/platform/database/batched';
import type { MemberRefFragment, MemberRefsQueryVariables } from '#generated/peers';
import { questions } from '../peers.ts';

/**
 * Members as the loyalty subgraph knows them: those that have one of the ids, address indexes (of the context
 * EMAIL_INDEX) or external ids. A member that is being erased counts as restricted, too: nothing is computed
 * about a restricted member, kept or shown.
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

/** Lists up to this size that come together are read by one query; a longer list has its own. */
const FEW = 20;

const findTogether = batched(async (ctx, wanted: readonly (readonly string[])[]) => {
  const ids = [...new Set(wanted.flat())];
  const found = await findMembers(ctx, { ids });
  return wanted.map(() => found);
});

/**
 * The members about whom nothing may be computed, saved or shown, and why: those that the workspace does not
 * have or has erased, CONSUMER_NOT_FOUND (404), and those whose processing is restricted or that
 * are being erased, MEMBER_RESTRICTED (403).
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
    : findTogether(ctx, ids));
  const found = new Map(members.map((member) => [member.id, member]));
  for (const id of ids) {
    const member = found.get(id);
    if (!member) refused.set(id, notFound('consumer', id));
    else if (member.isRestricted) refused.set(id, restricted());
  }
  return refused;
}

/**
 * Makes sure that the member exists and is free to be processed.
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
