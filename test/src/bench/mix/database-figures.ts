import { setTimeout as delay } from 'node:timers/promises';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@loyalty/prisma/embedded/embedded-postgres';
import pg from 'pg';

/** The totals of the database since its start. */
export interface DatabaseFigures {
  readonly commits: number;
  readonly statements: number;
  readonly walBytes: number;
  readonly sizeBytes: number;
}

/**
 * Starts PostgreSQL on a data directory, with settings that make it count statements and waits for the disk.
 */
export async function startCounting(dataDir: string): Promise<EmbeddedPostgres> {
  const first = await startEmbeddedPostgres({ dataDir });
  await withClient(first.url, async (client) => {
    await client.query("ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'");
    await client.query('ALTER SYSTEM SET compute_query_id = on');
  });
  await first.stop();
  const second = await startEmbeddedPostgres({ dataDir });
  await withClient(second.url, (client) => client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements'));
  return second;
}

export async function readFigures(client: pg.Client): Promise<DatabaseFigures> {
  const { rows } = await client.query<Record<keyof DatabaseFigures, string>>(
    `SELECT (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()) AS commits,
            (SELECT sum(calls) FROM pg_stat_statements) AS statements,
            pg_current_wal_lsn() - '0/0' AS "walBytes",
            pg_database_size(current_database()) AS "sizeBytes"`,
  );
  return Object.fromEntries(
    Object.entries(rows[0]!).map(([name, text]) => [name, Number(text)]),
  ) as unknown as DatabaseFigures;
}

/** The growth of each figure. */
export const growth = <Figures extends DatabaseFigures>(before: Figures, after: Figures): Figures =>
  Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, value - (before[name as keyof Figures] as number)]),
  ) as unknown as Figures;

/** The statements that took most time in the database. */
export async function slowest(client: pg.Client, count: number): Promise<string[]> {
  const { rows } = await client.query<{ share: number; calls: string; ms: number; text: string }>(
    `SELECT total_exec_time / sum(total_exec_time) OVER () AS share, calls, mean_exec_time AS ms,
            left(regexp_replace(query, '\\s+', ' ', 'g'), 100) AS text
       FROM pg_stat_statements ORDER BY total_exec_time DESC LIMIT $1`,
    [count],
  );
  return rows.map(
    ({ share, calls, ms, text }) =>
      `${(100 * share).toFixed(1)}%, ${calls} calls of ${ms.toFixed(2)} ms: ${text}`,
  );
}

/**
 * Waits until all events are relayed and delivered and all imports have ended.
 *
 * @throws Error if that takes longer than `seconds`
 */
export async function waitUntilFinished(client: pg.Client, seconds: number): Promise<void> {
  const until = performance.now() + seconds * 1_000;
  for (;;) {
    const { rows } = await client.query<{ events: number; deliveries: number; imports: number }>(
      `SELECT (SELECT count(*) FROM platform.outbox WHERE relayed_at IS NULL)::int AS events,
              (SELECT count(*) FROM engagement.webhook_deliveries
                WHERE due_at IS NOT NULL)::int AS deliveries,
              (SELECT count(*) FROM platform.imports WHERE status IN ('QUEUED', 'RUNNING'))::int AS imports`,
    );
    const waiting = rows[0]!;
    if (Object.values(waiting).every((count) => count === 0)) return;
    if (performance.now() > until) throw new Error(`${JSON.stringify(waiting)} wait after ${seconds} s`);
    await delay(500);
  }
}

async function withClient(url: string, act: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await act(client);
  } finally {
    await client.end();
  }
}
