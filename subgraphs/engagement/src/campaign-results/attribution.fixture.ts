import { systemCaller } from '@loyalty/platform/base/caller';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/database/array-parameters';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { PublishedEvent } from '@loyalty/platform/work/events';
import { askPeer } from '@loyalty/test/harness/peers';
import { contextOf } from '@loyalty/test/harness/services';
import { keepOrdersToAttribute } from './attribution.jobs.ts';
import { attributeOrders } from './attribution.service.ts';

type Data = Readonly<Record<string, unknown>>;

const askCommerce = (ctx: Context, query: string, input: Data): Promise<Record<string, unknown>> =>
  askPeer(ctx, 'commerce', query, { input });

/** Inserts a sent campaign, with the fields that attribution and results read. */
export async function givenSentCampaign(
  ctx: Context,
  given: { readonly variants?: readonly string[]; readonly attributionDays?: number } = {},
): Promise<string> {
  const id = newId(ctx.clock);
  const variants = (given.variants ?? ['a']).map((key) => ({ key, weight: 1 }));
  await ctx.sql.query(
    `INSERT INTO engagement.campaigns
            (workspace_id, mode, id, name, channel, status, include_ids, exclude_ids, variants,
             attribution_days, actor, created_at, updated_at, started_at)
     VALUES ($1, $2::platform."Mode", $3, 'Spring', 'EMAIL', 'SENT', '{}', '{}', $4, $5, 'test', $6, $6, $6)`,
    [...scopeOf(ctx), id, JSON.stringify(variants), given.attributionDays ?? 7, ctx.clock.now()],
  );
  return id;
}

/** A member of the audience of a campaign. */
export interface GivenRecipient {
  readonly memberId: string;
  readonly variant?: string;
  readonly state?: 'WAITING' | 'QUEUED' | 'HELD_OUT' | 'SKIPPED';
  readonly dueAt?: Date;
}

/** Adds members to the audience of a campaign. Their messages, if any, are due now. */
export async function givenRecipients(
  ctx: Context,
  campaignId: string,
  recipients: readonly GivenRecipient[],
): Promise<void> {
  await ctx.sql.query(
    `INSERT INTO engagement.campaign_recipients 
            (workspace_id, mode, campaign_id, member_id, variant, state, due_at)
     SELECT $1, $2::platform."Mode", $3, r.*
       FROM unnest($4::uuid[], $5::text[], $6::engagement."RecipientState"[], $7::timestamptz[]) AS r`,
    [
      ...scopeOf(ctx),
      campaignId,
      recipients.map(({ memberId }) => memberId),
      recipients.map(({ variant = 'a' }) => variant),
      recipients.map(({ state = 'QUEUED' }) => state),
      recipients.map(({ dueAt = ctx.clock.now() }) => dueAt),
    ],
  );
}

/** A sent message of a campaign, journey or automation. */
export interface GivenMessage {
  readonly memberId: string;
  readonly sourceId: string;
  readonly kind?: 'CAMPAIGN' | 'JOURNEY' | 'AUTOMATION';
  readonly variant?: string | null;
  readonly status?: string;
  readonly reason?: string | null;
  readonly sentAt?: Date | null;
  readonly opens?: number;
  readonly clicks?: number;
}

