import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/loading/array-parameters';
import type { JourneyRun, NodeCount } from './run.ts';

/**
 * Writes where runs stand now, and what their nodes did, in one statement. A run that was taken away from the
 * caller stays as it is. Counters are locked in one order, so that no two workers deadlock.
 *
 * @param runs - with the claims that the caller has
 */
export async function writeMoves(
  tx: Context,
  runs: readonly JourneyRun[],
  counts: readonly NodeCount[],
): Promise<void> {
  await tx.sql.query(
    `WITH moved AS (
       UPDATE engagement.journey_runs AS r
          SET status = m.status, node_id = m.node_id, arrived_at = m.arrived_at, step = m.step,
              due_at = m.due_at, waits_for = m.waits_for, attempts = m.attempts, reason = m.reason,
              sent_nodes = string_to_array(m.sent_nodes, ','), ended_at = m.ended_at, leased_until = NULL,
              claim = r.claim + 1, claims = 0
         FROM unnest($3::uuid[], $4::int[], $5::engagement."RunStatus"[], $6::text[], $7::timestamptz[],
                     $8::int[], $9::timestamptz[], $10::text[], $11::int[], $12::text[], $13::text[],
                     $14::timestamptz[])
           AS m(id, claim, status, node_id, arrived_at, step, due_at, waits_for, attempts, reason, sent_nodes,
                ended_at)
        WHERE ${inScope('r')} AND r.id = ANY($3::uuid[]) AND r.id = m.id AND r.claim = m.claim
     )
     INSERT INTO engagement.journey_node_counts AS c
            (workspace_id, mode, journey_id, version, node_id, outcome, count)
     SELECT $1, $2::platform."Mode", g.journey_id, g.version, g.node_id, g.outcome, g.count
       FROM unnest($15::uuid[], $16::int[], $17::text[], $18::text[], $19::bigint[])
         AS g(journey_id, version, node_id, outcome, count)
      ORDER BY g.journey_id, g.version, g.node_id, g.outcome
     ON CONFLICT (workspace_id, mode, journey_id, version, node_id, outcome)
       DO UPDATE SET count = c.count + excluded.count`,
    [
      ...scopeOf(tx),
      ...arraysOf(
        runs,
        'id',
        'claim',
        'status',
        'nodeId',
        'arrivedAt',
        'step',
        'dueAt',
        'waitsFor',
        'attempts',
        'reason',
      ),
      runs.map(({ sentNodes }) => sentNodes.join(',')),
      runs.map(({ endedAt }) => endedAt),
      ...arraysOf(counts, 'journeyId', 'version', 'nodeId', 'outcome', 'count'),
    ],
  );
}
