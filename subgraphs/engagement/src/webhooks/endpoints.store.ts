import { addMs, HOUR_MS } from '@loyalty/platform/base/clock';
import type { Context, Loader } from '@loyalty/platform/context';
import { rowsOf } from '@loyalty/platform/database/array-parameters';
import { loader } from '@loyalty/platform/database/loaders';
import { type Page, type PageRequest, pageOf } from '@loyalty/platform/database/pages';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { columns, inSql } from '@loyalty/prisma/columns';

export type EndpointStatus = 'ACTIVE' | 'PAUSED' | 'DISABLED';

/** An endpoint without its secrets. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  readonly eventTypes: readonly string[];
  readonly status: EndpointStatus;
  readonly disabledReason: string | null;
  readonly previousSecretExpiresAt: Date | null;
  readonly lastSuccessAt: Date | null;
  readonly lastFailureAt: Date | null;
  readonly lastError: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const select = {
  ...columns('id', 'url', 'description', 'eventTypes', 'status', 'disabledReason'),
  ...columns(
    'previousSecretExpiresAt',
    'lastSuccessAt',
    'lastFailureAt',
    'lastError',
    'createdAt',
    'updatedAt',
  ),
};

const sqlColumns = inSql(select);

/** Deleted endpoints remain only for the delivery log. */
const known = { deletedAt: null };

export const endpointById: Loader<string, WebhookEndpoint> = loader(async (ctx, ids) => {
  const where = { id: { in: [...ids] }, ...known };
  const rows = await ctx.prisma.webhookEndpoint.findMany({ where, select });
  return new Map(rows.map((row) => [row.id, row]));
});

export const endpointsPage = (ctx: Context, request: PageRequest): Promise<Page<WebhookEndpoint>> =>
  pageOf(ctx.prisma.webhookEndpoint, request, { where: known, select });

/** Serializes the creation of endpoints, because their number is limited. */
export async function lockEndpoints(ctx: Context): Promise<void> {
  await ctx.sql.query(
    `SELECT pg_advisory_xact_lock(hashtextextended('engagement.webhook_endpoints:' || $1 || $2, 0))`,
    scopeOf(ctx),
  );
}

interface NewEndpoint extends Pick<WebhookEndpoint, 'id' | 'url' | 'description' | 'eventTypes'> {
  readonly secretSealed: Uint8Array;
}

/**
 * Inserts an endpoint. Returns null if there are `max` endpoints already. The caller has called
 * `lockEndpoints`.
 */
export async function insertEndpoint(
  ctx: Context,
  endpoint: NewEndpoint,
  max: number,
): Promise<WebhookEndpoint | null> {
  const { id, url, description, eventTypes, secretSealed } = endpoint;
  const [row] = await ctx.sql.query<WebhookEndpoint>(
    `INSERT INTO engagement.webhook_endpoints
            (workspace_id, mode, id, url, description, event_types, secret_sealed, actor, created_at,
             updated_at)
     SELECT $1::uuid, $2::platform."Mode", $3::uuid, $4, $5, $6::text[], $7::bytea, $8, $9::timestamptz, $9
      WHERE (SELECT count(*) FROM engagement.webhook_endpoints
              WHERE ${inScope()} AND deleted_at IS NULL) < $10
     RETURNING ${sqlColumns}`,
    [
      ...scopeOf(ctx),
      ...[id, url, description, eventTypes, secretSealed],
      ...[ctx.caller.actor, ctx.clock.now(), max],
    ],
  );
  return row ?? null;
}

/** A change of an endpoint. Undefined fields do not change. */
export interface EndpointChange {
  readonly url?: string;
  readonly description?: string | null;
  readonly eventTypes?: readonly string[];
  readonly status?: 'ACTIVE' | 'PAUSED';
}

/**
 * Changes an endpoint. The status ACTIVE clears its record of failures. Returns null if the endpoint is
 * unknown.
 */
export async function changeEndpoint(
  ctx: Context,
  id: string,
  change: EndpointChange,
): Promise<WebhookEndpoint | null> {
  const [row] = await ctx.prisma.webhookEndpoint.updateManyAndReturn({
    where: { id, ...known },
    data: {
      ...change,
      ...(change.status && { disabledReason: null }),
      ...(change.status === 'ACTIVE' && { failingSince: null }),
      updatedAt: ctx.clock.now(),
    },
    select,
  });
  return row ?? null;
}

/**
 * Replaces the secret. The current secret becomes the previous one. Returns null if the endpoint is unknown.
 */
export async function replaceSecret(
  ctx: Context,
  id: string,
  secretSealed: Uint8Array,
  previousExpiresAt: Date,
): Promise<WebhookEndpoint | null> {
  const [row] = await ctx.sql.query<WebhookEndpoint>(
    `UPDATE engagement.webhook_endpoints
        SET previous_secret_sealed = secret_sealed, previous_secret_expires_at = $5,
            secret_sealed = $4, updated_at = $6
      WHERE ${inScope()} AND id = $3 AND deleted_at IS NULL
     RETURNING ${sqlColumns}`,
    [...scopeOf(ctx), id, secretSealed, previousExpiresAt, ctx.clock.now()],
  );
  return row ?? null;
}

/**
 * Marks an endpoint as deleted. Its row remains for the delivery log, without secrets. Returns false if it is
 * unknown.
 */
export async function markDeleted(ctx: Context, id: string): Promise<boolean> {
  const now = ctx.clock.now();
  const { count } = await ctx.prisma.webhookEndpoint.updateMany({
    where: { id, ...known },
    data: {
      status: 'DISABLED',
      secretSealed: new Uint8Array(),
      previousSecretSealed: null,
      previousSecretExpiresAt: null,
      deletedAt: now,
      updatedAt: now,
    },
  });
  return count > 0;
}

/** Cancels pending deliveries. A worker that is sending one of them cannot write its outcome. */
export async function cancelDeliveries(ctx: Context, endpointId: string): Promise<number> {
  const [cancelled] = await ctx.sql.query<{ rows: number }>(
    `WITH ended AS (
       UPDATE engagement.webhook_deliveries
          SET status = 'CANCELLED', due_at = NULL, claim = claim + 1, updated_at = $4
        WHERE ${inScope()} AND endpoint_id = $3 AND due_at IS NOT NULL
       RETURNING 1)
     SELECT count(*)::int AS rows FROM ended`,
    [...scopeOf(ctx), endpointId, ctx.clock.now()],
  );
  return cancelled!.rows;
}

/** Statistics of the attempts of an endpoint. */
export interface AttemptStatistics {
  readonly attempts: number;
  readonly successRate: number | null;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly pendingDeliveries: number;
}

/** Maximum number of attempts that are read: more would take seconds. */
const ATTEMPTS_MAX = 100_000;

interface Wanted {
  readonly endpointId: string;
  readonly hours: number;
}

/** Statistics by `statisticsKey`. */
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
