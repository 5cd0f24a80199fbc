import type { Scope } from '@loyalty/platform/caller/caller';
import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/loading/array-parameters';
import type { Attempt } from './attempt.ts';

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

/** How exact the time of the last success is: a busy endpoint's row is not written with every delivery. */
export const SUCCESS_EVERY = `interval '10 seconds'`;

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
