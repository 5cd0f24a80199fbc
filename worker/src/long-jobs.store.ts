import type { Services } from '@loyalty/platform/context';

/**
 * Is another job of the same workspace under way? Two places that look for a job in the same moment may each
 * be given one: both are kept before either asks here, so at least one sees the other, and who does leaves.
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
