import { EMAIL_INDEX } from '@loyalty/platform/base/email';
import { AppError } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import type { MemberRefFragment } from '#generated/peers';
import { findMembers } from '../peers.ts';
import type { Buyer } from './orders.input.ts';

/** The result of a look-up: the member, or a guest. */
export interface FoundBuyer {
  /** Null for guests. */
  readonly member: MemberRefFragment | null;
  /**
   * The keys of the buyer in fingerprints. The first one is stored. An address has a key for each index key
   * of the workspace.
   */
  readonly fingerprintKeys: readonly [string, ...string[]];
}

const guest: FoundBuyer = { member: null, fingerprintKeys: [''] };

/**
 * Finds the members of many buyers with one query.
 *
 * @returns a function that finds the member of a buyer; it throws MEMBER_NOT_FOUND (404) for an unknown id
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function findBuyers(
  ctx: Context,
  buyers: readonly Buyer[],
): Promise<(buyer: Buyer, prefix: string) => FoundBuyer> {
  const named = buyers.filter((buyer) => buyer !== null);
  if (named.length === 0) return () => guest;
  const keys = await ctx.services.keyring.of(ctx.scope.workspaceId);
  const names = (by: 'ID' | 'EMAIL' | 'EXTERNAL_ID') => [
    ...new Set(named.filter((buyer) => buyer.by === by).map(({ name }) => name)),
  ];
  const indexes = new Map(names('EMAIL').map((email) => [email, keys.indexes(email, EMAIL_INDEX)]));
  const found = await findMembers(ctx, {
    ids: names('ID'),
    emailIndexes: [...indexes.values()].flat(),
    externalIds: names('EXTERNAL_ID'),
  });
  const byId = new Map(found.map((member) => [member.id, member]));
  const byExternalId = new Map(found.map((member) => [member.externalId, member]));
  const byIndex = new Map(found.map((member) => [member.emailIndex, member]));
  return (buyer, prefix) => {
    if (buyer === null) return guest;
    if (buyer.by === 'EMAIL') {
      const [first = '', ...older] = indexes.get(buyer.name) ?? [];
      const index = [first, ...older].find((each) => byIndex.has(each));
      return { member: byIndex.get(index ?? null) ?? null, fingerprintKeys: [first, ...older] };
    }
    const member = (buyer.by === 'ID' ? byId : byExternalId).get(buyer.name);
    if (!member) throw unknownMember(buyer, prefix);
    return { member, fingerprintKeys: [`${buyer.by}:${buyer.name}`] };
  };
}

const unknownMember = ({ by }: NonNullable<Buyer>, prefix: string): AppError => {
  const name = by === 'ID' ? 'memberId' : 'memberExternalId';
  const sentence = `${prefix}${name} names no member. Enrol the member first, or omit it for a guest.`;
  return new AppError('NOT_FOUND', 'MEMBER_NOT_FOUND', sentence, { field: `${prefix}${name}` });
};
