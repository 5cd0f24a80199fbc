import type { Scope } from '@loyalty/platform/base/caller';
import { addMs } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/database/array-parameters';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { type Claimed, mayBeTaken } from '@loyalty/platform/work/lost-workers';
import { LEASE_MS, sharedLock } from '../limits/message-queue.ts';
import type { MessageCategory, MessageSourceKind, SealedMessage } from '../messages/message.ts';
import type { Handover } from '../providers/send-mail.service.ts';

/** A message that a worker has claimed. */
export interface ClaimedMessage extends SealedMessage, Scope, Claimed {
  readonly category: MessageCategory;
  readonly emailIndex: string;
  readonly sourceKind: MessageSourceKind | null;
  readonly sourceId: string | null;
  readonly nodeId: string | null;
  /** Number of the claim. A later claim has a higher number; then this worker's writes have no effect. */
  readonly claim: number;
  readonly attempts: number;
  readonly rounds: number;
}

/** The messages of one workspace and category. */
export interface Queue {
  readonly workspaceId: string;
  readonly category: MessageCategory;
}

/** The number of messages that may be claimed. */
export interface SendingCapacity {
  readonly total: number;
  readonly perQueue: number;
  /** Queues with messages that are being sent, and how many more may be claimed of each. */
  readonly busy: readonly (Queue & { readonly free: number })[];
}

/**
 * Claims due messages. Each queue gives at most an equal share, so that no workspace waits for another, and
 * no receipt for a campaign. The index finds the next queue without reading the messages of the queue before.
 * Marketing of a workspace with an emergency stop is not claimed. Messages of paused sources have no due
 * time, and so are not in the index.
 *
 * @param maySuspect - whether a message whose worker was lost may be claimed
 */
