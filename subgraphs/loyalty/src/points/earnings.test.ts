import { beforeEach, expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import { newId } from '@loyalty/platform/base/ids';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { ask, given } from '../loyalty.fixture.ts';
import { cancelErasure, requestErasure } from '../member-status/member-status.service.ts';
import { bookOrderJob, bookRefundJob } from './earnings.jobs.ts';
import { adjustPoints } from './points.service.ts';

const { services, ctx, fresh } = useServices();
let memberId: string;
let orderId: string;

beforeEach(async () => {
  ({ id: memberId } = await given.member(ctx));
  orderId = newId(ctx.clock);
});

/** Returns the context in which a worker runs jobs. */
const system = () => contextOf(services, systemCaller('job', ctx.scope));
const book = (points: number, more: object = {}) =>
  bookOrderJob.run(system(), { orderId, memberId, points, ...more });
const takeBack = (points: number, refundId = newId(ctx.clock)) =>
  bookRefundJob.run(system(), { orderId, refundId, memberId, points });

const LEDGER = `query ($id: ID!) { member(id: $id) { pointsBalance pointsEarned
  pointsTransactions { nodes { kind amount } } } }`;
async function ledger() {
  const { member } = await ask(fresh(), LEDGER, { id: memberId });
  const { pointsBalance, pointsEarned, pointsTransactions } = member;
  const entries = pointsTransactions.nodes.map(
    ({ kind, amount }: { kind: string; amount: number }) => `${kind} ${amount}`,
  );
  return { pointsBalance, pointsEarned, entries: entries.toReversed() };
}

test('the points of an order are booked once, however often and concurrently its event arrives', async () => {
  await Promise.allSettled(Array.from({ length: 10 }, () => book(40)));
  await book(40);
  expect(await ledger()).toEqual({ pointsBalance: 40, pointsEarned: 40, entries: ['EARNING 40'] });
  expect(await publishedEvents(ctx, 'loyalty.points_awarded')).toHaveLength(1);
});

test('an order of a guest, or without points, books nothing', async () => {
  await book(40, { memberId: null });
  await book(0);
  expect((await ledger()).entries).toEqual([]);
});

test('a refund takes its points back once; they do not count as earned any more', async () => {
  await book(40);
  const refundId = newId(ctx.clock);
  await Promise.allSettled(Array.from({ length: 5 }, () => takeBack(15, refundId)));
  await takeBack(15, refundId);
  expect(await ledger()).toEqual({
    pointsBalance: 25,
    pointsEarned: 25,
    entries: ['EARNING 40', 'REVERSAL -15'],
  });
});

test('a refund takes no more than the member still has', async () => {
  await book(40);
  await adjustPoints(ctx, memberId, -30, 'spent');
  await takeBack(40);
  expect((await ledger()).pointsBalance).toBe(0);
});

test('a refund that arrives before the points of its order waits for them', async () => {
  const refundId = newId(ctx.clock);
  await expect(takeBack(40, refundId)).rejects.toThrow(/not booked yet/);
  expect((await ledger()).entries).toEqual([]);
  await book(40);
  await takeBack(40, refundId);
  expect((await ledger()).entries).toEqual(['EARNING 40', 'REVERSAL -40']);
});

test('a closed member gets nothing, now or later, and commerce gets an event', async () => {
  await requestErasure(ctx, memberId);
  await book(40);
  await takeBack(40);
  expect((await ledger()).entries).toEqual([]);
  expect(await publishedEvents(ctx, 'loyalty.order_earning_declined')).toEqual([{ orderId }]);
});

test('a member who is gone, or was never here, ends both quietly', async () => {
  await ctx.sql.query(`UPDATE loyalty.members SET status = 'DELETED' WHERE id = $1`, [memberId]);
  await book(40);
  await takeBack(40);
  memberId = newId(ctx.clock);
  await book(40);
  await takeBack(40);
  expect(await publishedEvents(ctx, 'loyalty.points_awarded')).toEqual([]);
});

test('points that were booked before the member was closed stay; the refund takes none then', async () => {
  await book(40);
  await requestErasure(ctx, memberId);
  await takeBack(40);
  await book(40);
  await cancelErasure(ctx, memberId);
  expect((await ledger()).entries).toEqual(['EARNING 40']);
  expect(await publishedEvents(ctx, 'loyalty.order_earning_declined')).toEqual([]);
});
