import type { Context } from '@loyalty/platform/context';

/** What segments know of the orders of a member: all but cancelled ones, as `orderSummary` counts them. */
export interface MemberOrders {
  readonly memberId: string;
  readonly orderCount: number;
  /** Without refunds, in minor units, of orders in the currency that most of them have. */
  readonly orderRevenueMinor: number;
  readonly firstOrderAt: Date | null;
  readonly lastOrderAt: Date | null;
  /** Those since the time that was asked for. */
  readonly orders: readonly MemberOrder[];
}

interface MemberOrder {
  readonly id: string;
  readonly at: Date;
  readonly storeId: string | null;
  /** Without refunds, in minor units. */
  readonly netMinor: number;
}

const ORDERS = `query MemberOrders($memberIds: [ID!]!, $since: DateTime!) {
  _memberOrders(memberIds: $memberIds, since: $since)
}`;

/**
 * The orders of members, at most 1,000; those before `since` are counted, and not listed.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function findMemberOrders(
  ctx: Context,
  memberIds: readonly string[],
  since: Date,
): Promise<readonly MemberOrders[]> {
  const question = { query: ORDERS, variables: { memberIds, since: since.toISOString() } };
  return (await ctx.services.peers.ask(ctx, 'commerce', question))['_memberOrders'] as MemberOrders[];
}
