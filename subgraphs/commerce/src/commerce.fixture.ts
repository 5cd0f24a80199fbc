import type { Context } from '@loyalty/platform/context';
import { askPeer } from '@loyalty/test/harness/peers';
import { createEarningRule } from './earning-rules/earning-rules.service.ts';
import { createOrder } from './orders/orders.service.ts';
import type { Order } from './orders/orders.store.ts';

let made = 0;

/** Test data, created through the services. Members are created by the loyalty subgraph. */
export const given = {
  member: async (ctx: Context, details: object = {}): Promise<{ id: string; email: string }> => {
    made += 1;
    const email = `buyer-${made}@example.com`;
    const { createMember } = await loyalty(ctx, 'createMember(input: $input) { id }', 'CreateMemberInput!', {
      email,
      ...details,
    });
    return { id: createMember!.id, email };
  },
  tier: (ctx: Context, input: object) =>
    loyalty(ctx, 'createTier(input: $input) { id }', 'CreateTierInput!', input),
  points: (ctx: Context, memberId: string, amount: number) =>
    loyalty(ctx, `awardPoints(memberId: "${memberId}", input: $input) { id }`, 'AwardPointsInput!', {
      amount,
    }),
  /** Sets the member's status to "erasure pending". */
  closed: (ctx: Context, memberId: string) =>
    ctx.sql.query(`UPDATE loyalty.members SET status = 'DEACTIVATION_PENDING' WHERE id = $1`, [memberId]),
  /** Points for each major unit. Default: 1. */
  rate: (ctx: Context, rate = 1) => createEarningRule(ctx, { kind: 'BASE', name: `Base ${rate}`, rate }),
  order: (ctx: Context, details: object = {}): Promise<Order> => createOrder(ctx, sale(ctx, details)),
};

/** The input of an order of 100.00 EUR, with a new external id. */
export const sale = (ctx: Context, details: object = {}) => {
  made += 1;
  return {
    externalOrderId: `sale-${made}`,
    occurredAt: ctx.clock.now(),
    currency: 'EUR',
    total: 10_000n,
    ...details,
  };
};

async function loyalty(ctx: Context, mutation: string, type: string, input: object) {
  const query = `mutation ($input: ${type}) { ${mutation} }`;
  const data = await askPeer(ctx, 'loyalty', query, { input });
  return data as Record<string, { readonly id: string }>;
}
