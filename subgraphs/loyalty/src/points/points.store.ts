import { busy } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { rowsOf } from '@loyalty/platform/database/array-parameters';
import { loader } from '@loyalty/platform/database/loaders';
import { type Placed, pageLoader } from '@loyalty/platform/database/page-loader';
import { inScope } from '@loyalty/platform/database/scope-sql';
import { failedWith } from '@loyalty/prisma/sqlstate';
import { activeStatus, tierUpgrade } from '../members/member-sql.ts';

/** Greater than the sequence number of every entry. */
const SEQUENCE_MAX = 2_147_483_647;

/** Statuses as in the table; the service has the rules about them. */
type Status = string;

export type PointsTransactionKind = 'AWARD' | 'ADJUSTMENT' | 'EARNING' | 'REDEMPTION' | 'REVERSAL' | 'EXPIRY';

/** One entry of a member's ledger. */
export interface PointsTransaction {
  readonly id: string;
  readonly memberId: string;
  readonly kind: PointsTransactionKind;
  /** Signed, in points. */
  readonly amount: number;
  /** The balance after this entry, in points. */
  readonly balanceAfter: number;
  readonly description: string;
  /** Source of the entry, such as `order:<id>`. */
  readonly source: string | null;
  /** The caller who caused it, as `user:<id>`. */
  readonly actor: string;
  /** For a reversal: the entry that it takes back, completely or in part, if it is known. */
  readonly reversesId?: string | null;
  /** Until then the points are pending and in no balance; absent or null once the entry is booked. */
  readonly availableAt?: Date | null;
  readonly createdAt: Date;
}

/** The columns of an entry with their names in the code. */
export const entryColumns = (
  alias: string,
) => `${alias}.id, ${alias}.member_id AS member_id, ${alias}.kind, ${alias}.amount,
  ${alias}.balance_after AS balance_after, ${alias}.description, ${alias}.source, ${alias}.actor,
  ${alias}.reverses_id AS reverses_id, ${alias}.created_at AS created_at`;

export interface NewEntry {
  readonly memberId: string;
  readonly kind: PointsTransactionKind;
  readonly amount: number;
  readonly description: string;
  /** The source of the entry, such as `order:<id>`; each is booked once. */
  readonly source?: string | null;
  /** Addition to the points earned, which tiers count. */
  readonly earned: number;
  /** For a reversal: the reversed entry; the reversal counts at that entry's time. */
  readonly reverses?: { readonly id: string; readonly createdAt: Date } | null;
  /** Statuses of members that may receive entries. */
  readonly allowedStatuses: readonly Status[];
  /** Statuses that this entry turns into ACTIVE. */
  readonly activates: readonly Status[];
}

/** The result of appending an entry. */
export interface Appended {
  /** Status before the entry. */
  readonly status: Status;
  /**
   * Null if the member's status or the bounds of the balance did not allow the entry: nothing was changed.
   */
  readonly entry: PointsTransaction | null;
  readonly previousTierId: string | null;
  /** The tier to which this entry upgraded the member; null without an upgrade. */
  readonly tierId: string | null;
  /** Pending period of these points in days; if set, nothing was changed. */
  readonly pendingDays: number | null;
  /**
   * True if the programme counts a rolling period, whose points this statement does not sum: see
   * `recalculateMembers`.
   */
  readonly isRolling: boolean;
}

const UPGRADE = tierUpgrade(
  {
    points: 'before.points_earned',
    tierId: 'before.current_tier_id',
    overrideUntil: 'before.tier_override_until',
  },
  { isRolling: 'program.is_rolling', now: '$9::timestamptz' },
);

/**
 * `before` locks the member's row and reads its latest version; every later part depends on it, so that
 * balance, sequence, status, tier and entry change together or not at all. A reversal debits at most the
 * balance. Points that will expire get a lot; pending points are left to the caller.
 */
