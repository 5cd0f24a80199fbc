import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/loading/array-parameters';
import type { Handover } from '../../providers/email-providers/send-mail.service.ts';
import { sharedGate } from '../queue/sending-gate.ts';

/** An attempt that is about to begin. */
export interface NewAttempt {
  readonly messageId: string;
  readonly claim: number;
  readonly providerId: string | null;
  readonly providerKind: string;
  /** Of the address. */
  readonly emailIndex: string;
  /** The address of the member at this moment; null where the message has one. */
  readonly recipientSealed: Uint8Array | null;
  /** Why the message may be sent twice; null where it cannot. */
  readonly warning: string | null;
}

// The ids are given twice, as a list and as rows to join: so the plan is good also while PostgreSQL has no
// statistics of a table that is being filled.

/**
 * Notes attempts before anything is sent. The number of each; null where somebody else has taken the message.
 */
export async function startAttempts(
  ctx: Context,
  attempts: readonly NewAttempt[],
): Promise<(number | null)[]> {
  const rows = await ctx.sql.query<{ messageId: string; number: number }>(
    `WITH gate AS ${sharedGate}, started AS (
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

/** Notes how attempts ended; a message that was accepted is sent, also where it was cancelled meanwhile. */
export async function endAttempts(ctx: Context, ended: readonly EndedAttempt[]): Promise<void> {
  await ctx.sql.query(
    `WITH gate AS ${sharedGate}, ended AS (
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
