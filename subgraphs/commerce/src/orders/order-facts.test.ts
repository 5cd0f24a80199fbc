import { expect, test } from '@jest/globals';
import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import { ask } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import { given } from '../commerce.fixture.ts';
import { commerce } from '../subgraph.ts';
import { memberOrders } from './order-facts.service.ts';

const { services, ctx, newContext } = useServices();

test('orders of many members cost as many statements as those of one, two at most', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 20; count += 1) {
    const { id: memberId } = await given.member(ctx);
    await given.order(ctx, { memberId });
    ids.push(memberId);
  }
  const statementsFor = async (asked: readonly string[]) => {
    services.statements.length = 0;
    const found = await memberOrders(newContext(ctx.caller), asked, new Date(0));
    expect(found.map(({ orders }) => orders.length)).toEqual(asked.map(() => 1));
    return services.statements.length;
  };
  expect(await statementsFor(ids)).toBe(await statementsFor(ids.slice(0, 1)));
  expect(await statementsFor(ids)).toBeLessThanOrEqual(2);
});

test('older orders are counted and not listed; a member without orders has none', async () => {
  const [{ id: memberId }, { id: other }] = [await given.member(ctx), await given.member(ctx)];
  const old = addMs(ctx.clock.now(), -20 * DAY_MS);
  await given.order(ctx, { memberId, occurredAt: old, total: 300n });
  const recent = await given.order(ctx, { memberId, total: 700n });
  const since = addMs(ctx.clock.now(), -10 * DAY_MS);
  const found = await memberOrders(ctx, [memberId, other], since);
  expect(found).toEqual([
    expect.objectContaining({ memberId, orderCount: 2, orderRevenueMinor: 1_000, firstOrderAt: old }),
    expect.objectContaining({ memberId: other, orderCount: 0, lastOrderAt: null, orders: [] }),
  ]);
  expect(found[0]?.orders).toMatchObject([{ id: recent.id, netMinor: 700 }]);
});

test('orders of another workspace are not seen, and nobody but the product can ask', async () => {
  const { id: memberId } = await given.member(ctx);
  await given.order(ctx, { memberId });
  expect(await memberOrders(newContext(), [memberId], new Date(0))).toMatchObject([{ orderCount: 0 }]);
  const query = '{ _memberOrders(memberIds: [], since: "2026-01-01T00:00:00Z") { memberId } }';
  expect(await ask(commerce, ctx, query)).toMatchObject({ reason: 'CALLER_REFUSED' });
});
