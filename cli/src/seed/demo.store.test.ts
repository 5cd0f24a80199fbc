import { expect, test } from '@jest/globals';
import { event, publish } from '@loyalty/platform/work/events';
import { job } from '@loyalty/platform/work/jobs';
import { eventually } from '@loyalty/test/harness/eventually';
import { useServices } from '@loyalty/test/harness/services';
import { on } from '@loyalty/worker/reactions';
import { startWorker } from '@loyalty/worker/worker';
import { z } from 'zod';
import { isWorkPending } from './demo.store.ts';

const { services, ctx, beforeClose } = useServices();

test('work is pending until a job that failed has been tried again', async () => {
  let attempts = 0;
  const wanted = event('test.wanted', z.object({}));
  const failing = job('test.failing', z.object({}), async () => {
    attempts += 1;
    if (attempts === 1) throw new Error('not yet');
  });
  const config = { ...services.config, DATABASE_URL: services.url };
  const tables = { reactions: [on(wanted, failing)], schedule: [] };
  const worker = await startWorker({ ...services, config }, tables);
  beforeClose(() => worker.stop());
  expect(await isWorkPending(ctx)).toBe(false);

  await ctx.transaction((tx) => publish(tx, wanted, {}));
  await eventually(async () => {
    const [row] = await ctx.sql.query('SELECT state FROM pgboss.job WHERE name = $1', [failing.name]);
    expect(row).toEqual({ state: 'retry' });
  });
  expect([attempts, await isWorkPending(ctx)]).toEqual([1, true]);

  await ctx.sql.query('UPDATE pgboss.job SET start_after = now() WHERE name = $1', [failing.name]);
  await eventually(async () => expect([attempts, await isWorkPending(ctx)]).toEqual([2, false]));
});
