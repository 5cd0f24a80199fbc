import { expect, test } from '@jest/globals';
import type { Context } from '@loyalty/platform/context';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { daysAgo, memberId, orders } from '../facts/facts.fixture.ts';
import { countAllBasketsJob, countImportedBasketsJob } from './predictions.jobs.ts';

const { services, newContext } = useServices();

const uncounted = async (ctx: Context): Promise<number> => {
  const { workspaceId } = ctx.scope;
  return (await ctx.sql.query('SELECT 1 FROM model.uncounted_baskets WHERE workspace_id = $1', [workspaceId]))
    .length;
};

test('a small import is counted at once; what many uploads bring waits for the minute', async () => {
  const ctx = newContext();
  const arrived = (baskets: number) =>
    orders(
      ctx,
      Array.from({ length: baskets }, () => ({
        memberId: memberId(),
        at: daysAgo(ctx, 1),
        items: ['bread', 'tea'],
      })),
    );
  const imported = () =>
    countImportedBasketsJob.run(contextOf(services, ctx.caller), { batchId: memberId() });
  await arrived(10);
  await imported();
  expect(await uncounted(ctx)).toBe(0);
  await arrived(1_001);
  await imported();
  expect(await uncounted(ctx)).toBe(1_001);
  await countAllBasketsJob.run(contextOf(services), {});
  expect(await uncounted(ctx)).toBe(0);
});
