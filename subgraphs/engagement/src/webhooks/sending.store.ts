import { ASYNCHRONOUS_COMMIT } from '@loyalty/platform/base/asynchronous-commit';
import type { Scope } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/database/array-parameters';
import { mayBeTaken } from '@loyalty/platform/work/lost-workers';
import type { Attempt, ClaimedDelivery } from './attempt.ts';

/** An endpoint, with the number of deliveries that a worker may claim for it now. */
export interface EndpointCapacity {
  readonly endpointId: string;
  readonly free: number;
}

/** The endpoint after which the search for due deliveries continues. */
export type Position = readonly [workspaceId: string, mode: string, endpointId: string];

export interface ClaimRequest {
  readonly size: number;
  /** Maximum number of deliveries of an endpoint that is not in `capacities`. */
  readonly perEndpoint: number;
  readonly capacities: readonly EndpointCapacity[];
  /** The search begins after this endpoint; null begins with the first one. */
  readonly after: Position | null;
  /** End of the lease. */
  readonly until: Date;
  /** Whether a delivery whose worker was lost may be claimed. Default: true. */
  readonly maySuspect?: boolean;
}

const NOWHERE: Position = [
  '00000000-0000-0000-0000-000000000000',
  'LIVE',
  '00000000-0000-0000-0000-000000000000',
];

/** SQL of the next endpoint with waiting deliveries: one index access for each endpoint. */
const nextEndpoint = (after: string): string => `
  SELECT d.workspace_id, d.mode, d.endpoint_id FROM engagement.webhook_deliveries AS d
   WHERE d.due_at IS NOT NULL AND (d.workspace_id, d.mode, d.endpoint_id) > (${after})
   ORDER BY d.workspace_id, d.mode, d.endpoint_id LIMIT 1`;

/**
 * Precision of the time of the last success, so that the row of a busy endpoint is not written with every
 * delivery.
 */
const SUCCESS_PRECISION = `interval '10 seconds'`;

/** Selects the details of claimed deliveries that a worker needs. */
const SHOWN = `SELECT c.workspace_id, c.mode, c.id, c.endpoint_id, c.claim, c.claims, c.attempts, w.url,
       w.secret_sealed, w.previous_secret_sealed, w.previous_secret_expires_at,
       coalesce(w.failing_since IS NULL AND w.last_success_at >= $1 - ${SUCCESS_PRECISION}, false)
         AS is_healthy,
       e.id AS event_id, e.type, e.payload, e.sequence, e.tier, e.created_at AS event_created_at
  FROM claimed AS c
  JOIN engagement.webhook_endpoints AS w
    ON w.workspace_id = c.workspace_id AND w.mode = c.mode AND w.id = c.endpoint_id
  JOIN engagement.webhook_events AS e
    ON e.workspace_id = c.workspace_id AND e.mode = c.mode AND e.id = c.event_id`;

/**
 * Claims due deliveries, at most the free capacity of each endpoint, so that a long queue of one endpoint
 * does not delay the others. Any number of workers may claim at the same time.
 */
export async function claimDeliveries(ctx: Context, request: ClaimRequest): Promise<ClaimedDelivery[]> {
  const { size, perEndpoint, capacities, after, until, maySuspect = true } = request;
  return ctx.sql.query<ClaimedDelivery>(
    `/* every workspace */ WITH RECURSIVE endpoints AS (
       (${nextEndpoint('$6::uuid, $7::platform."Mode", $8::uuid')})
       UNION ALL
       SELECT n.* FROM endpoints AS e CROSS JOIN LATERAL (
         ${nextEndpoint('e.workspace_id, e.mode, e.endpoint_id')}) AS n
     ), due AS MATERIALIZED (
       SELECT d.workspace_id, d.mode, d.id, d.claims
         FROM endpoints AS e
         JOIN engagement.webhook_endpoints AS w
           ON w.workspace_id = e.workspace_id AND w.mode = e.mode AND w.id = e.endpoint_id
          AND w.status = 'ACTIVE'
         LEFT JOIN unnest($4::uuid[], $5::int[]) AS r(endpoint_id, free) ON r.endpoint_id = e.endpoint_id
        CROSS JOIN LATERAL (
         SELECT d.workspace_id, d.mode, d.id, d.claims FROM engagement.webhook_deliveries AS d
          WHERE d.workspace_id = e.workspace_id AND d.mode = e.mode AND d.endpoint_id = e.endpoint_id
            AND d.due_at <= $1 AND (d.leased_until IS NULL OR d.leased_until <= $1)
          ORDER BY d.due_at LIMIT coalesce(r.free, $3) FOR UPDATE SKIP LOCKED) AS d
        LIMIT $2
     ), claimed AS (
       UPDATE engagement.webhook_deliveries AS d
          SET claim = d.claim + 1, claims = d.claims + 1, leased_until = $9
         FROM due, ${ASYNCHRONOUS_COMMIT}
        WHERE d.workspace_id = due.workspace_id AND d.mode = due.mode AND d.id = due.id
          AND ${mayBeTaken('due', '$10')}
       RETURNING d.workspace_id, d.mode, d.id, d.endpoint_id, d.event_id, d.claim, d.claims, d.attempts
     )
     ${SHOWN}`,
    [
      ctx.clock.now(),
      size,
      perEndpoint,
      ...arraysOf(capacities, 'endpointId', 'free'),
      ...(after ?? NOWHERE),
      until,
      maySuspect,
    ],
  );
}

/** The result of an attempt for its delivery. */
export interface Result {
  readonly attempt: Attempt;
  readonly status: 'DELIVERED' | 'RETRYING' | 'FAILED' | 'DEAD';
  /** The time of the next attempt; null if there is none. */
  readonly dueAt: Date | null;
}

