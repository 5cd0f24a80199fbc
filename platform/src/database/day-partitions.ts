import { failedWith } from '@loyalty/prisma/sqlstate';
import { addMs, DAY_MS } from '../base/clock.ts';
import { firstIdAt } from '../base/ids.ts';
import type { Context } from '../context.ts';
import { setStatementTimeout } from './statement-timeout.ts';

/** Advisory lock for making a partition, so that two processes do not make the same one. */
const LOCK = 772_403;

/**
 * Time limit in seconds. On a busy server, creating a table may take longer than the lock limit of requests.
 */
const SECONDS = 10;

/** Returns midnight in UTC of the day of an instant. */
export const midnight = (time: Date): Date => addMs(time, -(time.getTime() % DAY_MS));

/** Suffix of a partition, from midnight in UTC: `20261122`. */
const nameOf = (day: Date): string => day.toISOString().slice(0, 10).replaceAll('-', '');

/**
 * Creates the partition of a day if it does not exist, for a table that is partitioned by the time in UUIDv7
 * ids.
 *
 * @param table - with its schema: `workspace.call_log`
 * @param day - midnight in UTC
 */
export async function createDayPartition(ctx: Context, table: string, day: Date): Promise<void> {
  try {
    await ctx.transaction((tx) => attachPartition(tx, table, day));
  } catch (error) {
    // Another partition already covers the day.
    if (!failedWith(error, 'INVALID_OBJECT_DEFINITION')) throw error;
  }
}

async function attachPartition(tx: Context, table: string, day: Date): Promise<void> {
  const { sql } = tx;
  const name = `${table}_${nameOf(day)}`;
  await setStatementTimeout(tx, { statement: SECONDS, lock: SECONDS });
  // The lock comes before the look-up, because a partition is visible a moment before other sessions insert
  // into it.
  await sql.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
  if (await isThere(sql, name)) return;
  await sql.query(`CREATE TABLE ${name} (LIKE ${table})`);
  // Unlike CREATE TABLE … PARTITION OF, this neither waits for readers nor blocks them.
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

/** Returns the days with a partition, as midnight in UTC, the oldest first. */
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

/** Drops the partition of a day with all of its rows. */
export const dropDayPartition = ({ sql }: Context, table: string, day: Date): Promise<unknown> =>
  sql.query(`DROP TABLE IF EXISTS ${table}_${nameOf(day)}`);
