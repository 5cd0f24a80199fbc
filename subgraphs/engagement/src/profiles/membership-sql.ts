import { inScope } from '@loyalty/platform/database/scope-sql';
import { compileCondition } from '../conditions/compile-condition.ts';
import type { Condition } from '../conditions/condition.ts';
import { memberInstants } from '../conditions/occurrence-conditions.ts';
import { sqlValues } from '../conditions/operators.ts';

/** A segment with its condition, in which nested segments are replaced by their definitions. */
export interface ResolvedSegment {
  readonly id: string;
  readonly condition: Condition;
}

/** The SQL condition on the members of a statement, with its parameters from $5 on. */
interface AmongMembers {
  readonly of: (column: string) => string;
  /** Number of parameters. */
  readonly count: number;
}

const among = {
  /** `$5` are the ids. */
  IDS: { of: (column) => `${column} = ANY($5::uuid[])`, count: 1 },
  /** Ids after `$5`, up to `$6`. */
  RANGE: { of: (column) => `${column} > $5::uuid AND ${column} <= $6::uuid`, count: 2 },
} satisfies Readonly<Record<string, AmongMembers>>;

export type MembersBy = keyof typeof among;

/** A statement that updates memberships, and the values that follow those of the members. */
export interface MembershipStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Compiles one statement for these segments: $1 workspace, $2 mode, $3 now, $4 ids of the segments, then the
 * members. The statement returns the members who entered or left.
 */
export function membershipStatement(
  segments: readonly ResolvedSegment[],
  by: MembersBy,
): MembershipStatement {
  const { of, count } = among[by];
  const first = Array<null>(4 + count).fill(null);
  const sql = sqlValues(first);
  const instants = by === 'IDS' ? memberInstants() : undefined;
  const to = { now: '$3::timestamptz', among: of, instants };
  const rows = segments.map(({ condition }, place) => {
    const { where, recheckAt } = compileCondition(condition, sql, to);
    return `(($4::uuid[])[${place + 1}], (${where}), (${recheckAt})::timestamptz(3))`;
  });
  const text = withRows(rows.join(',\n      '), of, instants?.joins() ?? '');
  return { text, values: sql.values.slice(first.length) };
}

/**
 * Replaces a past time by one minute from now: otherwise the row would be due again immediately, in an
 * endless loop. Refers to materialized rows, so that conditions are not evaluated twice.
 */
const RECHECK = `CASE WHEN s.recheck_at <= $3::timestamptz THEN $3::timestamptz + interval '1 minute'
              ELSE s.recheck_at END`;

/**
 * A row exists for each member of a segment, for each other member who may enter by time alone, and for
 * members who left since the last computation. Members without a profile are in no segment.
 */
const withRows = (rows: string, of: AmongMembers['of'], joins: string): string => `
WITH evaluated AS MATERIALIZED (
  SELECT s.segment_id, p.member_id, s.is_member, s.recheck_at
    FROM engagement.profiles AS p${joins}
   CROSS JOIN LATERAL (VALUES
      ${rows}) AS s(segment_id, is_member, recheck_at)
   WHERE ${inScope('p')} AND ${of('p.member_id')}
), known AS MATERIALIZED (
  SELECT m.segment_id, m.member_id, m.is_member, m.recheck_at
    FROM engagement.segment_members AS m
   WHERE ${inScope('m')} AND m.segment_id = ANY($4::uuid[]) AND ${of('m.member_id')}
), changed AS MATERIALIZED (
  SELECT coalesce(e.segment_id, k.segment_id) AS segment_id, coalesce(e.member_id, k.member_id) AS member_id,
         coalesce(e.is_member, false) AS is_member, e.recheck_at, coalesce(k.is_member, false) AS was_member
    FROM (SELECT s.segment_id, s.member_id, s.is_member, ${RECHECK} AS recheck_at FROM evaluated AS s) AS e
    FULL JOIN known AS k ON k.segment_id = e.segment_id AND k.member_id = e.member_id
   WHERE coalesce(e.is_member, false) <> coalesce(k.is_member, false)
      OR e.recheck_at IS DISTINCT FROM k.recheck_at
), written AS (
  INSERT INTO engagement.segment_members AS m
         (workspace_id, mode, segment_id, member_id, is_member, entered_at, recheck_at)
  SELECT $1, $2::platform."Mode", segment_id, member_id, is_member,
         CASE WHEN is_member THEN $3::timestamptz END, recheck_at
    FROM changed
  ON CONFLICT (workspace_id, mode, segment_id, member_id)
    DO UPDATE SET is_member = excluded.is_member, recheck_at = excluded.recheck_at,
                  entered_at = CASE WHEN m.is_member AND excluded.is_member THEN m.entered_at
                                    ELSE excluded.entered_at END
), counted AS (
  UPDATE engagement.segments AS s SET member_count = s.member_count + d.change
    FROM (SELECT segment_id, sum(is_member::int - was_member::int)::int AS change
            FROM changed GROUP BY segment_id) AS d
   WHERE ${inScope('s')} AND s.id = d.segment_id AND d.change <> 0
  RETURNING s.id, s.member_count
), sized AS (
  INSERT INTO engagement.segment_sizes (workspace_id, mode, segment_id, hour, member_count)
  SELECT $1, $2::platform."Mode", id, date_trunc('hour', $3::timestamptz, 'UTC'), member_count FROM counted
  ON CONFLICT (workspace_id, mode, segment_id, hour) DO UPDATE SET member_count = excluded.member_count
)
SELECT segment_id, member_id, is_member
  FROM changed WHERE is_member <> was_member`;
