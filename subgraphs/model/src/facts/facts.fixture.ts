import { DAY_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import type { ChannelReceiptStatus, OrderFactStatus } from './fact.ts';
import { appendFacts } from './facts.service.ts';

export const memberId = (): string => newId({ now: () => new Date() });

/** Returns the time this many days before the test's now. */
export const daysAgo = (ctx: Context, days: number): Date =>
  new Date(ctx.clock.now().getTime() - days * DAY_MS);

interface GivenOrder {
  readonly memberId: string;
  readonly at: Date;
  readonly items?: readonly string[];
  readonly status?: OrderFactStatus;
  readonly amountMinor?: bigint;
}

/** Creates orders with a line for each item; returns their ids. */
export async function orders(ctx: Context, given: readonly GivenOrder[]): Promise<string[]> {
  const rows = given.map((order) => ({ orderId: memberId(), ...order, occurredAt: order.at }));
  const facts = rows.map(({ orderId, occurredAt, amountMinor = 1_000n, status = 'PAID', ...order }) => ({
    ...{ orderId, externalId: orderId, memberId: order.memberId, occurredAt },
    ...{ amountMinor, status, currency: 'EUR' },
  }));
  const lines = rows.flatMap(({ orderId, occurredAt, items = [], ...order }) =>
    items.map((itemId) => ({
      ...{ orderId, externalId: `${orderId} ${itemId}`, memberId: order.memberId, occurredAt },
      ...{ itemId, quantity: 1, unitPriceMinor: null },
    })),
  );
  await ctx.transaction(async (tx) => {
    await appendFacts(tx, 'ORDERS', facts);
    await appendFacts(tx, 'ORDER_LINES', lines);
  });
  return rows.map(({ orderId }) => orderId);
}

/** Gives the order a status by one more row, which is recorded later. */
export async function correctOrder(ctx: Context, orderId: string, status: string): Promise<void> {
  await ctx.sql.query(
    `INSERT INTO model.order_facts
     SELECT workspace_id, mode, member_id, occurred_at, gen_random_uuid(), order_id, amount_minor, currency,
            $4::model."OrderFactStatus", recorded_at + interval '1 hour'
       FROM model.order_facts WHERE workspace_id = $1 AND mode = $2::platform."Mode" AND order_id = $3`,
    [ctx.scope.workspaceId, ctx.scope.mode, orderId, status],
  );
}

interface GivenEvent {
  readonly memberId: string;
  readonly at: Date;
  readonly itemId: string;
}

export async function purchaseEvents(ctx: Context, given: readonly GivenEvent[]): Promise<void> {
  const facts = given.map(({ at, ...event }) => ({
    ...{ ...event, externalId: memberId(), occurredAt: at },
    ...{ type: 'purchase', value: null },
  }));
  await ctx.transaction(async (tx) => void (await appendFacts(tx, 'EVENTS', facts)));
}

interface GivenMail {
  readonly memberId: string;
  readonly messageId: string;
  readonly sentAt: Date;
  readonly openedAt?: Date | null;
  readonly clickedAt?: Date | null;
}

/** Creates receipts of mails: one for the sending and one for each later status. */
export async function mails(ctx: Context, given: readonly GivenMail[]): Promise<void> {
  const facts = given.flatMap(({ sentAt, openedAt, clickedAt, ...mail }) => {
    const receipts: [ChannelReceiptStatus, Date | null | undefined][] = [
      ['SENT', sentAt],
      ['OPENED', openedAt],
      ['CLICKED', clickedAt],
    ];
    return receipts.flatMap(([status, occurredAt]) =>
      occurredAt ? [{ ...mail, externalId: memberId(), channel: 'email', status, occurredAt }] : [],
    );
  });
  await ctx.transaction(async (tx) => void (await appendFacts(tx, 'CHANNEL_RECEIPTS', facts)));
}
