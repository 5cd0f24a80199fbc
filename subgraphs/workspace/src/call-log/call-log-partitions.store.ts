import { addMs, DAY_MS } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';
import { firstIdAt } from '@loyalty/platform/values/ids';
import { failedWith } from '@loyalty/prisma/sqlstate';

/** Locked while a partition is made, so that two processes do not make the same one. */
const LOCK = 772_403;

/** Did an insert fail because the day has no partition yet? */
export const isPartitionMissing = (error: unknown): boolean => failedWith(error, 'CHECK_VIOLATION');

/** `20261122`, of midnight in UTC. */
const nameOf = (day: Date): string => day.toISOString().slice(0, 10).replaceAll('-', '');

/** Makes the partition of a day, given by its midnight in UTC, unless there is one for it. */
export async function createPartition(ctx: Context, day: Date): Promise<void> {
  try {
    await ctx.transaction((tx) => attachPartition(tx, day));
  } catch (error) {
    // Another partition holds the day.
    if (!failedWith(error, 'INVALID_OBJECT_DEFINITION')) throw error;
  }
}

async function attachPartition({ sql }: Context, day: Date): Promise<void> {
  const table = `workspace.call_log_${nameOf(day)}`;
  await sql.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
  const [found] = await sql.query<{ isThere: boolean }>(`SELECT to_regclass($1) IS NOT NULL AS "isThere"`, [
    table,
  ]);
  if (found!.isThere) return;
  await sql.query(`CREATE TABLE ${table} (LIKE workspace.call_log)`);
  // Unlike CREATE TABLE … PARTITION OF, this waits for no reader and keeps none waiting.
  await sql.query(
    `ALTER TABLE workspace.call_log ATTACH PARTITION ${table}
         FOR VALUES FROM ('${firstIdAt(day)}') TO ('${firstIdAt(addMs(day, DAY_MS))}')`,
  );
}

/** Drops the partitions whose last call is from before `before`; returns how many. */
export async function dropPartitionsBefore(ctx: Context, before: Date): Promise<number> {
  const partitions = await ctx.sql.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'workspace.call_log'::regclass ORDER BY c.relname`,
  );
  const last = nameOf(addMs(before, -DAY_MS));
  const old = partitions.filter(({ name }) => /^call_log_\d{8}$/.test(name) && name.slice(-8) <= last);
  for (const { name } of old) await ctx.sql.query(`DROP TABLE IF EXISTS workspace.${name}`);
  return old.length;
}
