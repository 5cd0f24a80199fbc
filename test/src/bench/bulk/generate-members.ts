import pg from 'pg';
import { INSERT_CART_TOTALS, INSERT_MEMBERS, RESTRICT_MEMBERS } from './member-sql.ts';

const BATCH = 100_000;
/** The number of connections that insert at once. */
const CONNECTIONS = 2;

/** What to generate, and for whom. */
export interface Population {
  readonly databaseUrl: string;
  readonly workspaceId: string;
  readonly timeZone: string;
  readonly members: number;
  /** Equal seeds give equal members if they are made on the same day. */
  readonly seed: number;
}

/** Adds members with facts, statistics and totals; prints progress. */
export async function generateMembers(population: Population, say: (line: string) => void): Promise<void> {
  const { databaseUrl, workspaceId, timeZone, members, seed } = population;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });
  const startedAt = performance.now();
  const scope = [workspaceId, 'LIVE'];
  const now = new Date();
  const starts = Array.from({ length: Math.ceil(members / BATCH) }, (_, index) => index * BATCH).values();
  let made = 0;
  const work = async () => {
    for (const from of starts) {
      const to = Math.min(from + BATCH, members);
      await pool.query(INSERT_MEMBERS, [...scope, from, to, members, seed, now, timeZone]);
      made += to - from;
      const perSecond = made / ((performance.now() - startedAt) / 1_000);
      say(`  ${made.toLocaleString('en')} members generated, ${perSecond.toFixed(0)} a second`);
    }
  };
  try {
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
    await pool.query(INSERT_CART_TOTALS, scope);
    // Vacuums now, as autovacuum would do later, so that it does not disturb the measurement.
    await pool.query('VACUUM (ANALYZE) loyalty.members');
    // This runs after ANALYZE: without statistics the planner reads all members for each statement.
    for (let from = 0; from < members; from += BATCH)
      await pool.query(RESTRICT_MEMBERS, [...scope, from, Math.min(from + BATCH, members)]);
    for (const table of ['member_statistics', 'order_facts', 'event_facts']) {
      await pool.query(`VACUUM (ANALYZE) model.${table}`);
    }
  } finally {
    await pool.end();
  }
}
