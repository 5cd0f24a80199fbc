import type { Services } from '@loyalty/platform/context';

/**
 * Returns whether another job of the same workspace is running. Two places that fetch a job at the same
 * moment may both receive one. Both jobs are stored before either place calls this function, so at least one
 * of them sees the other one and returns its job.
 */
export async function hasOther(
  { database }: Services,
  queue: string,
  { id, groupId }: { readonly id: string; readonly groupId?: string | null | undefined },
): Promise<boolean> {
  if (!groupId) return false;
  const others = await database.sql.query(
    `SELECT 1 FROM pgboss.job WHERE name = $1 AND state = 'active' AND group_id = $2 AND id <> $3 LIMIT 1`,
    [queue, groupId, id],
  );
  return others.length > 0;
}
