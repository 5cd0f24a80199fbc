import { expect, test } from '@jest/globals';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { ask, given } from '../loyalty.fixture.ts';
import { spendPoints } from './booking.service.ts';
import { awardPoints } from './points.service.ts';

const { services, newContext } = useServices();

test('the summary is what the ledger adds up to, for fifty members as cheaply as for one', async () => {
  const ctx = newContext();
  const fresh = () => contextOf(services, ctx.caller);
  for (let n = 0; n < 50; n += 1) await given.member(ctx);
  const { id } = await given.member(ctx);
  await awardPoints(ctx, id, { amount: 70 });
  for (const points of [20, 5]) {
    const booking = { memberId: id, points, description: 'Coupon', source: `coupon:${points}` };
    await ctx.transaction((tx) => spendPoints(tx, booking));
  }
  const read = async (first: number) => {
    services.statements.length = 0;
    const query = `query ($n: Int) { members(first: $n) { nodes { pointsSummary {
      balance earnedTotal redeemedTotal computedAt } } } }`;
    const { members } = await ask(fresh(), query, { n: first });
    return { nodes: members.nodes, statements: services.statements.length };
  };
  const [one, many] = [await read(1), await read(50)];
  expect(one.nodes).toEqual([
    {
      pointsSummary: {
        ...{ balance: 45, earnedTotal: 70, redeemedTotal: 25 },
        computedAt: services.clock.now().toISOString(),
      },
    },
  ]);
  expect(many.nodes[1]).toMatchObject({ pointsSummary: { balance: 0, earnedTotal: 0, redeemedTotal: 0 } });
  expect(many.statements).toBe(one.statements);
});
