import { ASYNCHRONOUS_COMMIT } from '@loyalty/platform/base/asynchronous-commit';
import type { Scope } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/database/array-parameters';
import { mayBeTaken } from '@loyalty/platform/work/lost-workers';
import type { Attempt, ClaimedDelivery } from './attempt.ts';

/** An endpoint with what a worker may still send to it now. */
export interface EndpointRoom {
  readonly endpointId: string;
  readonly room: number;
}

/** Where the search for due deliveries goes on. */
export type Position = readonly [workspaceId: string, mode: string, endpointId: string];

export interface ClaimRequest {
  readonly size: number;
  /** What one endpoint gets at most, unless `rooms` says otherwise. */
  readonly perEndpoint: number;
  readonly rooms: readonly EndpointRoom[];
  /** Endpoints after this one come first; null begins with the first of all. */
  readonly after: Position | null;
  /** Until then they are this worker's. */
  readonly until: Date;
  /** One may be among them whose worker was lost. Default true. */
  readonly maySuspect?: boolean;
}

const NOWHERE: Position = [
  '00000000-0000-0000-0000-000000000000',
  'LIVE',
  '00000000-0000-0000-0000-000000000000',
];

/** The next endpoint with deliveries that wait: one look into the index for each endpoint. */
const nextEndpoint = (after: string): string => `
  SELECT d.workspace_id, d.mode, d.endpoint_id FROM engagement.webhook_deliveries AS d
   WHERE d.due_at IS NOT NULL AND (d.workspace_id, d.mode, d.endpoint_id) > (${after})
   ORDER BY d.workspace_id, d.mode, d.endpoint_id LIMIT 1`;

/** How exact the time of the last success is: a busy endpoint's row is not written with every delivery. */
const SUCCESS_EVERY = `interval '10 seconds'`;

/** What a worker needs of deliveries that it claimed. */
const SHOWN = `SELECT c.workspace_id, c.mode, c.id, c.endpoint_id, c.claim, c.claims, c.attempts, w.url,
       w.secret_sealed, w.previous_secret_sealed, w.previous_secret_expires_at,
       coalesce(w.failing_since IS NULL AND w.last_success_at >= $1 - ${SUCCESS_EVERY}, false) AS is_well,
       e.id AS event_id, e.type, e.payload, e.sequence, e.tier, e.created_at AS event_created_at
  FROM claimed AS c
  JOIN engagement.webhook_endpoints AS w
    ON w.workspace_id = c.workspace_id AND w.mode = c.mode AND w.id = c.endpoint_id
  JOIN engagement.webhook_events AS e
    ON e.workspace_id = c.workspace_id AND e.mode = c.mode AND e.id = c.event_id`;

/**
 * Takes due deliveries, of every endpoint no more than there is room for: a long queue of one endpoint costs
 * the others nothing. Any number of workers may claim at once.
 */
export async function claimDeliveries(ctx: Context, request: ClaimRequest): Promise<ClaimedDelivery[]> {
  const { size, perEndpoint, rooms, after, until, maySuspect = true } = request;
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
         LEFT JOIN unnest($4::uuid[], $5::int[]) AS r(endpoint_id, room) ON r.endpoint_id = e.endpoint_id
        CROSS JOIN LATERAL (
         SELECT d.workspace_id, d.mode, d.id, d.claims FROM engagement.webhook_deliveries AS d
          WHERE d.workspace_id = e.workspace_id AND d.mode = e.mode AND d.endpoint_id = e.endpoint_id
            AND d.due_at <= $1 AND (d.leased_until IS NULL OR d.leased_until <= $1)
          ORDER BY d.due_at LIMIT coalesce(r.room, $3) FOR UPDATE SKIP LOCKED) AS d
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
      ...arraysOf(rooms, 'endpointId', 'room'),
      ...(after ?? NOWHERE),
      until,
      maySuspect,
    ],
  );
}

/** What an attempt makes of its delivery. */
export interface Result {
  readonly attempt: Attempt;
  readonly status: 'DELIVERED' | 'RETRYING' | 'FAILED' | 'DEAD';
  /** When the next attempt is due; null where there is none. */
  readonly dueAt: Date | null;
}

/**
 * Writes results with their attempts; those whose claim was lost are left out. It does not ask for `due_at`:
 * the planner would then read every delivery that waits, by the index of those.
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

/** What a batch of results says of one endpoint. */
export interface EndpointNews extends Scope {
  readonly endpointId: string;
  /** Of the latest success; null without one. */
  readonly succeededAt: Date | null;
  /** Of the latest failure after the latest success, and why; null without one. */
  readonly failedAt: Date | null;
  readonly error: string | null;
  /** It answered that it is gone for good. */
  readonly isGone: boolean;
}

/** An endpoint that was disabled now. */
export interface DisabledEndpoint extends Scope {
  readonly id: string;
  /** A sentence for the owners. */
  readonly reason: string;
}

/**
 * Notes when endpoints succeeded or failed, and disables those that are gone or have failed for some days.
 *
 * @param failingBefore - an endpoint that has failed since then is disabled
 */
export async function noteEndpoints(
  ctx: Context,
  news: readonly EndpointNews[],
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
               OR w.last_success_at < n.succeeded_at - ${SUCCESS_EVERY})
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
      ...arraysOf(news, 'workspaceId', 'mode', 'endpointId', 'succeededAt', 'failedAt', 'error', 'isGone'),
      failingBefore,
      ctx.clock.now(),
    ],
  );
}
