import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

/** Makes held runs of a resumed journey due; returns their number. */
export async function releaseHeldRuns(tx: Context, journeyId: string, size: number): Promise<number> {
  const rows = await tx.sql.query(
    `UPDATE engagement.journey_runs AS r SET due_at = $4, claim = r.claim + 1, claims = 0, leased_until = NULL
      WHERE ${inScope('r')} AND r.id = ANY(ARRAY(
            SELECT h.id FROM engagement.journey_runs AS h
             WHERE ${inScope('h')} AND h.journey_id = $3 AND h.ended_at IS NULL AND h.due_at IS NULL
             ORDER BY h.id LIMIT $5 FOR UPDATE))
     RETURNING 1`,
    [...scopeOf(tx), journeyId, tx.clock.now(), size],
  );
  return rows.length;
}

/** Ends runs of an ended journey, and counts them at their nodes; returns their number. */
export async function endRuns(tx: Context, journeyId: string, size: number): Promise<number> {
  const [counted] = await tx.sql.query<{ ended: number }>(
    `WITH ended AS (
       UPDATE engagement.journey_runs AS r
          SET status = 'EXITED', reason = 'JOURNEY_ENDED', due_at = NULL, waits_for = NULL, ended_at = $4,
              claim = r.claim + 1, leased_until = NULL
        WHERE ${inScope('r')} AND r.id = ANY(ARRAY(
              SELECT a.id FROM engagement.journey_runs AS a
               WHERE ${inScope('a')} AND a.journey_id = $3 AND a.ended_at IS NULL
               ORDER BY a.id LIMIT $5 FOR UPDATE))
       RETURNING r.version, r.node_id
     ), counted AS (
       INSERT INTO engagement.journey_node_counts AS c
              (workspace_id, mode, journey_id, version, node_id, outcome, count)
       SELECT $1, $2::platform."Mode", $3, version, node_id, 'EXITED', count(*) FROM ended
        WHERE node_id <> '' GROUP BY version, node_id ORDER BY version, node_id
       ON CONFLICT (workspace_id, mode, journey_id, version, node_id, outcome)
         DO UPDATE SET count = c.count + excluded.count
     )
     SELECT count(*)::int AS ended FROM ended`,
    [...scopeOf(tx), journeyId, tx.clock.now(), size],
  );
  return counted!.ended;
}

/** A move of the members of one version to another. Their due times do not change. */
export interface VersionMove {
  readonly journeyId: string;
  readonly fromVersion: number;
  readonly toVersion: number;
  /** Maps nodes of the one version to nodes of the other. */
  readonly nodeMap: Readonly<Record<string, string>>;
}

export async function moveToVersion(tx: Context, move: VersionMove): Promise<number> {
  const [counted] = await tx.sql.query<{ moved: number }>(
    `WITH nodes AS MATERIALIZED (
       SELECT m.key AS from_node, m.value AS to_node, n.node->'event'->>'type' AS waits_for
         FROM jsonb_each_text($6::jsonb) AS m
         JOIN engagement.journey_versions AS v
           ON ${inScope('v')} AND v.journey_id = $3 AND v.number = $5
         JOIN LATERAL jsonb_array_elements(v.definition->'nodes') AS n(node) ON n.node->>'id' = m.value
       UNION ALL SELECT '', '', NULL
     ), moved AS (
       UPDATE engagement.journey_runs AS r
          SET version = $5, node_id = nodes.to_node, claim = r.claim + 1, claims = 0, leased_until = NULL,
              -- An event that has come is not waited for again.
              waits_for = CASE WHEN r.waits_for IS NOT NULL THEN nodes.waits_for END
         FROM nodes
        WHERE ${inScope('r')} AND r.journey_id = $3 AND r.version = $4 AND r.ended_at IS NULL
          AND r.node_id = nodes.from_node
       RETURNING 1
     )
     SELECT count(*)::int AS moved FROM moved`,
    [...scopeOf(tx), move.journeyId, move.fromVersion, move.toVersion, JSON.stringify(move.nodeMap)],
  );
  return counted!.moved;
}

export async function deleteRunsOfMember(ctx: Context, memberId: string): Promise<void> {
  await ctx.sql.query(`DELETE FROM engagement.journey_runs WHERE ${inScope()} AND member_id = $3`, [
    ...scopeOf(ctx),
    memberId,
  ]);
}
