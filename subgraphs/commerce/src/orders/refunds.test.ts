import { beforeEach, expect, test } from '@jest/globals';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import fc from 'fast-check';
import { given } from '../commerce.fixture.ts';
import type { Order } from './orders.store.ts';
import {
  listRefunds,
  pointsToReverse,
  type RefundedSoFar,
  type RefundOrder,
  refundOrder,
} from './refunds.service.ts';

const { services, ctx, fresh } = useServices();
let order: Order;

beforeEach(async () => {
  await given.rate(ctx);
  const { id: memberId } = await given.member(ctx);
  order = await given.order(ctx, { memberId });
});

const refund = (input: RefundOrder) => refundOrder(fresh(), order.externalOrderId, input);
const outcomes = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.map((result) => (result.status === 'fulfilled' ? 'done' : result.reason.code));

test('is published once, with its points and a band instead of its amount', async () => {
  const { refund: made } = await refund({ amount: 2_550n, reason: 'broken', refundId: 'r1' });
  expect(made).toMatchObject({ amountMinor: 2_550n, reason: 'broken', externalId: 'r1', pointsReversed: 25 });
  const { id: orderId, memberId } = order;
  const event = { orderId, refundId: made.id, memberId, points: 25, amountBand: '25-50' };
  expect(await publishedEvents(ctx, 'order.refunded')).toEqual([event]);
});

test('thirty refunds at once never give back more than was paid', async () => {
  const results = await Promise.allSettled(Array.from({ length: 30 }, () => refund({ amount: 700n })));
  const done = outcomes(results).filter((outcome) => outcome === 'done');
  expect(done).toHaveLength(14);
  expect(new Set(outcomes(results))).toEqual(new Set(['done', 'REFUND_OVER_TOTAL']));
  const { order: after } = await refund({});
  expect(after).toMatchObject({ status: 'REFUNDED', refundedMinor: 10_000n, pointsReversed: 100 });
  const refunds = await listRefunds(fresh(), order.id);
  expect(refunds.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)).toBe(10_000n);
  expect(
    (await publishedEvents(ctx, 'order.refunded')).reduce((sum, { points }) => sum + Number(points), 0),
  ).toBe(100);
});

test('one refundId sent twenty times at once is one refund', async () => {
  const made = await Promise.all(Array.from({ length: 20 }, () => refund({ amount: 100n, refundId: 'r1' })));
  expect(new Set(made.map((each) => each.refund.id)).size).toBe(1);
  expect(await publishedEvents(ctx, 'order.refunded')).toHaveLength(1);
  await expect(refund({ amount: 101n, refundId: 'r1' })).rejects.toMatchObject({
    code: 'REFUND_EXISTS_DIFFERENT',
  });
  expect((await refund({ refundId: 'r1' })).refund.id).toBe(made[0]!.refund.id);
});

test('one refundId names a refund of each order', async () => {
  const other = await given.order(ctx);
  const first = await refund({ amount: 1n, refundId: 'r1' });
  const second = await refundOrder(fresh(), other.externalOrderId, { amount: 2n, refundId: 'r1' });
  expect(second.refund.id).not.toBe(first.refund.id);
});

test('of a cancelled order is refused, of a free one there is nothing to give', async () => {
  const cancelled = await given.order(ctx, { status: 'CANCELLED' });
  await expect(refundOrder(ctx, cancelled.externalOrderId, {})).rejects.toMatchObject({
    code: 'ORDER_CANCELLED',
  });
  const free = await given.order(ctx, { total: 0 });
  await expect(refundOrder(ctx, free.externalOrderId, {})).rejects.toMatchObject({
    code: 'REFUND_OVER_TOTAL',
  });
});

test('of a guest takes back no points', async () => {
  const guest = await given.order(ctx);
  expect((await refundOrder(ctx, guest.externalOrderId, {})).refund.pointsReversed).toBe(0);
});

test('of an order of another workspace or mode finds none', async () => {
  const { workspaceId } = ctx.scope;
  for (const caller of [callerOf(), callerOf({ workspaceId, mode: 'TEST' })]) {
    const other = contextOf(services, caller);
    await expect(refundOrder(other, order.externalOrderId, {})).rejects.toMatchObject({
      code: 'ORDER_NOT_FOUND',
    });
  }
});

test('a hundred refunds are an end of it', async () => {
  for (let n = 0; n < 100; n += 1) await refund({ amount: 1n });
  await expect(refund({ amount: 1n })).rejects.toMatchObject({ code: 'REFUND_LIMIT' });
});

test('parts of any size take back all points in the end, and never more than their share', () => {
  const parts = fc.array(fc.bigInt({ min: 1n, max: 10n ** 13n }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(parts, fc.nat(2 ** 31 - 1), (amounts, pointsAwarded) => {
      const totalMinor = amounts.reduce((sum, amount) => sum + amount, 0n);
      let state: RefundedSoFar = { totalMinor, refundedMinor: 0n, pointsAwarded, pointsReversed: 0 };
      for (const amount of amounts) {
        const points = pointsToReverse(state, amount);
        const refundedMinor = state.refundedMinor + amount;
        const pointsReversed = state.pointsReversed + points;
        expect(points).toBeGreaterThanOrEqual(0);
        expect(BigInt(pointsReversed) * totalMinor).toBeLessThanOrEqual(
          BigInt(pointsAwarded) * refundedMinor,
        );
        state = { ...state, refundedMinor, pointsReversed };
      }
      expect(state.pointsReversed).toBe(pointsAwarded);
    }),
  );
});