/** Inserts messages of sources and returns their ids. Default: sent now. */
export async function givenSourced(ctx: Context, messages: readonly GivenMessage[]): Promise<string[]> {
  const ids = messages.map(() => newId(ctx.clock));
  await ctx.sql.query(
    `INSERT INTO engagement.messages
            (workspace_id, mode, id, category, member_id, email_index, source_id, source_kind, node_id,
             variant, status, reason, sent_at, opens, opened_at, clicks, clicked_at, actor, created_at)
     SELECT $1, $2::platform."Mode", m.id, 'MARKETING', m.member_id, '', m.source_id, m.kind, '', m.variant,
            m.status, m.reason, m.sent_at, m.opens, CASE WHEN m.opens > 0 THEN m.sent_at END, m.clicks,
            CASE WHEN m.clicks > 0 THEN m.sent_at END, 'test', $3
       FROM unnest($4::uuid[], $5::uuid[], $6::uuid[], $7::engagement."MessageSourceKind"[], $8::text[],
                   $9::engagement."MessageStatus"[], $10::text[], $11::timestamptz[], $12::int[], $13::int[])
         AS m(id, member_id, source_id, kind, variant, status, reason, sent_at, opens, clicks)`,
    [
      ...scopeOf(ctx),
      ctx.clock.now(),
      ids,
      ...arraysOf(messages, 'memberId', 'sourceId'),
      messages.map(({ kind = 'CAMPAIGN' }) => kind),
      messages.map(({ variant = 'a' }) => variant),
      messages.map(({ status = 'SENT' }) => status),
      messages.map(({ reason = null }) => reason),
      messages.map(({ sentAt = ctx.clock.now() }) => sentAt),
      messages.map(({ opens = 0 }) => opens),
      messages.map(({ clicks = 0 }) => clicks),
    ],
  );
  return ids;
}

const CREATE_ORDER = 'mutation ($input: OrderInput!) { createOrder(input: $input) { id } }';
let ordered = 0;

/** Records an order in commerce. Default: 100.00 EUR, now. */
export async function givenOrder(
  ctx: Context,
  memberId: string | null,
  input: Data = {},
): Promise<{ readonly id: string; readonly externalOrderId: string }> {
  ordered += 1;
  const externalOrderId = `order-${ordered}`;
  const order = { externalOrderId, memberId, currency: 'EUR', total: 10_000, occurredAt: ctx.clock.now() };
  const { createOrder } = await askCommerce(ctx, CREATE_ORDER, { ...order, ...input });
  return { id: (createOrder as { id: string }).id, externalOrderId };
}

/** Refunds an order in commerce. @param amount - in minor units; default: the rest of the order */
export async function refundOrder(ctx: Context, externalOrderId: string, amount?: number): Promise<void> {
  const query = `mutation ($input: RefundOrderInput) {
    refundOrder(externalOrderId: ${JSON.stringify(externalOrderId)}, input: $input) { pointsReversed } }`;
  await askCommerce(ctx, query, amount === undefined ? {} : { amount });
}

/** Passes events of orders on, as the relay does; returns their number. */
export async function keepOrders(ctx: Context): Promise<number> {
  const worker = workerOf(ctx);
  return worker.transaction(async (tx) => {
    const events = await tx.sql.query<PublishedEvent>(
      `UPDATE platform.outbox SET relayed_at = $3
        WHERE ${inScope()} AND type = ANY($4) AND relayed_at IS NULL
       RETURNING id, type, workspace_id, mode, payload, created_at`,
      [...scopeOf(ctx), ctx.clock.now(), [...keepOrdersToAttribute.types]],
    );
    if (events.length > 0) await keepOrdersToAttribute.take(tx, events);
    return events.length;
  });
}

/** Attributes all orders and refunds. */
export async function attributeAll(ctx: Context): Promise<void> {
  await keepOrders(ctx);
  while ((await attributeOrders(workerOf(ctx))).isMore);
}

/** The context of a worker. */
export const workerOf = (ctx: Context): Context => contextOf(ctx.services as never, systemCaller('test'));

/** An attributed order. */
export interface AttributedRow {
  readonly orderId: string;
  readonly sourceId: string;
  readonly variant: string | null;
  readonly isHeldOut: boolean;
  readonly isLastTouch: boolean;
  readonly revenueMinor: bigint;
}

/** Attributed orders of the workspace and mode, in the order in which they and their sources began. */
export const attributedRows = (ctx: Context): Promise<AttributedRow[]> =>
  ctx.sql.query<AttributedRow>(
    `SELECT order_id, source_id, variant, is_held_out, is_last_touch, revenue_minor
       FROM engagement.attributed_orders WHERE ${inScope()} ORDER BY order_id, source_id`,
    [...scopeOf(ctx)],
  );
