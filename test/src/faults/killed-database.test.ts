import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { subgraphs } from '@loyalty/cli/subgraphs';
import { startBulkAward } from '@loyalty/loyalty-subgraph/bulk-awards/bulk-awards.service';
import {
  appendImport,
  createImport,
  getImport,
  startImport,
} from '@loyalty/loyalty-subgraph/imports/imports.service';
import { loadConfig } from '@loyalty/platform/config/config';
import { localPeers } from '@loyalty/platform/graph/peers';
import { createServices } from '@loyalty/platform/services';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@loyalty/prisma/embedded/embedded-postgres';
import { temporaryDataDir } from '@loyalty/prisma/embedded/postgres-data-dir';
import { applyMigrations } from '@loyalty/prisma/migrate/migrate';
import { eventually } from '../harness/eventually.ts';
import { callerOf, contextOf } from '../harness/services.ts';
import { compileCache } from '../processes/compile-cache.ts';

const child = fileURLToPath(new URL('./job.process.ts', import.meta.url));
const ROWS = 60_000;
const MEMBERS = 6_000;
const masterKeys = `test:${randomBytes(32).toString('base64')}`;
const dataDir = temporaryDataDir('loyalty-killed-');
const caller = callerOf();
const { workspaceId } = caller;

let directory: string;
let postgres: EmbeddedPostgres;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'loyalty-killed-'));
  postgres = await startEmbeddedPostgres({ dataDir });
  await applyMigrations(postgres.url);
});
afterAll(async () => {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  await rm(directory, { recursive: true, force: true });
});

const env = () => ({
  PATH: process.env['PATH'],
  NODE_ENV: 'test',
  LOG_LEVEL: 'silent',
  ...compileCache,
  DATABASE_URL: postgres.url,
  LOYALTY_MASTER_KEYS: masterKeys,
});

/** Opens the product over the database as it runs now. */
async function withProduct<T>(work: (ctx: ReturnType<typeof contextOf>) => Promise<T>): Promise<T> {
  const config = { ...loadConfig(env(), directory), DATABASE_URL: postgres.url };
  const services = await createServices(config, 'test', { peers: localPeers(subgraphs) });
  try {
    return await work(contextOf(services, caller));
  } finally {
    await services.close();
  }
}

async function queueBoth(
  ctx: ReturnType<typeof contextOf>,
): Promise<{ importId: string; bulkAwardId: string }> {
  await ctx.sql.query(
    `INSERT INTO loyalty.members (workspace_id, mode, id, status, enrollment_source, last_activity_at,
       created_at, updated_at)
     SELECT $1, 'LIVE', ('0197a3c2-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'ACTIVE', 'IMPORT',
            $2, $2, $2 FROM generate_series(1, ${MEMBERS}) AS n`,
    [workspaceId, ctx.clock.now()],
  );
  const award = await startBulkAward(ctx, { amount: 3, description: 'sorry', status: 'ACTIVE' });
  const rows = Array.from({ length: ROWS }, (_, row) => `KILLED-${row},2026-01-01T00:00:00Z,EUR,${row}`);
  const file = Buffer.from(`external_order_id,occurred_at,currency,total\n${rows.join('\n')}\n`);
  const { id } = await createImport(ctx, 'ORDERS', { format: 'CSV' });
  let parts = 0;
  for (let at = 0; at < file.length; at += 150_000, parts += 1)
    await appendImport(ctx, id, parts, file.subarray(at, at + 150_000).toString('base64'));
  await startImport(ctx, id, parts);
  return { importId: id, bulkAwardId: award.id };
}

const progressOf = async (ctx: ReturnType<typeof contextOf>, importId: string) => {
  const [award] = await ctx.sql.query<{ processed: number }>('SELECT processed FROM loyalty.bulk_awards');
  return { rows: (await getImport(ctx, importId)).processed, members: award!.processed };
};

const runJobs = ({ importId, bulkAwardId }: { importId: string; bulkAwardId: string }) => {
  const jobs = {
    'commerce.import-orders': { importId },
    'loyalty.run-bulk-award': { bulkAwardId },
  };
  return spawn(process.execPath, [child, workspaceId!, directory, JSON.stringify(jobs)], {
    env: env(),
    stdio: 'ignore',
  });
};

test('an import and a bulk award whose worker and database are killed together are exact in the end', async () => {
  const queued = await withProduct(queueBoth);
  const killed = runJobs(queued);
  const closed = once(killed, 'close');
  const before = await withProduct(async (ctx) => {
    await eventually(async () => {
      const { rows, members } = await progressOf(ctx, queued.importId);
      expect(rows > 0 && members > 0).toBe(true);
    });
    return progressOf(ctx, queued.importId);
  });
  const [postmaster] = readFileSync(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(postmaster), 'SIGKILL');
  killed.kill('SIGKILL');
  await closed;
  expect(before.rows < ROWS || before.members < MEMBERS).toBe(true);

  await postgres.stop();
  postgres = await startEmbeddedPostgres({ dataDir });
  const again = runJobs(queued);
  expect(await once(again, 'close')).toEqual([0, null]);
  await withProduct(async (ctx) => {
    expect(await progressOf(ctx, queued.importId)).toEqual({ rows: ROWS, members: MEMBERS });
    const [counted] = await ctx.sql.query(
      `SELECT (SELECT count(*)::int FROM commerce.orders) AS orders,
              (SELECT sum(total_minor)::text FROM commerce.orders) AS minor,
              (SELECT count(*)::int FROM loyalty.points_entries) AS entries,
              (SELECT sum(points_balance)::int FROM loyalty.members) AS points,
              (SELECT count(*)::int FROM platform.outbox WHERE type = 'loyalty.points_awarded') AS published,
              (SELECT count(*)::int FROM platform.outbox WHERE type = 'orders.imported') AS imported`,
    );
    expect(counted).toEqual({
      orders: ROWS,
      minor: String((ROWS * (ROWS - 1)) / 2),
      entries: MEMBERS,
      points: MEMBERS * 3,
      published: MEMBERS,
      imported: 1,
    });
  });
});
