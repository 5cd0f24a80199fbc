import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/database/array-parameters';
import { inScope } from '@loyalty/platform/database/scope-sql';
import { tierUpgrade } from '../members/member-sql.ts';
import type { PointsTransactionKind } from './points.store.ts';

/** An entry of positive points that is appended together with those of other members. */
export interface ManyEntry {
  readonly id: string;
  readonly memberId: string;
  readonly kind: PointsTransactionKind;
  /** At least 1. */
  readonly amount: number;
  readonly description: string;
  readonly actor: string;
  readonly source: string | null;
}

/** An appended entry with the tier of its member. */
interface ManyAppended {
  readonly transactionId: string;
  readonly memberId: string;
  readonly amount: number;
  readonly previousTierId: string | null;
  /** The tier to which the entry upgraded the member; null without an upgrade. */
  readonly tierId: string | null;
}

const columns = (
  alias: string,
) => `unnest($3::uuid[], $4::uuid[], $5::text[], $6::int[], $7::text[], $8::text[],
  $9::text[]) AS ${alias}(id, member_id, kind, amount, description, actor, source)`;

/**
 * Finds the member of a row by id; `OFFSET 0` prevents the planner from joining whole tables instead.
 * Statistics are needed, too: in a newly filled table the planner may choose any index.
 */
const memberOf = (alias: string) => `SELECT * FROM loyalty.members AS found
     WHERE ${inScope('found')} AND found.id = ${alias}.member_id
    OFFSET 0`;

/** Finds an entry of the same source for each row in the same way. */
const bookedAs = (alias: string) => `SELECT 1 FROM loyalty.points_entries AS booked
     WHERE ${inScope('booked')} AND booked.source = ${alias}.source
    OFFSET 0`;

const UPGRADE = tierUpgrade(
  {
    points: '(m.points_earned + g.amount)',
    tierId: 'm.current_tier_id',
    overrideUntil: 'm.tier_override_until',
  },
  { isRolling: 'program.is_rolling', now: '$11::timestamptz' },
);

/**
 * The caller has locked the members' rows, so this statement sees their latest versions and all booked
 * entries. It does for one entry of each of many members the same as APPEND does for one entry.
 */
const APPEND_MANY = `
WITH program AS MATERIALIZED (
  SELECT p.points_expire_after_days AS lasts_days, coalesce(p.tier_basis = 'ROLLING', false) AS is_rolling
    FROM (VALUES (1)) AS one LEFT JOIN loyalty.programs AS p ON p.workspace_id = $1
), before AS MATERIALIZED (
  SELECT g.*, m.current_tier_id, m.points_earned + g.amount AS points_earned, program.lasts_days,
         ${UPGRADE} AS tier_id
    FROM program
   CROSS JOIN ${columns('g')}
   CROSS JOIN LATERAL (${memberOf('g')}) AS m
   WHERE m.status = ANY($10::loyalty."MemberStatus"[])
     AND m.points_balance::bigint + g.amount <= 2147483647
     AND NOT EXISTS (${bookedAs('g')})
), after AS (
  UPDATE loyalty.members AS m
     SET points_balance = m.points_balance + before.amount,
         points_earned = before.points_earned,
         points_sequence = m.points_sequence + 1,
         current_tier_id = coalesce(before.tier_id, m.current_tier_id),
         tier_changed_at = CASE WHEN before.tier_id IS NULL THEN m.tier_changed_at
                                ELSE $11::timestamptz END
    FROM before
   WHERE ${inScope('m')} AND m.id = ANY($4::uuid[])
     AND m.id = before.member_id
  RETURNING before.*, m.points_sequence, m.points_balance
), entry AS (
  INSERT INTO loyalty.points_entries
         (id, workspace_id, mode, member_id, sequence, kind, amount, earned, balance_after, description,
          actor, created_at, earned_at, source)
  SELECT id, $1, $2::platform."Mode", member_id, points_sequence, kind::loyalty."PointsEntryKind", amount,
         amount, points_balance, description, actor, $11::timestamptz, $11::timestamptz, source
    FROM after
), lot AS (
  INSERT INTO loyalty.point_lots
         (id, workspace_id, mode, member_id, kind, amount, remaining, description, actor, expires_at,
          created_at)
  SELECT id, $1, $2::platform."Mode", member_id, kind::loyalty."PointsEntryKind", amount, amount, description,
         actor, $11::timestamptz + make_interval(days => lasts_days), $11::timestamptz
    FROM after WHERE lasts_days IS NOT NULL
  ON CONFLICT (workspace_id, mode, id)
    DO UPDATE SET available_at = NULL, expires_at = EXCLUDED.expires_at
)
SELECT id AS transaction_id, member_id, amount, current_tier_id AS previous_tier_id, tier_id
  FROM after ORDER BY member_id`;

const columnsOf = (entries: readonly ManyEntry[]): unknown[] => [
  ...arraysOf(entries, 'id', 'memberId', 'kind', 'amount', 'description', 'actor', 'source'),
];

/**
 * Appends one entry for each of many locked members; members whose status, balance or source does not allow
 * it are left out.
 */
export async function insertMany(
  ctx: Context,
  entries: readonly ManyEntry[],
  allowedStatuses: readonly string[],
): Promise<ManyAppended[]> {
  const { workspaceId, mode } = ctx.scope;
  const params = [workspaceId, mode, ...columnsOf(entries), allowedStatuses, ctx.clock.now()];
  return ctx.sql.query<ManyAppended>(APPEND_MANY, params);
}

/** Stores one pending entry for each of many locked members; returns the members whose entry was stored. */
export async function insertManyPending(
  ctx: Context,
  entries: readonly ManyEntry[],
  allowedStatuses: readonly string[],
  availableAt: Date,
): Promise<string[]> {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query<{ memberId: string }>(
    `INSERT INTO loyalty.point_lots AS l
            (id, workspace_id, mode, member_id, kind, amount, remaining, description, actor, source,
             available_at, created_at)
     SELECT g.id, $1::uuid, $2::platform."Mode", g.member_id, g.kind::loyalty."PointsEntryKind",
       g.amount, g.amount,
            g.description, g.actor, g.source, $12::timestamptz, $11::timestamptz
       FROM ${columns('g')}
      CROSS JOIN LATERAL (${memberOf('g')}) AS m
      WHERE m.status = ANY($10::loyalty."MemberStatus"[])
        AND NOT EXISTS (${bookedAs('g')})
     ON CONFLICT DO NOTHING
     RETURNING l.member_id`,
    [workspaceId, mode, ...columnsOf(entries), allowedStatuses, ctx.clock.now(), availableAt],
  );
  return rows.map(({ memberId }) => memberId);
}
