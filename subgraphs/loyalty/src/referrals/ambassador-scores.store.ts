import { NO_ID } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/database/pages';
import { inScope } from '@loyalty/platform/database/scope-sql';

export interface Candidate {
  /** Id of the member. */
  readonly id: string;
  /** 1 to 100. */
  readonly score: number;
  /** Store visits in the last 90 days. */
  readonly visits: number;
  /** Members brought so far. */
  readonly referrals: number;
  readonly scoredAt: Date;
}

interface Range {
  readonly afterId: string;
  readonly toId: string;
}

/** Members who may become ambassadors: active and not restricted. */
const eligible = `m.status = 'ACTIVE' AND NOT m.is_restricted`;

/**
 * Scores of the members after $3 to $4, with visits since $5, as of $6. Each fact counts up to a maximum, so
 * that a score depends on no other member and ranges can be scored separately.
 */
const SCORED = `
SELECT id, visits, referrals, scored_at, score FROM (
  SELECT m.id, coalesce(v.visits, 0) AS visits, coalesce(r.referrals, 0) AS referrals,
         $6::timestamptz AS scored_at,
         round(30 * least(1, ln(1 + greatest(0, m.points_earned)::float8) / ln(1 + scale.points::float8))
             + 20 * coalesce(level.height, 0)
             + 20 * least(1, coalesce(v.visits, 0) / 12.0::float8)
             + 20 * least(1, coalesce(r.referrals, 0) / 5.0::float8)
             + 10 * greatest(0, least(1, extract(epoch FROM $6::timestamptz - m.created_at)::float8
                                         / (365 * 86400))))::int AS score
    FROM loyalty.members AS m
   CROSS JOIN (SELECT greatest(1000, max(upgrade_threshold)) AS points
                 FROM loyalty.tiers WHERE workspace_id = $1) AS scale
    LEFT JOIN (SELECT id, cume_dist() OVER (ORDER BY rank) AS height
                 FROM loyalty.tiers WHERE workspace_id = $1) AS level ON level.id = m.current_tier_id
    LEFT JOIN (SELECT member_id, count(*)::int AS visits FROM loyalty.store_visits
                WHERE ${inScope()} AND member_id > $3
                  AND member_id <= $4 AND visited_at > $5 GROUP BY member_id) AS v ON v.member_id = m.id
    LEFT JOIN (SELECT ambassador_id, count(*)::int AS referrals FROM loyalty.referrals
                WHERE ${inScope()} AND ambassador_id > $3
                  AND ambassador_id <= $4 GROUP BY ambassador_id) AS r ON r.ambassador_id = m.id
   WHERE ${inScope('m')} AND m.id > $3 AND m.id <= $4 AND ${eligible}
) AS facts WHERE score > 0`;

/** Stored scores of members who may still become ambassadors. */
const KEPT = `
SELECT s.member_id AS id, s.visits, s.referrals, s.scored_at, s.score
  FROM loyalty.ambassador_scores AS s
  JOIN loyalty.members AS m ON m.workspace_id = s.workspace_id AND m.mode = s.mode AND m.id = s.member_id
 WHERE ${inScope('s')} AND ${eligible}`;

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Returns candidates, best first: scored now, or stored last night. */
export async function candidatesPage(
  ctx: Context,
  request: PageRequest,
  source: 'FRESH' | 'KEPT',
  visitsSince: Date,
): Promise<Page<Candidate>> {
  const { workspaceId, mode } = ctx.scope;
  const range = source === 'FRESH' ? [NO_ID, LAST_ID, visitsSince, ctx.clock.now()] : [];
  const params: unknown[] = [workspaceId, mode, ...range];
  const counted = [...params];
  const bind = (value: unknown) => `$${params.push(value)}`;
  // Stored scores are read by their index only as far as the page needs; fresh scores are computed once.
  const made = source === 'FRESH' ? `MATERIALIZED (${SCORED})` : `NOT MATERIALIZED (${KEPT})`;
  const scored = `scored AS ${made}`;
  const { order, beyond } = scan(request);
  const behindCursor = request.cursorId ? cursorCondition(source, beyond, bind(request.cursorId)) : '';
  // All fresh scores are computed anyway, so their count needs no second statement.
  const total = source === 'FRESH' ? '(SELECT count(*)::int FROM scored)' : 'NULL::int';
  const found = await ctx.sql.query<Candidate & { total: number | null }>(
    `WITH ${scored}
     SELECT s.id, s.score, s.visits, s.referrals, s.scored_at, ${total} AS total
       FROM scored AS s ${behindCursor}
      ORDER BY s.score ${order}, s.id ${order}
      LIMIT ${bind(request.size + 1)} OFFSET ${bind(request.offset)}`,
    params,
  );
  const rows = found.map(({ total: _, ...candidate }) => candidate);
  return page(request, rows, async () => {
    if (typeof found[0]?.total === 'number') return found[0].total;
    const sql = `WITH ${scored} SELECT count(*)::int AS total FROM scored`;
    const [count] = await ctx.sql.query<{ total: number }>(sql, counted);
    return count?.total ?? 0;
  });
}

