import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { rowsOf } from '@loyalty/platform/database/array-parameters';
import { loader } from '@loyalty/platform/database/loaders';
import { inScope } from '@loyalty/platform/database/scope-sql';
import { activeStatus } from '../members/member-sql.ts';
import type { NewEntry, PointsTransaction } from './points.store.ts';

const own = inScope();

/**
 * Stores a pending entry, and makes the member active if the entry does so. Returns null if an entry of this
 * source is pending already.
 */
export async function insertPending(
  ctx: Context,
  entry: NewEntry,
  availableAt: Date,
): Promise<PointsTransaction | null> {
  const { workspaceId, mode } = ctx.scope;
  const [row] = await ctx.sql.query<PointsTransaction>(
    `WITH lot AS (
       INSERT INTO loyalty.point_lots AS l
              (id, workspace_id, mode, member_id, kind, amount, remaining, description, source, actor,
               available_at, created_at)
       VALUES ($3::uuid, $1::uuid, $2::platform."Mode", $4::uuid, $5::loyalty."PointsEntryKind", $6::int,
         $6::int,
               $7, $8, $9, $10::timestamptz, $11::timestamptz)
       ON CONFLICT DO NOTHING
       RETURNING l.id, l.member_id, l.kind, l.amount, l.description, l.source, l.actor, l.available_at,
                 l.created_at
     ), touched AS (
       UPDATE loyalty.members AS m
          SET status = CASE WHEN m.status = ANY($12::loyalty."MemberStatus"[]) THEN ${activeStatus()}
            ELSE m.status END,
              last_activity_at = greatest(m.last_activity_at, $11::timestamptz)
         FROM lot
        WHERE ${inScope('m')} AND m.id = lot.member_id
       RETURNING m.points_balance
     )
     SELECT lot.id, lot.member_id, lot.kind, lot.amount, lot.description, lot.source, lot.actor,
            touched.points_balance AS balance_after, lot.available_at, lot.created_at
       FROM lot, touched`,
    [
      workspaceId,
      mode,
      newId(ctx.clock),
      entry.memberId,
      entry.kind,
      entry.amount,
      entry.description,
      entry.source ?? null,
      ctx.caller.actor,
      availableAt,
      ctx.clock.now(),
      entry.activates,
    ],
  );
  return row ?? null;
}

/**
 * Takes points out of a locked member's lots: the named lot first, then those that expire soonest. Further
 * points were never in a lot.
 */
export async function takeFromLots(
  ctx: Context,
  memberId: string,
  points: number,
  lotId: string | null,
): Promise<void> {
  const { workspaceId, mode } = ctx.scope;
  await ctx.sql.query(
    `WITH lots AS (
       SELECT id, coalesce(sum(remaining) OVER (ORDER BY id IS DISTINCT FROM $5::uuid, expires_at, id
                  ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
         FROM loyalty.point_lots
        WHERE ${own} AND member_id = $3 AND remaining > 0 AND available_at IS NULL
     )
     UPDATE loyalty.point_lots AS l SET remaining = l.remaining - least(l.remaining, $4::int - lots.before)
       FROM lots
      WHERE ${inScope('l')} AND l.id = lots.id
        AND lots.before < $4::int`,
    [workspaceId, mode, memberId, points, lotId],
  );
}

/** A filter of pending points. */
export interface PendingFilter {
  readonly memberId: string;
  readonly lotId?: string | null;
  /** Source of the earning. Null: any source, the newest first. */
  readonly source?: string | null;
}

/** Cancels pending points; returns their number. The caller has locked the member. */
export async function takeFromPending(ctx: Context, points: number, filter: PendingFilter): Promise<number> {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query<{ taken: number }>(
    `WITH lots AS (
       SELECT id, remaining, coalesce(sum(remaining) OVER (ORDER BY id DESC
                  ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
         FROM loyalty.point_lots
        WHERE ${own} AND member_id = $3 AND remaining > 0 AND available_at IS NOT NULL
          AND ($5::uuid IS NULL AND kind = 'EARNING' OR id = $5::uuid)
          AND ($6::text IS NULL OR source = $6::text)
     )
     UPDATE loyalty.point_lots AS l
        SET remaining = l.remaining - least(l.remaining, $4::int - lots.before),
            available_at = CASE WHEN l.remaining > $4::int - lots.before THEN l.available_at END
       FROM lots
      WHERE ${inScope('l')} AND l.id = lots.id AND lots.before < $4::int
     RETURNING lots.remaining - l.remaining AS taken`,
    [workspaceId, mode, filter.memberId, points, filter.lotId ?? null, filter.source ?? null],
  );
  return rows.reduce((sum, { taken }) => sum + Number(taken), 0);
}

/** Returns a pending entry by its id; null if there is none. */
export async function pendingEntry(
  ctx: Context,
  id: string,
): Promise<{ memberId: string; remaining: number } | null> {
  const { workspaceId, mode } = ctx.scope;
  const [row] = await ctx.sql.query<{ memberId: string; remaining: number }>(
    `SELECT member_id, remaining FROM loyalty.point_lots
      WHERE ${own} AND id = $3 AND available_at IS NOT NULL`,
    [workspaceId, mode, id],
  );
  return row ?? null;
}

/** Loads pending points by member; members without any are absent. */
export const pendingByMember = loader(async (ctx, ids: readonly string[]) => {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query<{ memberId: string; points: number }>(
    `SELECT member_id, sum(remaining)::int AS points FROM loyalty.point_lots
      WHERE ${own} AND member_id = ANY($3::uuid[]) AND remaining > 0 AND available_at IS NOT NULL
      GROUP BY member_id`,
    [workspaceId, mode, ids],
  );
  return new Map(rows.map(({ memberId, points }) => [memberId, points]));
});

/** Points that expire on one day. */
export interface ExpiringPoints {
  readonly amount: number;
  readonly expiresAt: Date;
}

/** Keys are text, because a loader needs equal keys for equal requests. */
export const expiringKey = (memberId: string, before: Date): string => `${memberId} ${before.toISOString()}`;

/** Loads points that expire before an instant, by member, summed by UTC day, soonest first. */
export const expiringByKey = loader(async (ctx, keys: readonly string[]) => {
  const { workspaceId, mode } = ctx.scope;
  const wanted = keys.map((key) => key.split(' '));
  const rows = await ctx.sql.query<ExpiringPoints & { place: bigint }>(
    `SELECT w.place, sum(l.remaining)::int AS amount, min(l.expires_at) AS expires_at
       FROM ${rowsOf('$3::uuid[], $4::timestamptz[]')} WITH ORDINALITY AS w(member_id, before, place)
       JOIN loyalty.point_lots AS l ON ${inScope('l')}
        AND l.member_id = w.member_id AND l.remaining > 0 AND l.available_at IS NULL
          AND l.expires_at <= w.before
      GROUP BY w.place, date_trunc('day', l.expires_at AT TIME ZONE 'UTC') ORDER BY w.place, expires_at`,
    [workspaceId, mode, wanted.map(([id]) => id), wanted.map(([, before]) => before)],
  );
  const found = new Map<string, ExpiringPoints[]>(keys.map((key) => [key, []]));
  for (const { place, ...points } of rows) found.get(keys[Number(place) - 1]!)!.push(points);
  return found;
});
