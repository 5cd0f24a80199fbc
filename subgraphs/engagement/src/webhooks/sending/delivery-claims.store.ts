import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/loading/array-parameters';
import { ASYNCHRONOUS_COMMIT } from '@loyalty/platform/outbox/asynchronous-commit';
import { mayBeTaken } from '@loyalty/platform/outbox/lost-workers';
import type { ClaimedDelivery } from './attempt.ts';
import { SUCCESS_EVERY } from './results.store.ts';

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
