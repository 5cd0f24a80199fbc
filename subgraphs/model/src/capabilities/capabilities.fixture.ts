import { systemCaller } from '@loyalty/platform/base/caller';
import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { type Answer, ask } from '@loyalty/test/harness/ask';
import { askPeer } from '@loyalty/test/harness/peers';
import { reserveCredits, settleReservation } from '../credits/reservations.service.ts';
import { openWallet, setDecisionScores } from '../credits/wallet.service.ts';
import type { EventFact, OrderFact } from '../facts/fact.ts';
import { appendFacts } from '../facts/facts.service.ts';
import { model } from '../subgraph.ts';

const RESULT = `envelope {
  status limitations modelVersion computedAt creditsCharged evidence { kind value observedAt }
} data`;

/** Calls a capability like a client. */
export const call = (ctx: Context, name: string, args: object = {}): Promise<Answer> =>
  ask(
    model,
    ctx,
    `mutation ($name: String!, $args: JSONObject!) { callCapability(name: $name, arguments: $args) { ${RESULT} } }`,
    { name, args },
  );

/** Calls several capabilities like a client. */
export const callAll = (ctx: Context, requests: readonly object[]): Promise<Answer> =>
  ask(
    model,
    ctx,
    `mutation ($requests: [CapabilityRequestInput!]!) {
       callCapabilities(requests: $requests) {
         total succeeded failed results { id isOk status result { ${RESULT} } error { code message } }
       }
     }`,
    { requests },
  );

let made = 0;

/** Members are created in the loyalty subgraph; data about them comes through facts. */
export const given = {
  member: async (ctx: Context): Promise<string> => {
    made += 1;
    const data = await askPeer(
      ctx,
      'loyalty',
      'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }',
      { input: { email: `consumer-${made}@example.com` } },
    );
    return (data['createMember'] as { id: string }).id;
  },
  /** Creates a member who bought this many days ago. */
  buyer: async (ctx: Context, days: readonly number[] = [100, 70, 40, 10]): Promise<string> => {
    const memberId = await given.member(ctx);
    await given.orders(ctx, memberId, days);
    return memberId;
  },
  orders: (ctx: Context, memberId: string, days: readonly number[]) =>
    ctx.transaction((tx) =>
      appendFacts(
        tx,
        'ORDERS',
        days.map(
          (daysAgo): OrderFact => ({
            externalId: newId(ctx.clock),
            memberId,
            occurredAt: addMs(ctx.clock.now(), -daysAgo * DAY_MS),
            amountMinor: 1_000n,
            currency: 'EUR',
            status: 'PAID',
          }),
        ),
      ),
    ),
  /** Creates events backwards in time: the first a day ago, each next one `everyMs` earlier. */
  events: (
    ctx: Context,
    memberId: string,
    type: string,
    { count, itemId = null, everyMs = 1_000 }: { count: number; itemId?: string | null; everyMs?: number },
  ) =>
    ctx.transaction((tx) =>
      appendFacts(
        tx,
        'EVENTS',
        Array.from(
          { length: count },
          (_, index): EventFact => ({
            externalId: newId(ctx.clock),
            memberId,
            occurredAt: addMs(ctx.clock.now(), -DAY_MS - index * everyMs),
            type,
            itemId,
            value: null,
          }),
        ),
      ),
    ),
  /** Creates an assortment that can be recommended. */
  assortment: async (ctx: Context, memberId: string) => {
    for (const itemId of ['bread', 'butter', 'tea']) {
      await given.events(ctx, memberId, 'purchase', { count: 10, itemId, everyMs: DAY_MS });
    }
  },
  restricted: (ctx: Context, memberId: string, isRestricted = true) =>
    askPeer(
      ctx,
      'loyalty',
      `mutation ($memberId: ID!, $isRestricted: Boolean!) {
        restrictProcessing(memberId: $memberId, isRestricted: $isRestricted) { id }
      }`,
      { memberId, isRestricted },
    ),
  /** Requests the erasure of a member, which can be cancelled for 30 days. */
  closing: (ctx: Context, memberId: string) =>
    askPeer(ctx, 'loyalty', 'mutation ($memberId: ID!) { requestErasure(memberId: $memberId) { id } }', {
      memberId,
    }),
  erased: (ctx: Context, memberId: string) =>
    ctx.sql.query(`UPDATE loyalty.members SET status = 'DELETED' WHERE id = $1`, [memberId]),
  scoresIncluded: async (ctx: Context) => {
    await openWallet(ctx, ctx.scope.workspaceId);
    await setDecisionScores(ctx.as(systemCaller('test', ctx.scope)), 'INCLUDED');
  },
  /** Leaves this many credits in the trial. */
  creditsLeft: async (ctx: Context, left: bigint) => {
    await openWallet(ctx, ctx.scope.workspaceId);
    const amount = 50_000n - left;
    const id = await reserveCredits(ctx, { amount, purpose: 'Test' });
    await settleReservation(ctx, id, amount);
  },
};

/** Returns the credits spent so far; expects that none are reserved. */
export async function spent(ctx: Context): Promise<number> {
  const { data } = await ask(model, ctx, '{ wallet { balance reserved } }');
  if (data.wallet.reserved !== 0) throw new Error(`${data.wallet.reserved} credits are still reserved.`);
  return 50_000 - data.wallet.balance;
}

export const historyOf = (ctx: Context) =>
  ctx.sql.query<{ id: string; capability: string; memberId: string; status: string; credits: number }>(
    `SELECT id, capability, member_id, status, credits FROM model.analyses
      WHERE workspace_id = $1 AND mode = $2::platform."Mode" ORDER BY id`,
    [ctx.scope.workspaceId, ctx.scope.mode],
  );
