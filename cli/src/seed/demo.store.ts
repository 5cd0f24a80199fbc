import type { Context } from '@loyalty/platform/context';

/**
 * Marks a demo that is not complete yet. The mark is a comment on the schema, because it belongs to the
 * database as a whole and to no workspace.
 */
const MARK = 'The demo workspace is not complete.';

export async function markIncomplete(ctx: Context): Promise<void> {
  await ctx.sql.query(`COMMENT ON SCHEMA platform IS '${MARK}'`);
}

export async function markComplete(ctx: Context): Promise<void> {
  await ctx.sql.query('COMMENT ON SCHEMA platform IS NULL');
}

/** Returns whether a process ended before its demo was complete. */
export async function isIncomplete(ctx: Context): Promise<boolean> {
  const [row] = await ctx.sql.query<{ comment: string | null }>(
    `SELECT obj_description('platform'::regnamespace, 'pg_namespace') AS comment`,
  );
  return row?.comment === MARK;
}

/** Returns whether a worker can take events or jobs now, or failed jobs will be tried again. */
export async function isWorkPending(ctx: Context): Promise<boolean> {
  const [row] = await ctx.sql.query<{ isPending: boolean }>(
    `/* every workspace */ SELECT EXISTS (SELECT 1 FROM platform.outbox WHERE relayed_at IS NULL)
         OR EXISTS (SELECT 1 FROM pgboss.job
                     WHERE state = 'retry' OR state IN ('created', 'active') AND start_after <= now())
         AS is_pending`,
  );
  return row!.isPending;
}