const APPEND = `
WITH program AS MATERIALIZED (
  SELECT CASE WHEN $6 IN ('AWARD', 'EARNING') THEN p.points_pending_days END AS pending_days,
         CASE WHEN $6 IN ('AWARD', 'EARNING') THEN p.points_expire_after_days END AS lasts_days,
         coalesce(p.tier_basis = 'ROLLING', false) AS is_rolling
    FROM (VALUES (1)) AS one LEFT JOIN loyalty.programs AS p ON p.workspace_id = $1
), before AS MATERIALIZED (
  SELECT m.id, m.status, m.current_tier_id, m.points_balance, m.tier_override_until,
         CASE WHEN $6 = 'REVERSAL' THEN greatest($4::int, -m.points_balance) ELSE $4::int END AS amount,
         greatest(m.points_earned + $13::int, 0) AS points_earned
    FROM loyalty.members AS m
   WHERE ${inScope('m')} AND m.id = $3
     FOR NO KEY UPDATE
), upgraded AS MATERIALIZED (
  SELECT ${UPGRADE} AS tier_id FROM before, program
), after AS (
  UPDATE loyalty.members AS m
     SET points_balance = before.points_balance + before.amount,
         points_earned = before.points_earned,
         points_sequence = m.points_sequence + 1,
         current_tier_id = coalesce(upgraded.tier_id, before.current_tier_id),
         tier_changed_at = CASE WHEN upgraded.tier_id IS NULL THEN m.tier_changed_at
                                ELSE $9::timestamptz END,
         status = CASE WHEN before.status = ANY($11::loyalty."MemberStatus"[]) THEN ${activeStatus()}
                       ELSE before.status END,
         last_activity_at = CASE WHEN $6 IN ('AWARD', 'EARNING')
                                 THEN greatest(m.last_activity_at, $9::timestamptz)
                                 ELSE m.last_activity_at END
    FROM before, upgraded, program
   WHERE program.pending_days IS NULL AND ${inScope('m')}
     AND m.id = before.id
     AND before.status = ANY($10::loyalty."MemberStatus"[])
     AND before.points_balance::bigint + before.amount BETWEEN 0 AND 2147483647
  RETURNING m.id, m.points_sequence, m.points_balance, before.amount
), entry AS (
  INSERT INTO loyalty.points_entries AS e
         (id, workspace_id, mode, member_id, sequence, kind, amount, earned,
          balance_after, description, actor, created_at, source, reverses_id, earned_at)
  SELECT $5::uuid, $1, $2::platform."Mode", after.id, after.points_sequence,
         $6::loyalty."PointsEntryKind", after.amount, $13::int, after.points_balance, $7::text, $8::text,
         $9::timestamptz, $12::text, $14::uuid, coalesce($15::timestamptz, $9::timestamptz)
    FROM after
  RETURNING ${entryColumns('e')}
), lot AS (
  INSERT INTO loyalty.point_lots
         (id, workspace_id, mode, member_id, kind, amount, remaining, description, actor, expires_at,
           created_at)
  SELECT entry.id, $1, $2::platform."Mode", entry.member_id, entry.kind, entry.amount, entry.amount,
         entry.description, $8, $9::timestamptz + make_interval(days => program.lasts_days), entry.created_at
    FROM entry, program WHERE program.lasts_days IS NOT NULL
)
SELECT before.status, before.current_tier_id AS previous_tier_id, upgraded.tier_id, program.pending_days,
       program.is_rolling, entry.*
  FROM before CROSS JOIN upgraded CROSS JOIN program LEFT JOIN entry ON true`;

/**
 * Appends an entry if status and balance allow it. Returns null if there is no such member.
 *
 * @throws AppError TIERS_CHANGED (409) if a tier was deleted while the member reached it
 */
export async function appendEntry(ctx: Context, entry: NewEntry): Promise<Appended | null> {
  const { workspaceId, mode } = ctx.scope;
  try {
    const [row] = await ctx.sql.query<
      Omit<Appended, 'entry'> & { [K in keyof PointsTransaction]: PointsTransaction[K] | null }
    >(APPEND, [
      workspaceId,
      mode,
      entry.memberId,
      entry.amount,
      newId(ctx.clock),
      entry.kind,
      entry.description,
      ctx.caller.actor,
      ctx.clock.now(),
      entry.allowedStatuses,
      entry.activates,
      entry.source ?? null,
      entry.earned,
      entry.reverses?.id ?? null,
      entry.reverses?.createdAt ?? null,
    ]);
    if (!row) return null;
    const { status, previousTierId, tierId, pendingDays, isRolling, ...written } = row;
    const changed = { status, previousTierId, tierId, pendingDays, isRolling };
    return { ...changed, entry: written.id ? (written as PointsTransaction) : null };
  } catch (error) {
    if (!failedWith(error, 'FOREIGN_KEY_VIOLATION')) throw error;
    throw busy('TIERS_CHANGED', 'The tiers are being changed; nothing was booked. Try again.');
  }
}

