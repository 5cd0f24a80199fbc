import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { sharedGate } from '../queue/sending-gate.ts';
import type { ClaimedMessage } from './claims.store.ts';

/** Returns those that nobody else has taken meanwhile, or held. */
export async function markPushesSent(
  tx: Context,
  messages: readonly Pick<ClaimedMessage, 'id' | 'claim'>[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.sql.query<{ id: string }>(
    `WITH gate AS ${sharedGate}
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
