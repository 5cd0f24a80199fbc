import type { Scope } from '@loyalty/platform/caller/caller';
import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import { addMs } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/loading/array-parameters';
import { type Claimed, mayBeTaken } from '@loyalty/platform/outbox/lost-workers';
import type { MessageCategory, MessageSourceKind, SealedMessage } from '../messages/message.ts';
import { LEASE_MS } from '../queue/message-lease.ts';
import { sharedGate } from '../queue/sending-gate.ts';

/** A message that a worker has taken. */
export interface ClaimedMessage extends SealedMessage, Scope, Claimed {
  readonly category: MessageCategory;
  readonly emailIndex: string;
  readonly sourceKind: MessageSourceKind | null;
  readonly sourceId: string | null;
  readonly nodeId: string | null;
  /** Others who take it later get a higher one; then this worker writes nothing more about it. */
  readonly claim: number;
  readonly attempts: number;
  readonly rounds: number;
}

/** The messages of one workspace and category. */
export interface Queue {
  readonly workspaceId: string;
  readonly category: MessageCategory;
}

/** How many messages are to be taken. */
export interface Room {
  readonly total: number;
  readonly perQueue: number;
  /** Queues of which messages are under way already, and how many more may be taken of each. */
  readonly busy: readonly (Queue & { readonly room: number })[];
}

/**
 * Takes messages that are due. Each queue gives at most an equal share, so that no workspace waits for
 * another and no receipt for a campaign; the index gives the next queue without reading messages of the one
 * before. A workspace whose sending is stopped gives no marketing. Messages of paused sources have no time at
 * which they are due, and so are not in the index.
 *
 * @param maySuspect - one may be among them whose worker was lost
 */
export function claimMessages(
  { sql, clock }: Context,
  { total, perQueue, busy }: Room,
  maySuspect = true,
): Promise<ClaimedMessage[]> {
  const now = clock.now();
  return sql.query<ClaimedMessage>(claim, [
    now,
    total,
    perQueue,
    ...arraysOf(busy, 'workspaceId', 'category', 'room'),
    addMs(now, LEASE_MS),
    maySuspect,
  ]);
}

const claim = `/* every workspace */ WITH RECURSIVE queues AS (
       (SELECT workspace_id, category FROM engagement.messages WHERE due_at IS NOT NULL
         ORDER BY workspace_id, category LIMIT 1)
       UNION ALL
       SELECT next.workspace_id, next.category
         FROM queues AS q CROSS JOIN LATERAL (
              SELECT m.workspace_id, m.category FROM engagement.messages AS m
               WHERE m.due_at IS NOT NULL AND (m.workspace_id, m.category) > (q.workspace_id, q.category)
               ORDER BY m.workspace_id, m.category LIMIT 1) AS next
     ), open AS (
       SELECT q.* FROM queues AS q
        WHERE q.category <> 'MARKETING' OR NOT EXISTS (
              SELECT FROM engagement.message_settings AS s
               WHERE s.workspace_id = q.workspace_id AND s.stopped_at IS NOT NULL)
     ), due AS (
       SELECT found.*
         FROM open AS q
         LEFT JOIN unnest($4::uuid[], $5::engagement."MessageCategory"[], $6::int[])
                   AS busy(workspace_id, category, room)
           ON busy.workspace_id = q.workspace_id AND busy.category = q.category
        CROSS JOIN LATERAL (
              SELECT m.workspace_id, m.mode, m.id, m.due_at, m.claims FROM engagement.messages AS m
               WHERE m.workspace_id = q.workspace_id AND m.category = q.category AND m.due_at <= $1
               ORDER BY m.due_at
               LIMIT least(coalesce(busy.room, $3), $2 / (SELECT count(*) FROM open) + 1)
                 FOR UPDATE SKIP LOCKED) AS found
        ORDER BY q.category, found.due_at LIMIT $2
     )
     UPDATE engagement.messages AS m SET due_at = $7, claim = m.claim + 1, claims = m.claims + 1
       FROM due
      WHERE m.workspace_id = due.workspace_id AND m.mode = due.mode AND m.id = due.id
        AND ${mayBeTaken('due', '$8')}
     RETURNING m.workspace_id, m.mode, m.id, m.channel, m.member_id, m.recipient_sealed, m.template_id,
               m.template_version, m.content_sealed, m.content_id, m.data_sealed, m.category, m.email_index,
               m.source_kind, m.source_id, m.node_id, m.claim, m.attempts, m.rounds, m.claims`;

/** How a message goes on without, or after, its hand-over. */
export interface MessageMove {
  readonly id: string;
  readonly claim: number;
  readonly status: 'QUEUED' | 'SUPPRESSED' | 'SKIPPED' | 'SIMULATED' | 'FAILED';
  readonly reason: string | null;
  readonly detail: string | null;
  /** When it is due again; only of one that is queued. Infinity: when the emergency stop ends. */
  readonly dueAt: Date | 'infinity' | null;
  readonly rounds: number;
}

/** Writes how messages go on. Those that were taken by somebody else meanwhile stay as they are. */
export async function moveMessages(ctx: Context, moves: readonly MessageMove[]): Promise<void> {
  if (moves.length === 0) return;
  await ctx.sql.query(
    `WITH gate AS ${sharedGate}
     UPDATE engagement.messages AS m
        SET status = s.status, reason = s.reason, detail = s.detail, due_at = s.due_at, rounds = s.rounds,
            claims = 0, counted_at = CASE WHEN s.status IN ('QUEUED', 'SIMULATED') THEN m.counted_at END
       FROM gate, unnest($3::uuid[], $4::int[], $5::engagement."MessageStatus"[], $6::text[], $7::text[],
                   $8::timestamptz[], $9::int[]) AS s(id, claim, status, reason, detail, due_at, rounds)
      WHERE ${inScope('m')} AND m.id = ANY($3::uuid[]) AND m.id = s.id AND m.claim = s.claim
        AND m.due_at IS NOT NULL`,
    [...scopeOf(ctx), ...arraysOf(moves, 'id', 'claim', 'status', 'reason', 'detail', 'dueAt', 'rounds')],
  );
}
