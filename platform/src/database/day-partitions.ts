import { failedWith } from '@loyalty/prisma/sqlstate';
import { addMs, DAY_MS } from '../base/clock.ts';
import { firstIdAt } from '../base/ids.ts';
import type { Context } from '../context.ts';
import { setStatementTimeout } from './statement-timeout.ts';

/** Locked while a partition is made, so that two processes do not make the same one. */
const LOCK = 772_403;

/** On a busy server a table may take longer to make than requests wait for a lock. */
const SECONDS = 10;

/** Midnight in UTC of a moment's day. */
export const midnight = (time: Date): Date => addMs(time, -(time.getTime() % DAY_MS));

/** `20261122`, of midnight in UTC. */
const nameOf = (day: Date): string => day.toISOString().slice(0, 10).replaceAll('-', '');

/**
 * Makes the partition of a day, unless there is one for it, of a table that is partitioned by the time in
 * UUIDv7 ids.
 *
 * @param table - with its schema: `workspace.call_log`
 * @param day - its midnight in UTC
 */
export async function createDayPartition(ctx: Context, table: string, day: Date): Promise<void> {
  try {
    await ctx.transaction((tx) => attachPartition(tx, table, day));
  } catch (error) {
    // Another partition holds the day.
    if (!failedWith(error, 'INVALID_OBJECT_DEFINITION')) throw error;
  }
}

async function attachPartition(tx: Context, table: string, day: Date): Promise<void> {
  const { sql } = tx;
  const name = `${table}_${nameOf(day)}`;
  await setStatementTimeout(tx, { statement: SECONDS, lock: SECONDS });
  // Before the look-up: a partition is seen a moment before other sessions insert into it.
  await sql.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
  if (await isThere(sql, name)) return;
  await sql.query(`CREATE TABLE ${name} (LIKE ${table})`);
  // Unlike CREATE TABLE … PARTITION OF, this waits for no reader and keeps none waiting.
  await sql.query(
    `ALTER TABLE ${table} ATTACH PARTITION ${name}
         FOR VALUES FROM ('${firstIdAt(day)}') TO ('${firstIdAt(addMs(day, DAY_MS))}')`,
  );
}

async function isThere(sql: Context['sql'], name: string): Promise<boolean> {
  const [found] = await sql.query<{ isThere: boolean }>(`SELECT to_regclass($1) IS NOT NULL AS is_there`, [
    name,
  ]);
  return found!.isThere;
}

/** The days that have a partition, by their midnight in UTC, the oldest first. */
export async function partitionDays({ sql }: Context, table: string): Promise<Date[]> {
  const partitions = await sql.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = $1::regclass AND c.relname ~ '_\\d{8}$' ORDER BY c.relname`,
    [table],
  );
  return partitions.map(({ name }) => {
    const [, year, month, day] = /(\d{4})(\d{2})(\d{2})$/.exec(name)!;
    return new Date(`${year}-${month}-${day}T00:00:00Z`);
  });
}

/** Drops the partition of a day and all rows in it. */
export const dropDayPartition = ({ sql }: Context, table: string, day: Date): Promise<unknown> =>
  sql.query(`DROP TABLE IF EXISTS ${table}_${nameOf(day)}`);
