import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { plainArray } from '../facts/array-literals.ts';
import { IS_PURCHASE } from '../facts/fact.ts';

// Facts of many members, one row per member: lists as text, which is faster to parse than arrays of the
// driver. One subquery for each member, with a limit, in the order of the index.

/** A member with facts. */
export interface MemberWithFacts {
  readonly memberId: string;
  readonly hasEvents: boolean;
}

/**
 * Returns the next members with facts, sorted by id; about one of every `oneIn` members, by a hash of its id.
 */
export async function membersWithFacts(
  ctx: Context,
  next: { readonly afterMemberId: string; readonly limit: number; readonly oneIn: number },
): Promise<MemberWithFacts[]> {
  return ctx.sql.query(
    `SELECT member_id, (events > 0 OR is_dirty) AS has_events FROM model.member_statistics
      WHERE ${inScope()} AND member_id > $3 AND uuid_hash_extended(member_id, 0) % $5 = 0
      ORDER BY member_id LIMIT $4`,
    [...scopeOf(ctx), next.afterMemberId, next.limit, next.oneIn],
  );
}

/** Returns the number of members with facts. */
export async function countMembersWithFacts(ctx: Context): Promise<number> {
  const [row] = await ctx.sql.query<{ members: number }>(
    `SELECT count(*)::int AS members FROM model.member_statistics WHERE ${inScope()}`,
    scopeOf(ctx),
  );
  return row!.members;
}

/** Returns the workspace's first day with a purchase, in days since 1970-01-01; null without one. */
export async function firstPurchaseDay(ctx: Context): Promise<number | null> {
  const [row] = await ctx.sql.query<{ day: number | null }>(
    `SELECT min(first_day) - date '1970-01-01' AS day FROM model.member_statistics WHERE ${inScope()}`,
    scopeOf(ctx),
  );
  return row?.day ?? null;
}

/**
 * Facts of the member at `place`, counted from 0, in the list of ids; lists have spaces between their items.
 */
export interface FactText {
  readonly place: number;
  /** Number of facts read. */
  readonly count: number;
  /** Milliseconds since 1970, ascending; null without facts. */
  readonly times: string | null;
}

/** Returns the times of orders that are purchases by their latest fact. */
export async function purchaseTimes(
  ctx: Context,
  memberIds: readonly string[],
  until: Date,
  limit: number,
): Promise<FactText[]> {
  return ctx.sql.query(
    `SELECT (w.place - 1)::int AS place, o.count, o.times
       FROM unnest($3::uuid[]) WITH ORDINALITY AS w(member_id, place)
      CROSS JOIN LATERAL (
              SELECT count(*)::int AS count,
                     string_agg(floor(extract(epoch FROM l.occurred_at) * 1000)::int8::text, ' '
                       ORDER BY l.occurred_at) FILTER (WHERE ${IS_PURCHASE} AND l.occurred_at < $4) AS times
                FROM (SELECT DISTINCT ON (f.order_id) f.occurred_at, f.status, f.amount_minor
                        FROM model.order_facts AS f
                       WHERE ${inScope('f')} AND f.member_id = w.member_id
                       ORDER BY f.order_id, f.recorded_at DESC, f.id DESC LIMIT $5) AS l) AS o`,
    [...scopeOf(ctx), plainArray(memberIds), until, limit],
  );
}

/** Events of a member; `types` has one type for each time. */
export interface EventText extends FactText {
  readonly types: string | null;
}

/** Returns times and types of events. */
export async function eventTimes(
  ctx: Context,
  memberIds: readonly string[],
  until: Date,
  limit: number,
): Promise<EventText[]> {
  return ctx.sql.query(
    `SELECT (w.place - 1)::int AS place, e.count, e.times, e.types
       FROM unnest($3::uuid[]) WITH ORDINALITY AS w(member_id, place)
      CROSS JOIN LATERAL (
              SELECT count(*)::int AS count,
                     string_agg(floor(extract(epoch FROM l.occurred_at) * 1000)::int8::text, ' '
                       ORDER BY l.occurred_at) AS times,
                     string_agg(CASE WHEN l.type IN ('view', 'purchase', 'cart_add', 'cart_remove')
                                     THEN l.type ELSE 'other' END, ' ' ORDER BY l.occurred_at) AS types
                FROM (SELECT f.occurred_at, f.type FROM model.event_facts AS f
                       WHERE ${inScope('f')} AND f.member_id = w.member_id AND f.occurred_at < $4
                       ORDER BY f.occurred_at LIMIT $5) AS l) AS e`,
    [...scopeOf(ctx), plainArray(memberIds), until, limit],
  );
}
