import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { nullableArray, plainArray, textArray } from './array-literals.ts';
import type { OrderRef, OrderState, OrderUpdate } from './order-update.ts';

const columns = `u.external_id, u.order_id, u.member_id, u.status, u.amount_minor, u.occurred_at`;

/** A correction as it is stored; here the order is identified by its id only. */
export type KeptUpdate = Omit<OrderUpdate, 'order'>;

/** Returns known corrections by their ids. */
export async function findUpdates(
  ctx: Context,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, KeptUpdate>> {
  const rows = await ctx.sql.query<KeptUpdate>(
    `SELECT f.* FROM unnest($3::text[]) AS w(id)
      CROSS JOIN LATERAL (
              SELECT ${columns} FROM model.order_updates AS u
               WHERE ${inScope('u')} AND u.external_id = w.id OFFSET 0) AS f`,
    [...scopeOf(ctx), textArray(externalIds)],
  );
  return new Map(rows.map((update) => [update.externalId, update]));
}

export async function countUpdates(ctx: Context): Promise<number> {
  const [row] = await ctx.sql.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM model.order_updates WHERE ${inScope()}`,
    scopeOf(ctx),
  );
  return row!.total;
}

/**
 * Returns the members of orders and locks the orders: they cannot change until the transaction ends. A later
 * statement of this transaction reads what others wrote to the orders before they released them.
 */
export async function lockOrders(
  tx: Context,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, OrderRef>> {
  const rows = await tx.sql.query<OrderRef & { externalId: string }>(
    `SELECT i.external_id, i.order_id, i.member_id
       FROM model.fact_ids AS i
      WHERE ${inScope('i')} AND i.kind = 'ORDERS' AND i.external_id = ANY($3::text[])
      ORDER BY i.external_id FOR NO KEY UPDATE`,
    [...scopeOf(tx), textArray(externalIds)],
  );
  return new Map(rows.map(({ externalId, ...order }) => [externalId, order]));
}

/**
 * Inserts corrections; waits for other writers of the same ids.
 *
 * @returns external ids that are new
 */
export async function insertUpdates(
  tx: Context,
  updates: readonly (KeptUpdate & { readonly id: string })[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.sql.query<{ externalId: string }>(
    `INSERT INTO model.order_updates (workspace_id, mode, recorded_at, external_id, id, order_id, member_id,
                                      status, amount_minor, occurred_at)
     SELECT $1, $2::platform."Mode", $3, u.*
       FROM unnest($4::text[], $5::uuid[], $6::uuid[], $7::uuid[], $8::model."OrderFactStatus"[],
                   $9::bigint[], $10::timestamptz[]) AS u
     ON CONFLICT (workspace_id, mode, external_id) DO NOTHING
     RETURNING external_id`,
    [
      ...scopeOf(tx),
      tx.clock.now(),
      textArray(updates.map(({ externalId }) => externalId)),
      plainArray(updates.map(({ id }) => id)),
      plainArray(updates.map(({ orderId }) => orderId)),
      plainArray(updates.map(({ memberId }) => memberId)),
      plainArray(updates.map(({ status }) => status)),
      nullableArray(updates.map(({ amountMinor }) => (amountMinor === null ? null : String(amountMinor)))),
      plainArray(updates.map(({ occurredAt }) => occurredAt.toISOString())),
    ],
  );
  return new Set(rows.map(({ externalId }) => externalId));
}

// One subquery for each order: right after an import the planner has no statistics for a join.
const eachOrder = `unnest($3::uuid[], $4::uuid[]) WITH ORDINALITY AS w(member_id, order_id, place)`;
const refs = (ctx: Context, orders: readonly OrderRef[]) => [
  ...scopeOf(ctx),
  plainArray(orders.map(({ memberId }) => memberId)),
  plainArray(orders.map(({ orderId }) => orderId)),
];

/**
 * Returns all facts of orders with the orders' places, counted from 0, sorted by the time from which they are
 * valid.
 */
export const factsOfOrders = (
  ctx: Context,
  orders: readonly OrderRef[],
): Promise<(OrderState & { readonly place: number })[]> =>
  ctx.sql.query(
    `SELECT (w.place - 1)::int AS place, f.*
       FROM ${eachOrder}
      CROSS JOIN LATERAL (
              SELECT o.occurred_at, o.amount_minor, o.currency, o.status, o.recorded_at, o.id,
                     EXISTS (SELECT FROM model.order_updates AS u
                              WHERE ${inScope('u')} AND u.member_id = w.member_id
                                AND u.order_id = w.order_id AND u.id = o.id) AS is_update
                FROM model.order_facts AS o
               WHERE ${inScope('o')} AND o.member_id = w.member_id AND o.order_id = w.order_id OFFSET 0) AS f
      ORDER BY w.place, f.recorded_at, f.id`,
    refs(ctx, orders),
  );

/** Returns all corrections of orders with the orders' places, counted from 0. */
export const updatesOfOrders = (
  ctx: Context,
  orders: readonly OrderRef[],
): Promise<(KeptUpdate & { readonly place: number })[]> =>
  ctx.sql.query(
    `SELECT (w.place - 1)::int AS place, f.*
       FROM ${eachOrder}
      CROSS JOIN LATERAL (
              SELECT ${columns} FROM model.order_updates AS u
               WHERE ${inScope('u')} AND u.member_id = w.member_id AND u.order_id = w.order_id
              OFFSET 0) AS f`,
    refs(ctx, orders),
  );

/** The state of an order; `id` is the id of the correction for which it is written. */
export type CorrectedFact = OrderRef & Omit<OrderState, 'isUpdate'> & { readonly id: string };

export async function appendStates(tx: Context, facts: readonly CorrectedFact[]): Promise<void> {
  await tx.sql.query(
    `INSERT INTO model.order_facts (workspace_id, mode, member_id, occurred_at, id, order_id, amount_minor,
                                    currency, status, recorded_at)
     SELECT $1, $2::platform."Mode", f.*
       FROM unnest($3::uuid[], $4::timestamptz[], $5::uuid[], $6::uuid[], $7::bigint[], $8::text[],
                   $9::model."OrderFactStatus"[], $10::timestamptz[]) AS f`,
    [
      ...scopeOf(tx),
      plainArray(facts.map(({ memberId }) => memberId)),
      plainArray(facts.map(({ occurredAt }) => occurredAt.toISOString())),
      plainArray(facts.map(({ id }) => id)),
      plainArray(facts.map(({ orderId }) => orderId)),
      plainArray(facts.map(({ amountMinor }) => String(amountMinor))),
      plainArray(facts.map(({ currency }) => currency)),
      plainArray(facts.map(({ status }) => status)),
      plainArray(facts.map(({ recordedAt }) => recordedAt.toISOString())),
    ],
  );
}
