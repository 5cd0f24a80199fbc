import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Condition } from '@loyalty/engagement-subgraph/conditions/condition';
import { previewCondition } from '@loyalty/engagement-subgraph/conditions/conditions.service';
import { aspectsOf } from '@loyalty/engagement-subgraph/conditions/named-things';
import { computeSegment } from '@loyalty/engagement-subgraph/profiles/computations.service';
import { givenSegment } from '@loyalty/engagement-subgraph/profiles/memberships.fixture';
import {
  requestComputation,
  updateMemberships,
} from '@loyalty/engagement-subgraph/profiles/memberships.service';
import { lockProfiles } from '@loyalty/engagement-subgraph/profiles/profiles.service';
import { systemCaller } from '@loyalty/platform/base/caller';
import { newId } from '@loyalty/platform/base/ids';
import { loadConfig } from '@loyalty/platform/config/config';
import type { Context } from '@loyalty/platform/context';
import { createContext } from '@loyalty/platform/database/create-context';
import { createServices } from '@loyalty/platform/services';
import { createDatabase } from '@loyalty/prisma/client';
import { startEmbeddedPostgres } from '@loyalty/prisma/embedded/embedded-postgres';
import { temporaryDataDir } from '@loyalty/prisma/embedded/postgres-data-dir';
import { applyMigrations } from '@loyalty/prisma/migrate/migrate';
import { memoryOf, postgresMemory } from './bulk/process-figures.ts';
import { median } from './measure.ts';
import { generateProfiles, tierIds } from './segment-rows.ts';

/**
 * Compares a preview of five conditions over a million members with the same query written by hand, and
 * measures the update of a member's segments after an event and computations for all members. `--members
 * 100000` uses a tenth of the members.
 */
const at = process.argv.indexOf('--members');
const MEMBERS = at > 0 ? Number(process.argv[at + 1]) : 1_000_000;
const SEGMENTS = 50;
const COMPUTED = 8;
const PREVIEWS = 7;
const UPDATES = 1_000;

const dataDir = temporaryDataDir('loyalty-bench-');
const directory = await mkdtemp(join(tmpdir(), 'loyalty-bench-'));
// PostgreSQL waits for the disk, as in production.
const postgres = await startEmbeddedPostgres({ dataDir, fsync: true });
await applyMigrations(postgres.url);
const env = {
  NODE_ENV: 'test',
  LOG_LEVEL: 'error',
  DATABASE_URL: postgres.url,
  LOYALTY_MASTER_KEYS: `bench:${Buffer.from('thirty-two bytes for the benches').toString('base64')}`,
};
const config = { ...loadConfig(env, directory), DATABASE_URL: postgres.url };
const noPeers = { ask: () => Promise.reject(new Error('no other subgraph is asked')), close: async () => {} };
// The timeout is long, so that a slow preview is measured as well.
const database = createDatabase({ url: postgres.url, statementTimeoutMs: 60_000 });
const services = await createServices(config, 'bench', { peers: noPeers, database });
const workspaceId = randomUUID();
const ctx: Context = createContext(services, {
  caller: systemCaller('bench', { workspaceId, mode: 'LIVE' }),
  requestId: 'bench',
});
const pidFile = join(dataDir, 'cluster', 'postmaster.pid');

async function main(): Promise<void> {
  const [{ occurrences }, ms] = await timed(() =>
    generateProfiles({ databaseUrl: postgres.url, workspaceId, members: MEMBERS }),
  );
  say(`${said(MEMBERS)} members and ${said(occurrences)} occurrences written in ${said(ms / 1_000)} s`);
  await previews();
  await computations();
  await updates();
}

const TREE: Condition = {
  op: 'and',
  conditions: [
    { field: 'points_balance', operator: 'at_least', value: 500 },
    { field: 'tags', operator: 'includes_any', value: ['early'] },
    { field: 'tier', operator: 'in', value: [tierIds[1], tierIds[2], tierIds[3]] },
    { event: 'order.created', operator: 'at_least', count: 2, within_days: 90 },
    { event: 'view', operator: 'at_least', count: 1, within_days: 30 },
  ],
};

/** The query as an expert would write it by hand. */
const BY_HAND = `
  SELECT count(*)::int AS count
    FROM engagement.profiles AS p
    JOIN (SELECT member_id FROM engagement.occurrences
           WHERE workspace_id = $1 AND mode = 'LIVE' AND kind = 'ORDER' AND name = ''
             AND occurred_at > $2::timestamptz - interval '90 days'
           GROUP BY member_id HAVING count(*) >= 2) AS ordered USING (member_id)
   WHERE p.workspace_id = $1 AND p.mode = 'LIVE' AND p.points_balance >= 500 AND p.tags && '{early}'
     AND p.tier_id = ANY($3::uuid[])
     AND EXISTS (SELECT FROM engagement.occurrences AS v
                  WHERE v.workspace_id = $1 AND v.mode = 'LIVE' AND v.kind = 'TRACKED' AND v.name = 'view'
                    AND v.occurred_at > $2::timestamptz - interval '30 days' AND v.member_id = p.member_id)`;