export function claimMessages(
  { sql, clock }: Context,
  { total, perQueue, busy }: SendingCapacity,
  maySuspect = true,
): Promise<ClaimedMessage[]> {
  const now = clock.now();
  return sql.query<ClaimedMessage>(claim, [
    now,
    total,
    perQueue,
    ...arraysOf(busy, 'workspaceId', 'category', 'free'),
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
                   AS busy(workspace_id, category, free)
           ON busy.workspace_id = q.workspace_id AND busy.category = q.category
        CROSS JOIN LATERAL (
              SELECT m.workspace_id, m.mode, m.id, m.due_at, m.claims FROM engagement.messages AS m
               WHERE m.workspace_id = q.workspace_id AND m.category = q.category AND m.due_at <= $1
               ORDER BY m.due_at
               LIMIT least(coalesce(busy.free, $3), $2 / (SELECT count(*) FROM open) + 1)
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

/** The next status of a message, without or after a hand-over. */
export interface MessageMove {
  readonly id: string;
  readonly claim: number;
  readonly status: 'QUEUED' | 'SUPPRESSED' | 'SKIPPED' | 'SIMULATED' | 'FAILED';
  readonly reason: string | null;
  readonly detail: string | null;
  /**
   * The time at which a queued message is due again; null for other statuses. Infinity: when the emergency
   * stop ends.
   */
  readonly dueAt: Date | 'infinity' | null;
  readonly rounds: number;
}

/**
 * Writes the next status of messages. Has no effect on messages that another worker has claimed meanwhile.
 */
export async function moveMessages(ctx: Context, moves: readonly MessageMove[]): Promise<void> {
  if (moves.length === 0) return;
  await ctx.sql.query(
    `WITH gate AS ${sharedLock}
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

/** An attempt that is about to begin. */
export interface NewAttempt {
  readonly messageId: string;
  readonly claim: number;
  readonly providerId: string | null;
  readonly providerKind: string;
  /** Blind index of the address. */
  readonly emailIndex: string;
  /** The current address of the member; null if the message has its own. */
  readonly recipientSealed: Uint8Array | null;
  /** The reason why the message may be sent twice; null if it cannot. */
  readonly warning: string | null;
}

// The ids are passed twice, as a list and as rows to join, so that the plan is good while PostgreSQL has no
// statistics of a growing table.

/**
 * Inserts attempts before anything is sent. Returns the number of each attempt; null if another worker has
 * claimed the message.
 */
export async function startAttempts(
  ctx: Context,
  attempts: readonly NewAttempt[],
): Promise<(number | null)[]> {
  const rows = await ctx.sql.query<{ messageId: string; number: number }>(
    `WITH gate AS ${sharedLock}, started AS (
       UPDATE engagement.messages AS m
          SET attempts = m.attempts + 1, email_index = s.email_index,
              recipient_sealed = coalesce(s.recipient_sealed, m.recipient_sealed)
         FROM gate, unnest($3::uuid[], $4::int[], $5::uuid[], $6::text[], $7::bytea[], $8::text[],
                           $10::text[])
           AS s(id, claim, provider_id, provider_kind, recipient_sealed, warning, email_index)
        WHERE ${inScope('m')} AND m.id = ANY($3::uuid[]) AND m.id = s.id AND m.claim = s.claim
          AND m.due_at IS NOT NULL
       RETURNING m.id, m.attempts, s.provider_id, s.provider_kind, s.warning
     )
     INSERT INTO engagement.message_attempts
            (workspace_id, mode, message_id, number, provider_id, provider_kind, started_at, error)
     SELECT $1, $2::platform."Mode", id, attempts, provider_id, provider_kind, $9, warning FROM started
     RETURNING message_id, number`,
    [
      ...scopeOf(ctx),
      ...arraysOf(attempts, 'messageId', 'claim', 'providerId', 'providerKind', 'recipientSealed', 'warning'),
      ctx.clock.now(),
      attempts.map(({ emailIndex }) => emailIndex),
    ],
  );
  const numbers = new Map(rows.map(({ messageId, number }) => [messageId, number]));
  return attempts.map(({ messageId }) => numbers.get(messageId) ?? null);
}

/** An attempt that has ended. */
export interface EndedAttempt extends Handover {
  readonly messageId: string;
  readonly number: number;
  /** An earlier attempt may have sent the message, too. */
  readonly isWarned: boolean;
}

/** Writes the outcomes of attempts. An accepted message becomes SENT, even if it was cancelled meanwhile. */
export async function endAttempts(ctx: Context, ended: readonly EndedAttempt[]): Promise<void> {
  await ctx.sql.query(
    `WITH gate AS ${sharedLock}, ended AS (
       SELECT * FROM unnest($3::uuid[], $4::int[], $5::engagement."MessageAttemptOutcome"[], $6::int[],
                            $7::int[], $8::text[], $9::uuid[], $10::text[], $12::boolean[])
         AS e(message_id, number, outcome, duration_ms, response_status, error, provider_id,
              provider_message_id, is_warned)
     ), noted AS (
       UPDATE engagement.message_attempts AS a
          SET outcome = e.outcome, duration_ms = e.duration_ms, response_status = e.response_status,
              error = coalesce(e.error, a.error)
         FROM ended AS e
        WHERE ${inScope('a')} AND a.message_id = ANY($3::uuid[]) AND a.message_id = e.message_id
          AND a.number = e.number
     )
     UPDATE engagement.messages AS m
        SET status = CASE WHEN m.status IN ('QUEUED', 'SKIPPED') THEN 'SENT' ELSE m.status END,
            due_at = NULL, sent_at = $11,
            reason = CASE WHEN e.is_warned THEN 'POSSIBLY_SENT_TWICE' END,
            counted_at = CASE WHEN m.category = 'MARKETING' THEN coalesce(m.counted_at, $11) END,
            provider_id = e.provider_id, provider_message_id = e.provider_message_id
       FROM gate, ended AS e
      WHERE ${inScope('m')} AND m.id = ANY($3::uuid[]) AND m.id = e.message_id AND m.attempts = e.number
        AND e.outcome = 'ACCEPTED'`,
    [
      ...scopeOf(ctx),
      ...arraysOf(ended, 'messageId', 'number', 'outcome'),
      ended.map(({ durationMs }) => Math.round(durationMs)),
      ...arraysOf(ended, 'responseStatus', 'error', 'providerId', 'providerMessageId'),
      ctx.clock.now(),
      ended.map(({ isWarned }) => isWarned),
    ],
  );
}

/**
 * Marks messages as sent and returns their ids. Messages that were claimed by another worker or held
 * meanwhile are skipped.
 */
export async function markPushesSent(
  tx: Context,
  messages: readonly Pick<ClaimedMessage, 'id' | 'claim'>[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.sql.query<{ id: string }>(
    `WITH gate AS ${sharedLock}
     UPDATE engagement.messages AS m
        SET status = 'SENT', reason = NULL, due_at = NULL, sent_at = $5,
            counted_at = CASE WHEN m.category = 'MARKETING' THEN coalesce(m.counted_at, $5) END
       FROM gate, unnest($3::uuid[], $4::int[]) AS s(id, claim)
      WHERE ${inScope('m')} AND m.id = ANY($3::uuid[]) AND m.id = s.id AND m.claim = s.claim
        AND m.due_at IS NOT NULL
     RETURNING m.id`,
    [...scopeOf(tx), messages.map(({ id }) => id), messages.map(({ claim }) => claim), tx.clock.now()],
  );
  return new Set(rows.map(({ id }) => id));
}
