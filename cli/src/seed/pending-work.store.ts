import type { Context } from '@loyalty/platform/context';

/** Are there events or jobs that a worker could take now? */
export async function isWorkPending(ctx: Context): Promise<boolean> {
  const [row] = await ctx.sql.query<{ isPending: boolean }>(
    `/* every workspace */ SELECT EXISTS (SELECT 1 FROM platform.outbox WHERE relayed_at IS NULL)
         OR EXISTS (SELECT 1 FROM pgboss.job WHERE state IN ('created', 'active') AND start_after <= now())
         AS "isPending"`,
  );
  return row!.isPending;
}
