import type { Scope } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

/** Points of the members of one tier that expire in one month. */
export interface LiabilityPart {
  /** Null for members without a tier. */
  readonly tierId: string | null;
  /** First day of the month, YYYY-MM-DD; null for points that never expire, or are pending. */
  readonly month: string | null;
  /** Points as text, because JSON has no large integers. */
  readonly outstanding: string;
  readonly pending: string;
}

/** The points of all members at one moment. */
export interface Liability {
  readonly takenAt: Date;
  readonly outstanding: bigint;
  readonly pending: bigint;
  readonly parts: readonly LiabilityPart[];
}

/**
 * Returns workspaces and modes that were never summed, or summed before `before`, or before `changedBefore`
 * if points changed since.
 */
export const scopesToSum = (
  ctx: Context,
  old: { readonly changedBefore: Date; readonly before: Date },
): Promise<Scope[]> =>
  ctx.sql.query(
    `/* every workspace */ SELECT c.workspace_id, c.mode
       FROM (SELECT DISTINCT workspace_id, mode FROM loyalty.member_counts) AS c
       LEFT JOIN LATERAL (
         SELECT taken_at FROM loyalty.liability_days
          WHERE workspace_id = c.workspace_id AND mode = c.mode ORDER BY date DESC LIMIT 1
       ) AS l ON true
      WHERE l.taken_at IS NULL OR l.taken_at <= $2
         OR l.taken_at <= $1 AND EXISTS (
              SELECT FROM loyalty.program_periods AS p
               WHERE p.workspace_id = c.workspace_id AND p.mode = c.mode
                 AND p.starts_at > l.taken_at - interval '15 minutes')
      ORDER BY 1, 2`,
    [old.changedBefore, old.before],
  );

/**
 * Sums the points of all members, and stores them for today. Points in a lot expire with it; the rest of a
 * balance never expires. Does not replace a later sum.
 */
export async function sumLiability(ctx: Context, timeZone: string): Promise<void> {
  await ctx.sql.query(
    `WITH balances AS (
       SELECT m.current_tier_id AS tier_id, sum(m.points_balance) AS points
         FROM loyalty.members AS m
        WHERE ${inScope('m')} AND m.erased_at IS NULL AND m.points_balance > 0
        GROUP BY 1
     ), lots AS (
       SELECT m.current_tier_id AS tier_id, l.available_at IS NOT NULL AS is_pending,
              CASE WHEN l.available_at IS NULL
                THEN date_trunc('month', l.expires_at AT TIME ZONE $4)::date END AS month,
              sum(l.remaining) AS points
         FROM loyalty.point_lots AS l
         JOIN loyalty.members AS m ON m.workspace_id = l.workspace_id AND m.mode = l.mode
          AND m.id = l.member_id AND m.erased_at IS NULL
        WHERE ${inScope('l')} AND l.remaining > 0
          AND (l.available_at IS NOT NULL OR l.expires_at IS NOT NULL)
        GROUP BY 1, 2, 3
     ), parts AS (
       SELECT tier_id, month, CASE WHEN is_pending THEN 0 ELSE points END AS outstanding,
              CASE WHEN is_pending THEN points ELSE 0 END AS pending FROM lots
       UNION ALL SELECT tier_id, NULL, points, 0 FROM balances
       UNION ALL SELECT tier_id, NULL, -points, 0 FROM lots WHERE NOT is_pending
     ), summed AS (
       SELECT tier_id, month, sum(outstanding) AS outstanding, sum(pending) AS pending
         FROM parts GROUP BY tier_id, month
     )
     INSERT INTO loyalty.liability_days AS d
            (workspace_id, mode, date, taken_at, outstanding, pending, parts)
     SELECT $1, $2::platform."Mode", ($3::timestamptz AT TIME ZONE $4)::date, $3,
            coalesce(sum(outstanding), 0), coalesce(sum(pending), 0),
            coalesce(jsonb_agg(jsonb_build_object('tierId', tier_id, 'month', month,
              'outstanding', outstanding::text, 'pending', pending::text))
              FILTER (WHERE outstanding <> 0 OR pending <> 0), '[]')
       FROM summed
     ON CONFLICT (workspace_id, mode, date) DO UPDATE
        SET taken_at = excluded.taken_at, outstanding = excluded.outstanding, pending = excluded.pending,
            parts = excluded.parts
      WHERE d.taken_at <= excluded.taken_at`,
    [...scopeOf(ctx), ctx.clock.now(), timeZone],
  );
}

export async function findLatest(ctx: Context): Promise<Liability | null> {
  const [row] = await ctx.sql.query<Liability>(
    `SELECT d.taken_at, d.outstanding, d.pending, d.parts
       FROM loyalty.liability_days AS d WHERE ${inScope('d')} ORDER BY d.date DESC LIMIT 1`,
    [...scopeOf(ctx)],
  );
  return row ?? null;
}

/** @param from - YYYY-MM-DD, as `to`; both days count */
export const daysOf = (
  ctx: Context,
  from: string,
  to: string,
): Promise<{ date: string; outstanding: bigint; pending: bigint }[]> =>
  ctx.sql.query(
    `SELECT to_char(d.date, 'YYYY-MM-DD') AS date, d.outstanding, d.pending
       FROM loyalty.liability_days AS d
      WHERE ${inScope('d')} AND d.date BETWEEN $3::date AND $4::date ORDER BY d.date`,
    [...scopeOf(ctx), from, to],
  );

/** Points that moved in a period. */
export interface PointsTotals {
  readonly issued: bigint;
  readonly spent: bigint;
  readonly expired: bigint;
}

/** Loads points that moved since an instant (ISO 8601). */
export const pointsTotalsSince = loader(async (ctx, since: readonly string[]) => {
  const rows = await ctx.sql.query<PointsTotals & { since: string }>(
    `SELECT s.since, coalesce(sum(p.issued), 0)::int8 AS issued, coalesce(sum(p.spent), 0)::int8 AS spent,
            coalesce(sum(p.expired), 0)::int8 AS expired
       FROM unnest($3::text[]) AS s(since)
       LEFT JOIN loyalty.program_periods AS p ON ${inScope('p')} AND p.starts_at >= s.since::timestamptz
      GROUP BY s.since`,
    [...scopeOf(ctx), since],
  );
  return new Map(rows.map((row) => [row.since, row]));
});