/** The reversible part of an entry. */
interface Reversible {
  readonly id: string;
  readonly createdAt: Date;
  /** Points that were not taken back yet. */
  readonly remaining: number;
  /** Points of these that have not expired: at most these may leave the balance. */
  readonly unexpired: number;
}

/** Returns the rest of an entry of a locked member, by its id or its source; null if there is none. */
export async function findReversible(
  tx: Context,
  { id = null, source = null }: { readonly id?: string | null; readonly source?: string | null },
): Promise<Reversible | null> {
  const { workspaceId, mode } = tx.scope;
  const [row] = await tx.sql.query<Reversible>(
    `SELECT e.id, e.created_at, e.amount - r.taken AS remaining,
            greatest(0, e.amount - r.taken - coalesce(l.expired, 0)) AS unexpired
       FROM loyalty.points_entries AS e
      CROSS JOIN LATERAL (SELECT coalesce(-sum(t.earned), 0)::int AS taken
                            FROM loyalty.points_entries AS t
                           WHERE ${inScope('t')}
                             AND t.reverses_id = e.id) AS r
       LEFT JOIN loyalty.point_lots AS l
         ON ${inScope('l')} AND l.id = e.id
      WHERE ${inScope('e')}
        AND ${id ? 'e.id = $3::uuid' : 'e.source = $3::text'}`,
    [workspaceId, mode, id ?? source],
  );
  return row ?? null;
}

/** Whether an entry of this source is in the ledger or pending. */
export async function isBooked(ctx: Context, source: string): Promise<boolean> {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query(
    `SELECT 1 FROM loyalty.points_entries
      WHERE ${inScope()} AND source = $3
     UNION ALL
     SELECT 1 FROM loyalty.point_lots
      WHERE ${inScope()} AND source = $3`,
    [workspaceId, mode, source],
  );
  return rows.length > 0;
}

export const entryById = loader(async (ctx, ids: readonly string[]) => {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query<PointsTransaction>(
    `SELECT ${entryColumns('e')} FROM loyalty.points_entries AS e
      WHERE ${inScope('e')} AND e.id = ANY($3::uuid[])`,
    [workspaceId, mode, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

export const entryBySource = loader(async (ctx, sources: readonly string[]) => {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query<PointsTransaction>(
    `SELECT ${entryColumns('e')} FROM loyalty.points_entries AS e
      WHERE ${inScope('e')} AND e.source = ANY($3::text[])`,
    [workspaceId, mode, sources],
  );
  return new Map(rows.map((row) => [row.source!, row]));
});

/** Loads a page of a member's ledger. Batched by member. */
export const memberEntries = pageLoader<string, PointsTransaction>((ctx, wanted) => {
  const { workspaceId, mode } = ctx.scope;
  const { owners, limits, offsets, cursorIds, order, beyond } = wanted;
  return ctx.sql.query<Placed<PointsTransaction>>(
    `SELECT w.place, found.*
       FROM ${rowsOf('$3::uuid[], $4::int[], $5::int[], $6::uuid[]')}
         WITH ORDINALITY AS w(member_id, rows, skip, cursor_id, place)
      CROSS JOIN LATERAL (
        SELECT ${entryColumns('e')}
          FROM loyalty.points_entries AS e
         WHERE ${inScope('e')} AND e.member_id = w.member_id
           AND e.sequence ${beyond} ${placeOfCursor(order)}
         ORDER BY e.sequence ${order} LIMIT w.rows OFFSET w.skip
      ) AS found
      ORDER BY w.place`,
    [workspaceId, mode, owners, limits, offsets, cursorIds],
  );
});

/**
 * The position in the ledger at which a page begins: at the cursor's entry, at an end, or nowhere for an
 * unknown entry.
 */
function placeOfCursor(order: 'ASC' | 'DESC'): string {
  const [start, end] = order === 'DESC' ? [SEQUENCE_MAX, 0] : [0, SEQUENCE_MAX];
  return `coalesce((SELECT a.sequence FROM loyalty.points_entries AS a
                     WHERE a.id = w.cursor_id AND ${inScope('a')}
                       AND a.member_id = w.member_id),
                   CASE WHEN w.cursor_id IS NULL THEN ${start} ELSE ${end} END)`;
}
