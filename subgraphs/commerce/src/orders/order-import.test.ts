import { afterEach, expect, test } from '@jest/globals';
import type { Context } from '@loyalty/platform/context';
import { appendImport, startImport } from '@loyalty/platform/imports/import-files.service';
import { createImport, getImport } from '@loyalty/platform/imports/imports.service';
import { wrongCounts } from '@loyalty/test/harness/row-counts';
import { useServices } from '@loyalty/test/harness/services';
import { orderImport } from './order-import.events.ts';
import { importOrdersJob } from './order-import.jobs.ts';

const { services, newContext } = useServices();
afterEach(async () => expect(await wrongCounts(services.database.sql)).toEqual([]));

async function queued(ctx: Context, rows: readonly string[]): Promise<string> {
  const job = await createImport(ctx, orderImport, { format: 'CSV' });
  const file = `external_order_id,occurred_at,currency,total\n${rows.join('\n')}\n`;
  await appendImport(ctx, job, 0, Buffer.from(file).toString('base64'));
  await startImport(ctx, orderImport, job, { parts: 1 });
  return job.id;
}

/**
 * Sales by quarter of an hour. Quarters whose orders were moved remain as rows with zeros and are skipped.
 */
const countedSales = (ctx: Context) =>
  ctx.sql.query(
    `SELECT starts_at AS at, currency, orders, total_minor AS total FROM commerce.sales_periods
      WHERE workspace_id = $1 AND (orders, total_minor) <> (0, 0) ORDER BY 1, 2`,
    [ctx.scope.workspaceId],
  );

const actualSales = (ctx: Context) =>
  ctx.sql.query(
    `SELECT occurred_at AS at, currency, count(*)::int AS orders, sum(total_minor)::int8 AS total
       FROM commerce.orders WHERE workspace_id = $1 GROUP BY 1, 2 ORDER BY 1, 2`,
    [ctx.scope.workspaceId],
  );

const run = (ctx: Context, importId: string) => importOrdersJob.run(ctx, { importId });
const rowsOf = (count: number, total: number) =>
  Array.from({ length: count }, (_, row) => `O-${row},2026-01-01,EUR,${total}`);

test('imports of the same orders at the same time write each order once and lose no change', async () => {
  const ctx = newContext();
  const ids = await Promise.all([1, 2, 3].map((total) => queued(ctx, rowsOf(2_000, total))));
  await Promise.all(ids.map((id) => run(ctx, id)));
  const jobs = await Promise.all(ids.map((id) => getImport(ctx, id)));
  expect(jobs.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED']);
  expect(jobs.reduce((sum, { inserted }) => sum + inserted, 0)).toBe(2_000);
  expect(jobs.reduce((sum, { updated }) => sum + updated, 0)).toBe(4_000);
  const [counted] = await services.database.sql.query(
    `SELECT count(*)::int AS orders, count(DISTINCT total_minor)::int AS totals
       FROM commerce.orders WHERE workspace_id = $1`,
    [ctx.scope.workspaceId],
  );
  expect(counted).toEqual({ orders: 2_000, totals: 1 });
  expect(await countedSales(ctx)).toEqual(await actualSales(ctx));
});

test('an order that moves to another day, another amount and back counts once', async () => {
  const ctx = newContext();
  const files = [
    ['A,2026-01-01,EUR,10', 'B,2026-01-01,EUR,5'],
    ['A,2026-02-02,EUR,30', 'B,2026-01-01,USD,5'],
    ['A,2026-01-01,EUR,20', 'B,2026-01-01,USD,5', 'C,2026-01-03,EUR,1'],
  ];
  for (const rows of files) {
    await run(ctx, await queued(ctx, rows));
    expect(await countedSales(ctx)).toEqual(await actualSales(ctx));
  }
});

test('a file takes as many statements with one row as with fifty', async () => {
  const counts: number[] = [];
  for (const count of [1, 50]) {
    const ctx = newContext();
    const id = await queued(ctx, rowsOf(count, 5));
    services.statements.length = 0;
    await run(ctx, id);
    counts.push(services.statements.length);
  }
  expect(counts[1]).toBe(counts[0]);
});
