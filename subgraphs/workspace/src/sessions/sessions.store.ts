import type { Context } from '@loyalty/platform/context';

interface EndedSession {
  readonly sessionId: string;
  readonly accountId: string;
  /** From then on no token of the session is valid anyway. */
  readonly endsAt: Date;
}

export async function keepEndedSession(
  ctx: Context,
  { sessionId, accountId, endsAt }: EndedSession,
): Promise<void> {
  await ctx.sql.query(
    `INSERT INTO workspace.ended_sessions (session_id, account_id, ends_at) VALUES ($1, $2, $3)
     ON CONFLICT (session_id) DO NOTHING`,
    [sessionId, accountId, endsAt],
  );
}
