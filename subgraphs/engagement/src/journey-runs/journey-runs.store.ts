import { arraysOf, rowsOf } from '@loyalty/platform/database/array-parameters';
import { loader } from '@loyalty/platform/database/loaders';
import { type Placed, pageLoader } from '@loyalty/platform/database/page-loader';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { RunStatus } from './run.ts';

/** A run in the form of the graph. */
export interface ShownJourneyRun {
  readonly id: string;
  readonly journeyId: string;
  readonly version: number;
  readonly memberId: string;
  readonly status: RunStatus;
  /** Empty before the first node. */
  readonly nodeId: string;
  readonly arrivedAt: Date;
  readonly dueAt: Date | null;
  readonly waitsFor: string | null;
  readonly reason: string | null;
  readonly enteredAt: Date;
  readonly endedAt: Date | null;
}

const columns = `r.id, r.journey_id, r.version, r.member_id, r.status, r.node_id, r.arrived_at, r.due_at,
  r.waits_for, r.reason, r.entered_at, r.ended_at`;

export const runById = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<ShownJourneyRun>(
    `SELECT ${columns} FROM engagement.journey_runs AS r WHERE ${inScope('r')} AND r.id = ANY($3::uuid[])`,
    [...scopeOf(ctx), ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

/** A page of the runs of a member. Batched by member. */
export const runsOfMember = pageLoader<string, ShownJourneyRun>((ctx, wanted) => {
  const { owners, limits, offsets, cursorIds, order, beyond } = wanted;
  return ctx.sql.query<Placed<ShownJourneyRun>>(
    `SELECT w.place, found.*
       FROM ${rowsOf('$3::uuid[], $4::int[], $5::int[], $6::uuid[]')} WITH ORDINALITY
         AS w(member_id, rows, skip, cursor_id, place)
      CROSS JOIN LATERAL (
        SELECT ${columns} FROM engagement.journey_runs AS r
         WHERE ${inScope('r')} AND r.member_id = w.member_id
           AND (w.cursor_id IS NULL OR r.id ${beyond} w.cursor_id)
         ORDER BY r.id ${order} LIMIT w.rows OFFSET w.skip) AS found
      ORDER BY w.place, found.id ${order}`,
    [...scopeOf(ctx), owners, limits, offsets, cursorIds],
  );
});

export const runCountByMember = loader(async (ctx, memberIds: readonly string[]) => {
  const rows = await ctx.sql.query<{ memberId: string; total: number }>(
    `SELECT r.member_id, count(*)::int AS total FROM engagement.journey_runs AS r
      WHERE ${inScope('r')} AND r.member_id = ANY($3::uuid[]) GROUP BY r.member_id`,
    [...scopeOf(ctx), memberIds],
  );
  return new Map(rows.map(({ memberId, total }) => [memberId, total]));
});

/** The runs of a list: all of a journey, or those at one node. */
export interface StandingAt {
  readonly journeyId: string;
  readonly nodeId: string | null;
}

/** SQL of the nodes with members of the journey `w.journey_id`: the index finds one after the other. */
const NODES = `WITH RECURSIVE nodes AS (
    (SELECT r.node_id FROM engagement.journey_runs AS r
      WHERE ${inScope('r')} AND r.journey_id = w.journey_id AND r.ended_at IS NULL
      ORDER BY r.node_id LIMIT 1)
    UNION ALL
    SELECT (SELECT r.node_id FROM engagement.journey_runs AS r
             WHERE ${inScope('r')} AND r.journey_id = w.journey_id AND r.ended_at IS NULL
               AND r.node_id > n.node_id
             ORDER BY r.node_id LIMIT 1)
      FROM nodes AS n WHERE n.node_id IS NOT NULL
  ) SELECT node_id FROM nodes WHERE node_id IS NOT NULL AND (w.node_id IS NULL OR node_id = w.node_id)`;

/** A page of the current runs of a journey. The index finds at most a page for each node. */
export const runsOfJourney = pageLoader<StandingAt, ShownJourneyRun>((ctx, wanted) => {
  const { owners, limits, offsets, cursorIds, order, beyond } = wanted;
  return ctx.sql.query<Placed<ShownJourneyRun>>(
    `SELECT w.place, found.*
       FROM ${rowsOf('$3::uuid[], $4::text[], $5::int[], $6::int[], $7::uuid[]')} WITH ORDINALITY
         AS w(journey_id, node_id, rows, skip, cursor_id, place)
      CROSS JOIN LATERAL (
        SELECT at_node.* FROM (${NODES}) AS n
         CROSS JOIN LATERAL (
           SELECT ${columns} FROM engagement.journey_runs AS r
            WHERE ${inScope('r')} AND r.journey_id = w.journey_id AND r.node_id = n.node_id
              AND r.ended_at IS NULL AND (w.cursor_id IS NULL OR r.id ${beyond} w.cursor_id)
            ORDER BY r.id ${order} LIMIT w.rows + w.skip) AS at_node
         ORDER BY at_node.id ${order} LIMIT w.rows OFFSET w.skip) AS found
      ORDER BY w.place, found.id ${order}`,
    [...scopeOf(ctx), ...arraysOf(owners, 'journeyId', 'nodeId'), limits, offsets, cursorIds],
  );
});

/** Counts by JSON of `StandingAt`. */
export const runCountByPlace = loader(async (ctx, places: readonly string[]) => {
  const wanted = places.map((place) => JSON.parse(place) as StandingAt);
  const rows = await ctx.sql.query<{ place: number; total: number }>(
    `SELECT w.place::int, counted.total
       FROM ${rowsOf('$3::uuid[], $4::text[]')} WITH ORDINALITY AS w(journey_id, node_id, place)
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS total FROM engagement.journey_runs AS r
         WHERE ${inScope('r')} AND r.journey_id = w.journey_id AND r.ended_at IS NULL
           AND (w.node_id IS NULL OR r.node_id = w.node_id)) AS counted`,
    [...scopeOf(ctx), wanted.map(({ journeyId }) => journeyId), wanted.map(({ nodeId }) => nodeId)],
  );
  return new Map(rows.map(({ place, total }) => [places[place - 1]!, total]));
});
