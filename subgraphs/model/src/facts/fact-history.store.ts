import type { Context } from '@loyalty/platform/context';
import { rowsOf } from '@loyalty/platform/database/array-parameters';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { OrderFactStatus } from './fact.ts';

// One subquery for each member, with a limit: a member with very many facts must not delay the others. The
// facts of a member are read in the order of the index, through all partitions.

/** An order of the member at `place`, counted from 0, in the list of ids. */
export interface PastOrder {
  readonly place: number;
  readonly ms: number;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly status: OrderFactStatus;
}

/** Returns orders up to a moment, each by its latest fact. */
export async function ordersUpTo(
  ctx: Context,
  memberIds: readonly string[],
  until: Date,
  limit: number,
): Promise<PastOrder[]> {
  return ctx.sql.query(
    `SELECT (w.place - 1)::int AS place, o.ms, o.amount_minor, o.currency, o.status
       FROM ${rowsOf('$3::uuid[]')} WITH ORDINALITY AS w(member_id, place)
      CROSS JOIN LATERAL (
              SELECT DISTINCT ON (f.order_id) (extract(epoch FROM f.occurred_at) * 1000)::float8 AS ms,
                     f.occurred_at, f.amount_minor, f.currency, f.status
                FROM model.order_facts AS f
               WHERE ${inScope('f')} AND f.member_id = w.member_id
               ORDER BY f.order_id, f.recorded_at DESC, f.id DESC LIMIT $5) AS o
      WHERE o.occurred_at <= $4`,
    [...scopeOf(ctx), memberIds, until, limit],
  );
}

/** An event of the member at `place`, counted from 0, in the list of ids. */
export interface PastEvent {
  readonly place: number;
  readonly ms: number;
  readonly type: string;
}

/** Returns events up to a moment, sorted by time for each member. */
export async function eventsUpTo(
  ctx: Context,
  memberIds: readonly string[],
  until: Date,
  limit: number,
): Promise<PastEvent[]> {
  return ctx.sql.query(
    `SELECT (w.place - 1)::int AS place, e.ms, e.type
       FROM ${rowsOf('$3::uuid[]')} WITH ORDINALITY AS w(member_id, place)
      CROSS JOIN LATERAL (
              SELECT (extract(epoch FROM f.occurred_at) * 1000)::float8 AS ms, f.occurred_at, f.type
                FROM model.event_facts AS f
               WHERE ${inScope('f')} AND f.member_id = w.member_id
                 AND f.occurred_at <= $4
               ORDER BY f.occurred_at LIMIT $5) AS e
      ORDER BY w.place, e.occurred_at`,
    [...scopeOf(ctx), memberIds, until, limit],
  );
}
