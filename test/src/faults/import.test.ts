import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { importOrdersJob } from '@loyalty/commerce-subgraph/orders/order-import.jobs';
import {
  appendImport,
  createImport,
  getImport,
  startImport,
} from '@loyalty/loyalty-subgraph/imports/imports.service';
import type { Context } from '@loyalty/platform/context';
import { eventually } from '../harness/eventually.ts';
import { callerOf, contextOf, useServices } from '../harness/services.ts';
import { compileCache } from '../processes/compile-cache.ts';

const child = fileURLToPath(new URL('./job.process.ts', import.meta.url));
const ROWS = 120_000;
const PART = 150_000;

const { services, newContext } = useServices();

/** Makes a queued import of orders in which one row of ten is wrong; returns its id. */
async function queued(ctx: Context): Promise<string> {
  const rows = Array.from(
    { length: ROWS },
    (_, row) => `ORDER-${row},2026-01-01T00:00:00Z,EUR,${row % 10 === 0 ? 'x' : row}`,
  );
  const file = Buffer.from(`external_order_id,occurred_at,currency,total\n${rows.join('\n')}\n`);
  const { id } = await createImport(ctx, 'ORDERS', { format: 'CSV' });
  let parts = 0;
  for (let at = 0; at < file.length; at += PART, parts += 1)
    await appendImport(ctx, id, parts, file.subarray(at, at + PART).toString('base64'));
  await startImport(ctx, id, parts);
  return id;
}

/** Expects that every valid row is stored once and that the numbers of the import are correct. */
async function expectExact(ctx: Context, id: string): Promise<void> {
  expect(await getImport(ctx, id)).toMatchObject({
    status: 'COMPLETED_WITH_ERRORS',
    total: ROWS,
    processed: ROWS,
    inserted: ROWS * 0.9,
    updated: 0,
    skipped: 0,
    failed: ROWS * 0.1,
    issues: ROWS * 0.1,
  });
  const { sql } = services.database;
  const { workspaceId } = ctx.scope;
  const [counted] = await sql.query<{ orders: number; sum: string }>(
    `SELECT count(*)::int AS orders, sum(total_minor)::text AS sum FROM commerce.orders WHERE workspace_id = $1`,
    [workspaceId],
  );
  const total = Array.from({ length: ROWS }, (_, row) => (row % 10 === 0 ? 0 : row)).reduce(
    (a, b) => a + b,
    0,
  );
  expect(counted).toEqual({ orders: ROWS * 0.9, sum: String(total) });
  const [left] = await sql.query<{ parts: number; issues: number; published: number }>(
    `SELECT (SELECT count(*)::int FROM platform.import_parts WHERE import_id = $1) AS parts,
            (SELECT count(*)::int FROM platform.import_issues WHERE import_id = $1) AS issues,
            (SELECT count(*)::int FROM platform.outbox
              WHERE type = 'orders.imported' AND workspace_id = $2) AS published`,
    [id, workspaceId],
  );
  expect(left).toEqual({ parts: 0, issues: 1_000, published: 1 });
}

const run = (ctx: Context, importId: string) => importOrdersJob.run(ctx, { importId });

test('an import whose process is killed goes on where it stopped: no row is lost, none is written twice', async () => {
  const caller = callerOf();
  const ctx = contextOf(services, caller);
  const id = await queued(ctx);
  const { dataDir, masterKeys } = services.config;
  const env = {
    PATH: process.env['PATH'],
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    ...compileCache,
    DATABASE_URL: services.url,
    LOYALTY_MASTER_KEYS: masterKeys
      .map(({ id: key, key: bytes }) => `${key}:${bytes.toString('base64')}`)
      .join(','),
  };
  let killed = 0;
  for (let round = 0; round < 3; round += 1) {
    const { position } = await getImport(ctx, id);
    const jobs = JSON.stringify({ [importOrdersJob.name]: { importId: id } });
    const running = spawn(process.execPath, [child, caller.workspaceId!, dataDir, jobs], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = once(running, 'close');
    // The process is killed shortly after a batch was stored, at any point of the next batch.
    await eventually(async () => {
      const now = await getImport(ctx, id);
      expect(now.position > position || now.finishedAt !== null).toBe(true);
    });
    await delay(5 * round);
    running.kill('SIGKILL');
    await closed;
    if ((await getImport(ctx, id)).finishedAt === null) killed += 1;
  }
  expect(killed).toBeGreaterThan(0);
  await run(ctx, id);
  await expectExact(ctx, id);
});

test('an import whose connections are cut is exact after the next try', async () => {
  const ctx = newContext();
  const id = await queued(ctx);
  const first = run(ctx, id).then(
    () => 'ended',
    () => 'failed',
  );
  await eventually(async () => expect((await getImport(ctx, id)).position).toBeGreaterThan(1));
  await services.database.outsideTransaction.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name <> 'loyalty-live'`,
  );
  await first;
  // The next attempt may get a connection that was cut. The queue would then try again, too.
  await eventually(() => run(ctx, id));
  await expectExact(ctx, id);
});

test('of two runs at the same time the later fences the earlier, and the result is exact', async () => {
  const ctx = newContext();
  const id = await queued(ctx);
  const first = run(ctx, id);
  await eventually(async () => expect((await getImport(ctx, id)).position).toBeGreaterThan(1));
  await Promise.all([first, run(ctx, id)]);
  // The job of a finished import does nothing.
  await run(ctx, id);
  await expectExact(ctx, id);
});