/**
 * Writes results with their attempts. Results whose claim was lost are skipped. There is no condition on
 * `due_at`, because with one the planner would read all waiting deliveries by the index of due times.
 */
export async function writeResults(ctx: Context, results: readonly Result[]): Promise<void> {
  const deliveries = results.map(({ attempt }) => attempt.delivery);
  const attempts = results.map(({ attempt }) => attempt);
  await ctx.sql.query(
    `WITH given AS MATERIALIZED (
       SELECT * FROM unnest($1::uuid[], $2::platform."Mode"[], $3::uuid[], $4::int[],
                            $5::engagement."DeliveryStatus"[], $6::timestamptz[], $7::int[], $8::text[],
                            $9::timestamptz[], $10::int[], $11::text[])
         AS g(workspace_id, mode, id, claim, status, due_at, response_status, error, started_at, duration_ms,
              response_excerpt)
     ), written AS (
       UPDATE engagement.webhook_deliveries AS d
          SET status = g.status, attempts = d.attempts + 1, due_at = g.due_at, leased_until = NULL,
              claims = 0, response_status = g.response_status, error = g.error, updated_at = $12
         FROM given AS g
        WHERE d.workspace_id = g.workspace_id AND d.mode = g.mode AND d.id = g.id AND d.claim = g.claim
          AND d.status IN ('PENDING', 'RETRYING')
       RETURNING d.workspace_id, d.mode, d.id, d.endpoint_id, d.attempts
     )
     INSERT INTO engagement.webhook_attempts
            (workspace_id, mode, delivery_id, number, endpoint_id, started_at, duration_ms, response_status,
             error, response_excerpt)
     SELECT w.workspace_id, w.mode, w.id, w.attempts, w.endpoint_id, g.started_at, g.duration_ms,
            g.response_status, g.error, g.response_excerpt
       FROM written AS w
       JOIN given AS g ON g.workspace_id = w.workspace_id AND g.mode = w.mode AND g.id = w.id`,
    [
      ...arraysOf(deliveries, 'workspaceId', 'mode', 'id', 'claim'),
      ...arraysOf(results, 'status', 'dueAt'),
      ...arraysOf(attempts, 'responseStatus', 'error', 'startedAt', 'durationMs', 'responseExcerpt'),
      ctx.clock.now(),
    ],
  );
}

/** The health of an endpoint by a batch of results. */
export interface EndpointHealth extends Scope {
  readonly endpointId: string;
  /** Time of the latest success; null without one. */
  readonly succeededAt: Date | null;
  /** Time of the latest failure after the latest success; null without one. */
  readonly failedAt: Date | null;
  readonly error: string | null;
  /** The endpoint responded that it is permanently gone. */
  readonly isGone: boolean;
}

/** An endpoint that has just been disabled. */
export interface DisabledEndpoint extends Scope {
  readonly id: string;
  /** A sentence for the owners of the workspace. */
  readonly reason: string;
}

/**
 * Updates the times of successes and failures of endpoints, and disables endpoints that are gone or have
 * failed for some days.
 *
 * @param failingBefore - an endpoint that has failed since before this time is disabled
 */
export async function updateHealth(
  ctx: Context,
  health: readonly EndpointHealth[],
  failingBefore: Date,
): Promise<DisabledEndpoint[]> {
  return ctx.sql.query<DisabledEndpoint>(
    `WITH noted AS (
       UPDATE engagement.webhook_endpoints AS w
          SET last_success_at = coalesce(n.succeeded_at, w.last_success_at),
              last_failure_at = coalesce(n.failed_at, w.last_failure_at),
              last_error = coalesce(n.error, w.last_error),
              failing_since = CASE WHEN n.failed_at IS NULL THEN NULL
                                   WHEN n.succeeded_at IS NOT NULL THEN n.failed_at
                                   ELSE coalesce(w.failing_since, n.failed_at) END,
              disabled_reason = CASE WHEN n.is_gone THEN 'The endpoint answered that it is gone (410).'
                                     WHEN n.succeeded_at IS NULL AND w.failing_since <= $8 
                                     THEN 'All deliveries have failed for 5 days.' END,
              status = CASE WHEN n.is_gone OR (n.succeeded_at IS NULL AND w.failing_since <= $8)
                            THEN 'DISABLED' ELSE w.status END
         FROM unnest($1::uuid[], $2::platform."Mode"[], $3::uuid[], $4::timestamptz[], $5::timestamptz[],
                     $6::text[], $7::boolean[])
           AS n(workspace_id, mode, id, succeeded_at, failed_at, error, is_gone)
        WHERE w.workspace_id = n.workspace_id AND w.mode = n.mode AND w.id = n.id AND w.status = 'ACTIVE'
          AND (n.failed_at IS NOT NULL OR w.failing_since IS NOT NULL OR w.last_success_at IS NULL
               OR w.last_success_at < n.succeeded_at - ${SUCCESS_PRECISION})
       RETURNING w.workspace_id, w.mode, w.id, w.status, w.disabled_reason
     ), disabled AS (SELECT * FROM noted WHERE status = 'DISABLED'
     ), cancelled AS (
       UPDATE engagement.webhook_deliveries AS d
          SET status = 'CANCELLED', due_at = NULL, updated_at = $9
         FROM disabled AS n
        WHERE d.workspace_id = n.workspace_id AND d.mode = n.mode AND d.endpoint_id = n.id
          AND d.due_at IS NOT NULL
     )
     SELECT workspace_id, mode, id, disabled_reason AS reason FROM disabled`,
    [
      ...arraysOf(health, 'workspaceId', 'mode', 'endpointId', 'succeededAt', 'failedAt', 'error', 'isGone'),
      failingBefore,
      ctx.clock.now(),
    ],
  );
}
