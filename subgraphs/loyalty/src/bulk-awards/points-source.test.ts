import { expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import { useServices } from '@loyalty/test/harness/services';
import { poolOf } from '../coupons/coupons.fixture.ts';
import { redeemPointsForCoupon } from '../coupons/points-for-coupon.service.ts';
import { ask, given } from '../loyalty.fixture.ts';
import { bookEarning } from '../points/booking.service.ts';
import { awardPoints } from '../points/points.service.ts';
import { runBulkAwardJob } from './bulk-awards.jobs.ts';
import { startBulkAward } from './bulk-awards.service.ts';

const { services, ctx, fresh } = useServices();

const LEDGER = `query ($id: ID!) { member(id: $id) { pointsTransactions { nodes { kind actor
  source { __typename ... on Order { id } ... on Receipt { id } ... on Coupon { id code }
    ... on BulkAward { id description } } } } } }`;

test('an entry of the ledger says what its points are for, and who caused it', async () => {
  const { id } = await given.member(ctx);
  const [orderId, receiptId] = [newId(services.clock), newId(services.clock)];
  await awardPoints(ctx, id, { amount: 5 });
  await bookEarning(ctx, { memberId: id, points: 20, description: 'x', source: `order:${orderId}` });
  await bookEarning(ctx, { memberId: id, points: 20, description: 'x', source: `receipt:${receiptId}` });
  const { coupon } = await redeemPointsForCoupon(ctx, id, (await poolOf(ctx, 1)).id, 10);
  const award = await startBulkAward(ctx, { amount: 1, description: 'Thanks', memberIds: [id] });
  await runBulkAwardJob.run(fresh(), { bulkAwardId: award.id, members: 1 });
  const { nodes } = (await ask(fresh(), LEDGER, { id })).member.pointsTransactions;
  expect(nodes.map(({ source }: { source: object }) => source)).toEqual([
    { __typename: 'BulkAward', id: award.id, description: 'Thanks' },
    { __typename: 'Coupon', id: coupon.id, code: coupon.code },
    { __typename: 'Receipt', id: receiptId },
    { __typename: 'Order', id: orderId },
    null,
  ]);
  expect(new Set(nodes.map(({ actor }: { actor: string }) => actor))).toEqual(new Set([ctx.caller.actor]));
});

test('the sources of a page of the ledger cost the same few statements, however many there are', async () => {
  const pool = await poolOf(ctx, 12);
  const cost = async (entries: number) => {
    const { id } = await given.member(ctx);
    await awardPoints(ctx, id, { amount: 500 });
    for (let each = 0; each < entries; each += 1) {
      const { id: other } = each === 0 ? pool : await poolOf(ctx, 1);
      await redeemPointsForCoupon(fresh(), id, other, 10);
    }
    services.statements.length = 0;
    await ask(fresh(), LEDGER, { id });
    return services.statements.length;
  };
  expect(await cost(8)).toBe(await cost(2));
});
