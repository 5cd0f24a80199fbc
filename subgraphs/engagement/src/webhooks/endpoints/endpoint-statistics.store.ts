import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import { addMs, HOUR_MS } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';
import { rowsOf } from '@loyalty/platform/loading/array-parameters';
import { loader } from '@loyalty/platform/loading/loaders';

/** What the attempts of an endpoint were like. */
export interface AttemptStatistics {
  readonly attempts: number;
  readonly successRate: number | null;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly pendingDeliveries: number;
}

/** More attempts of an endpoint are not read: that would take seconds. */
const ATTEMPTS_MAX = 100_000;

interface Wanted {
  readonly endpointId: string;
  readonly hours: number;
}

/** By `statisticsKey`. */
export const statisticsByKey = loader(async (ctx, keys: readonly string[]) => {
  const wanted = keys.map((key) => JSON.parse(key) as Wanted);
  const rows = await readStatistics(ctx, wanted);
  return new Map(rows.map(({ place, ...row }) => [keys[Number(place) - 1]!, row]));
});

export const statisticsKey = (endpointId: string, hours: number): string =>
  JSON.stringify({ endpointId, hours } satisfies Wanted);

type Row = AttemptStatistics & { readonly place: bigint };

const readStatistics = (ctx: Context, wanted: readonly Wanted[]): Promise<Row[]> =>
  ctx.sql.query<Row>(
    `SELECT e.place, found.attempts, found.success_rate, found.p50_ms, found.p95_ms,
            (SELECT count(*)::int FROM engagement.webhook_deliveries AS d
              WHERE ${inScope('d')} AND d.endpoint_id = e.id AND d.due_at IS NOT NULL) AS pending_deliveries
       FROM ${rowsOf('$3::uuid[], $4::timestamptz[]')} WITH ORDINALITY AS e(id, since, place)
      CROSS JOIN LATERAL (
            SELECT count(*)::int AS attempts,
                   avg((a.response_status BETWEEN 200 AND 299 IS TRUE)::int)::float8 AS success_rate,
                   (percentile_disc(0.5) WITHIN GROUP (ORDER BY a.duration_ms))::int AS p50_ms,
                   (percentile_disc(0.95) WITHIN GROUP (ORDER BY a.duration_ms))::int AS p95_ms
              FROM (SELECT t.response_status, t.duration_ms FROM engagement.webhook_attempts AS t
                     WHERE ${inScope('t')} AND t.endpoint_id = e.id AND t.started_at >= e.since
                     ORDER BY t.started_at DESC LIMIT ${ATTEMPTS_MAX}) AS a) AS found`,
    [
      ...scopeOf(ctx),
      wanted.map(({ endpointId }) => endpointId),
      wanted.map(({ hours }) => addMs(ctx.clock.now(), -hours * HOUR_MS)),
    ],
  );