/** Finds the score of the cursor's row, even if the member is no longer a candidate. */
const cursorCondition = (source: 'FRESH' | 'KEPT', beyond: '<' | '>', id: string): string =>
  source === 'FRESH'
    ? `WHERE (s.score, s.id) ${beyond} (SELECT a.score, a.id FROM scored AS a WHERE a.id = ${id})`
    : `WHERE (s.score, s.id) ${beyond} (SELECT a.score, a.member_id FROM loyalty.ambassador_scores AS a
        WHERE ${inScope('a')} AND a.member_id = ${id})`;

/** Returns whether the workspace has at least this many active members. */
export async function isLarge(ctx: Context, from: number): Promise<boolean> {
  const rows = await ctx.sql.query(
    `SELECT 1 FROM loyalty.members AS m
      WHERE ${inScope('m')} AND m.status = 'ACTIVE'
      ORDER BY m.id DESC LIMIT 1 OFFSET $3`,
    [ctx.scope.workspaceId, ctx.scope.mode, Math.max(0, from - 1)],
  );
  return rows.length > 0;
}

/** Returns the last of the next `count` active members by id; null if there are no more. */
export async function endOfChunk(ctx: Context, afterId: string, count: number): Promise<string | null> {
  const [row] = await ctx.sql.query<{ id: string }>(
    `SELECT id FROM (SELECT id FROM loyalty.members
                      WHERE ${inScope()} AND status = 'ACTIVE'
                        AND id > $3 ORDER BY id LIMIT $4) AS chunk
      ORDER BY id DESC LIMIT 1`,
    [ctx.scope.workspaceId, ctx.scope.mode, afterId, count],
  );
  return row?.id ?? null;
}

/** One run over all members of a workspace. */
interface Run {
  readonly visitsSince: Date;
  /** One time for all scores of the run. */
  readonly scoredAt: Date;
}

/**
 * Returns the score that further candidates must exceed, as soon as the run has `count` of them; 0 before.
 */
export async function floorOf(ctx: Context, { scoredAt }: Run, count: number): Promise<number> {
  const [row] = await ctx.sql.query<{ score: number }>(
    `SELECT score FROM loyalty.ambassador_scores
      WHERE ${inScope()} AND scored_at = $3
      ORDER BY score DESC, member_id DESC LIMIT 1 OFFSET $4`,
    [ctx.scope.workspaceId, ctx.scope.mode, scoredAt, count - 1],
  );
  return row?.score ?? 0;
}

/** Stores the scores of a range of ids that exceed the floor. */
export async function keepScores(
  ctx: Context,
  { afterId, toId }: Range,
  { visitsSince, scoredAt }: Run,
  floor: number,
): Promise<void> {
  const { workspaceId, mode } = ctx.scope;
  await ctx.sql.query(
    `INSERT INTO loyalty.ambassador_scores AS s
       (workspace_id, mode, member_id, visits, referrals, scored_at, score)
     SELECT $1::uuid, $2::platform."Mode", scored.* FROM (${SCORED}) AS scored WHERE scored.score > $7
     ON CONFLICT (workspace_id, mode, member_id) DO UPDATE
        SET score = excluded.score, visits = excluded.visits, referrals = excluded.referrals,
            scored_at = excluded.scored_at`,
    [workspaceId, mode, afterId, toId, visitsSince, scoredAt, floor],
  );
}

/** Deletes scores of earlier runs, and those below the best of this run. */
export async function keepBest(ctx: Context, { scoredAt }: Run, count: number): Promise<void> {
  await ctx.sql.query(
    `DELETE FROM loyalty.ambassador_scores
      WHERE ${inScope()}
        AND (scored_at < $3 OR (score, member_id) <= (
              SELECT s.score, s.member_id FROM loyalty.ambassador_scores AS s
               WHERE ${inScope('s')} AND s.scored_at = $3
               ORDER BY s.score DESC, s.member_id DESC LIMIT 1 OFFSET $4))`,
    [ctx.scope.workspaceId, ctx.scope.mode, scoredAt, count],
  );
}