async function previews(): Promise<void> {
  const times = { product: [] as number[], hand: [] as number[] };
  let counts: number[] = [];
  for (let run = 0; run < PREVIEWS; run += 1) {
    const [preview, product] = await timed(() => previewCondition(ctx, TREE, 20));
    const values = [workspaceId, ctx.clock.now(), tierIds.slice(1)];
    const [rows, hand] = await timed(() => ctx.sql.query<{ count: number }>(BY_HAND, values));
    times.product.push(product);
    times.hand.push(hand);
    counts = [preview.count, rows[0]!.count];
  }
  if (Math.abs(counts[0]! - counts[1]!) > 5) throw new Error(`counts differ: ${counts.join()}`);
  const [product, hand] = [median(times.product), median(times.hand)];
  say(
    `preview of five conditions: ${said(product)} ms (${list(times.product)}), by hand ${said(hand)} ms ` +
      `(${list(times.hand)}): ${(product / hand).toFixed(2)} of it; ${said(counts[0]!)} members`,
  );
}

/** One of fifty conditions of different shapes that an order may change. */
const condition = (number: number): Condition => ({
  op: number % 5 === 4 ? 'or' : 'and',
  conditions: [
    { event: 'order.created', operator: 'at_least', count: 1 + (number % 4), within_days: 10 + number * 3 },
    { field: 'points_balance', operator: 'at_least', value: 2_500 + number * 40 },
    ...(number % 2 ? [{ field: 'tags', operator: 'includes_any', value: ['vip'] }] : []),
    ...(number % 3 ? [] : [{ event: 'view', operator: 'at_least' as const, count: 1, within_days: 30 }]),
    ...(number % 7
      ? []
      : [{ op: 'not' as const, conditions: [{ field: 'locale', operator: 'equals', value: 'en' }] }]),
  ],
});

/**
 * Computes the first segments for all members. The others are only marked as computed, which is enough for
 * updates.
 */
async function computations(): Promise<void> {
  const rates: number[] = [];
  let before = memories();
  for (let number = 0; number < SEGMENTS; number += 1) {
    const tree = condition(number);
    const id = await givenSegment(ctx, tree, { aspects: [...aspectsOf(tree)] });
    if (number >= COMPUTED) await setComputed(id);
    else rates.push(await computationRate(id));
    if (number === 0) {
      await ctx.transaction((tx) => requestComputation(tx, id));
      say(`first computation ${said(rates[0]!)} members/s, the next one ${said(await computationRate(id))}`);
      before = memories();
    }
  }
  const [counted] = await ctx.sql.query<{ rows: bigint; members: bigint }>(
    `SELECT count(*) AS rows, count(*) FILTER (WHERE is_member) AS members FROM engagement.segment_members
      WHERE workspace_id = $1`,
    [workspaceId],
  );
  say(
    `computation of ${COMPUTED} segments: median ${said(median(rates))} members/s, slowest ` +
      `${said(Math.min(...rates))}; ${said(Number(counted!.rows))} rows, ${said(Number(counted!.members))} in`,
  );
  say(`memory after the first and the last: ${memoriesSaid(before)}; ${memoriesSaid(memories())}`);
}

async function computationRate(segmentId: string): Promise<number> {
  const [, ms] = await timed(() => computeSegment(ctx, segmentId));
  return MEMBERS / (ms / 1_000);
}

const setComputed = (id: string): Promise<unknown> =>
  ctx.sql.query(
    `UPDATE engagement.segments SET computed_version = version, computed_to_id = NULL
      WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, id],
  );

async function updates(): Promise<void> {
  await ctx.sql.query('ANALYZE engagement.segment_members');
  const members = await ctx.sql.query<{ id: string }>(
    `SELECT member_id AS id FROM engagement.profiles WHERE workspace_id = $1 AND mode = 'LIVE'
        AND member_id > gen_random_uuid() LIMIT $2`,
    [workspaceId, UPDATES + 100],
  );
  const times: number[] = [];
  let before = memories();
  for (const [number, { id }] of members.entries()) {
    if (number === 100) before = memories();
    await ctx.transaction(async (tx) => {
      await lockProfiles(tx);
      await tx.sql.query(
        `INSERT INTO engagement.occurrences (workspace_id, mode, member_id, kind, name, occurred_at, ref_id)
         VALUES ($1, 'LIVE', $2, 'ORDER', '', $3, $4)`,
        [workspaceId, id, ctx.clock.now(), newId(ctx.clock)],
      );
      const [, ms] = await timed(() =>
        updateMemberships(tx, { memberIds: [id], aspects: new Set(['ORDERS']) }),
      );
      if (number >= 100) times.push(ms);
    });
  }
  const sorted = times.toSorted((one, other) => one - other);
  const [published] = await ctx.sql.query<{ events: bigint }>(
    `SELECT count(*) AS events FROM platform.outbox WHERE workspace_id = $1 AND type LIKE 'segment.%'`,
    [workspaceId],
  );
  say(
    `update of ${SEGMENTS} segments after an order: median ${median(times).toFixed(2)} ms, p95 ` +
      `${sorted[Math.floor(sorted.length * 0.95)]!.toFixed(2)} ms; ${said(Number(published!.events))} events`,
  );
  say(`memory before and after: ${memoriesSaid(before)}; ${memoriesSaid(memories())}`);
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const start = performance.now();
  const result = await work();
  return [result, performance.now() - start];
}

const memories = () => ({ node: memoryOf(process.pid).now, postgres: postgresMemory(pidFile) });
const memoriesSaid = ({ node, postgres: database }: ReturnType<typeof memories>): string =>
  `${said(node)} MiB and PostgreSQL ${said(database)} MiB`;
const said = (value: number): string => Math.round(value).toLocaleString('en');
const list = (values: readonly number[]): string => values.map(said).join(' · ');
function say(line: string): void {
  console.log(line);
}

try {
  await main();
} finally {
  await services.close();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
  await rm(directory, { recursive: true, force: true });
}
