import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context, Loader } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/loading/loaders';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/loading/pages';

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

const columns = `id, url, description, event_types, status, disabled_reason, previous_secret_expires_at,
  last_success_at, last_failure_at, last_error, created_at, updated_at`;

const known = 'deleted_at IS NULL';

export const endpointById: Loader<string, WebhookEndpoint> = loader(async (ctx, ids) => {
  const rows = await ctx.sql.query<WebhookEndpoint>(
    `SELECT ${columns} FROM engagement.webhook_endpoints
      WHERE ${inScope()} AND id = ANY($3::uuid[]) AND ${known}`,
    [...scopeOf(ctx), ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

export async function endpointsPage(ctx: Context, request: PageRequest): Promise<Page<WebhookEndpoint>> {
  const { order, beyond } = scan(request);
  const rows = await ctx.sql.query<WebhookEndpoint>(
    `SELECT ${columns} FROM engagement.webhook_endpoints
      WHERE ${inScope()} AND ${known} AND ($3::uuid IS NULL OR id ${beyond} $3)
      ORDER BY id ${order} LIMIT $4 OFFSET $5`,
    [...scopeOf(ctx), request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const [counted] = await ctx.sql.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM engagement.webhook_endpoints WHERE ${inScope()} AND ${known}`,
      scopeOf(ctx),
    );
    return counted?.total ?? 0;
  });
}

/** One new endpoint at a time, because their number is limited. */
export async function lockEndpoints(ctx: Context): Promise<void> {
  await ctx.sql.query(
    `SELECT pg_advisory_xact_lock(hashtextextended('engagement.webhook_endpoints:' || $1 || $2, 0))`,
    scopeOf(ctx),
  );
}

interface NewEndpoint extends Pick<WebhookEndpoint, 'id' | 'url' | 'description' | 'eventTypes'> {
  readonly secretSealed: Uint8Array;
}

/** Null where there are `max` endpoints already; the caller holds the lock of `lockEndpoints`. */
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
      WHERE (SELECT count(*) FROM engagement.webhook_endpoints WHERE ${inScope()} AND ${known}) < $10
     RETURNING ${columns}`,
    [
      ...scopeOf(ctx),
      ...[id, url, description, eventTypes, secretSealed],
      ...[ctx.caller.actor, ctx.clock.now(), max],
    ],
  );
  return row ?? null;
}

/** What is changed; undefined stays as it is. */
export interface EndpointChange {
  readonly url?: string;
  readonly description?: string | null;
  readonly eventTypes?: readonly string[];
  readonly status?: 'ACTIVE' | 'PAUSED';
}

/** Who sets the status to ACTIVE ends what is known of failures. Null when the endpoint is unknown. */
export async function changeEndpoint(
  ctx: Context,
  id: string,
  { url, description, eventTypes, status }: EndpointChange,
): Promise<WebhookEndpoint | null> {
  const [row] = await ctx.sql.query<WebhookEndpoint>(
    `UPDATE engagement.webhook_endpoints
        SET url = coalesce($4, url),
            description = CASE WHEN $5 THEN $6 ELSE description END,
            event_types = coalesce($7::text[], event_types),
            status = coalesce($8::engagement."WebhookEndpointStatus", status),
            disabled_reason = CASE WHEN $8 IS NULL THEN disabled_reason END,
            failing_since = CASE WHEN $8 IS DISTINCT FROM 'ACTIVE' THEN failing_since END,
            updated_at = $9
      WHERE ${inScope()} AND id = $3 AND ${known}
     RETURNING ${columns}`,
    [
      ...scopeOf(ctx),
      ...[id, url ?? null, description !== undefined, description ?? null, eventTypes ?? null],
      ...[status ?? null, ctx.clock.now()],
    ],
  );
  return row ?? null;
}

/** Its present secret becomes the previous one. Null when the endpoint is unknown. */
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
      WHERE ${inScope()} AND id = $3 AND ${known}
     RETURNING ${columns}`,
    [...scopeOf(ctx), id, secretSealed, previousExpiresAt, ctx.clock.now()],
  );
  return row ?? null;
}

/** Ends an endpoint; its row stays for the log, without secrets. False when it is unknown. */
export async function endEndpoint(ctx: Context, id: string): Promise<boolean> {
  const rows = await ctx.sql.query(
    `UPDATE engagement.webhook_endpoints
        SET deleted_at = $4, updated_at = $4, status = 'DISABLED', secret_sealed = '',
            previous_secret_sealed = NULL, previous_secret_expires_at = NULL
      WHERE ${inScope()} AND id = $3 AND ${known}
     RETURNING id`,
    [...scopeOf(ctx), id, ctx.clock.now()],
  );
  return rows.length > 0;
}

/** Ends what is still tried; a worker that is sending one of them cannot write its outcome. */
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
