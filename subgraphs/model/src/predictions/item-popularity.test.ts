import { describe, expect, test } from '@jest/globals';
import { DAY_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { useServices } from '@loyalty/test/harness/services';
import { daysAgo, memberId, orders } from '../facts/facts.fixture.ts';
import { importedMembers } from '../imports/data-imports.fixture.ts';
import { findFits } from '../standard-model/fits.service.ts';
import { countBaskets } from './count-baskets.service.ts';
import { fitItemPopularity, itemPopularity } from './item-popularity.service.ts';
import { countImportedBasketsJob } from './predictions.jobs.ts';
import { importPurchases, now, shop } from './recommendations.fixture.ts';
import { completeCart, recommendItems } from './recommendations.service.ts';

const { services, newContext } = useServices();

const completeTea = (ctx: Context, own: string, cutoff: ReturnType<typeof now>, limit: number) =>
  completeCart(ctx, own, cutoff, ['tea'], limit);
describe('what is popular', () => {
  test('is kept for a day and counted anew after it', async () => {
    const ctx = newContext();
    await shop(ctx);
    const before = (await itemPopularity(ctx))!.lines;
    await shop(ctx);
    expect((await itemPopularity(ctx))!.lines).toBe(before);
    const start = ctx.clock.now();
    services.clock.advance(DAY_MS + 1);
    expect((await itemPopularity(ctx))!.lines).toBe(2 * before);
    services.clock.set(start);
  });

  test('is counted anew after an import into a small workspace, and at night in a large one', async () => {
    const ctx = newContext();
    const { m1 } = await importedMembers(ctx);
    const buy = (count: number, prefix: string) => importPurchases(ctx, m1!, count, prefix);
    await buy(25, 'a');
    expect((await itemPopularity(ctx))!.lines).toBe(25);
    await buy(25, 'b');
    expect((await itemPopularity(ctx))!.lines).toBe(50);
    await ctx.sql.query(
      `UPDATE model.workspace_fits SET content = jsonb_set(content::jsonb, '{lines}', '50000')
        WHERE workspace_id = $1`,
      [ctx.scope.workspaceId],
    );
    await buy(25, 'c');
    expect((await itemPopularity(ctx))!.lines).toBe(50_000);
  });

  test('is counted anew after an import, too, where too little was sold before it', async () => {
    const ctx = newContext();
    const { m1 } = await importedMembers(ctx);
    const buy = (count: number, prefix: string) => importPurchases(ctx, m1!, count, prefix);
    await buy(19, 'a');
    expect(await itemPopularity(ctx)).toBeNull();
    const { ITEM_POPULARITY: before } = await findFits(ctx, ['ITEM_POPULARITY']);
    services.clock.advance(1_000);
    await buy(19, 'b');
    const { ITEM_POPULARITY: after } = await findFits(ctx, ['ITEM_POPULARITY']);
    // A count that began before the import is outdated.
    expect(after!.fittedAt.getTime()).toBe(before!.fittedAt.getTime() + 1_000);
    await countImportedBasketsJob.run(ctx, { batchId: memberId() });
    const { ITEM_POPULARITY: counted } = await findFits(ctx, ['ITEM_POPULARITY']);
    expect(counted!.content).toMatchObject({ lines: 38 });
  });

  test('is of the last 365 days, at most 200 items and 2,000 pairs', async () => {
    const ctx = newContext();
    const items = Array.from({ length: 250 }, (_, n) => `item-${String(n).padStart(3, '0')}`);
    const at = daysAgo(ctx, 1);
    await orders(ctx, [
      { memberId: memberId(), at, items },
      { memberId: memberId(), at, items: ['item-249', 'item-248'] },
      { memberId: memberId(), at: daysAgo(ctx, 366), items: ['long-ago', 'item-247'] },
    ]);
    const popularity = (await fitItemPopularity(ctx))!;
    expect(popularity.items.slice(0, 3)).toEqual([
      ['item-248', 2],
      ['item-249', 2],
      ['item-000', 1],
    ]);
    expect(popularity.pairs[0]).toEqual([0, 1, 2]);
    expect([popularity.items.length, popularity.pairs.length, popularity.baskets]).toEqual([200, 2_000, 2]);
  });

  test('is read for a recommendation in four statements, however many facts there are', async () => {
    const ctx = newContext();
    const own = memberId();
    const statements: number[] = [];
    for (const baskets of [1, 60]) {
      await shop(ctx);
      await orders(
        ctx,
        Array.from({ length: baskets }, (_, n) => ({
          ...{ memberId: own, at: daysAgo(ctx, 2), items: ['tea', `item-${n}`] },
        })),
      );
      await countBaskets(ctx);
      for (const ask of [recommendItems, completeTea]) {
        services.statements.length = 0;
        await ask(ctx, own, now(ctx), 3);
        statements.push(services.statements.length);
      }
    }
    expect(statements).toEqual([4, 4, 4, 4]);
  });
});
