import { describe, expect, test } from '@jest/globals';
import { defaultLimits } from '@loyalty/platform/base/caller';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { ask, given } from '../loyalty.fixture.ts';
import { adjustPoints, awardPoints } from '../points/points.service.ts';
import { setCouponPoolStatus } from './coupon-pools.service.ts';
import { captured, countedByRows, poolOf, untilNotBusy } from './coupons.fixture.ts';
import { issueCoupon, redeemCoupon } from './coupons.service.ts';
import { redeemPointsForCoupon } from './points-for-coupon.service.ts';

const { services, ctx } = useServices({
  caller: { limits: { ...defaultLimits, valueWritesPerMinute: 1_000_000 } },
});

const fresh = (key: string | null = null) => contextOf(services, ctx.caller, key);

async function memberWith(points: number) {
  const { id } = await given.member(ctx);
  if (points > 0) await awardPoints(ctx, id, { amount: points });
  return id;
}

const balance = async (id: string) =>
  (await ask(fresh(), 'query ($id: ID!) { member(id: $id) { pointsBalance } }', { id })).member.pointsBalance;

const REDEEM = `mutation ($memberId: ID!, $poolId: ID!) {
  redeemPointsForCoupon(memberId: $memberId, poolId: $poolId, pointsCost: 30) {
    pointsDeducted newBalance coupon { id code status member { id } } } }`;

test('points become a coupon of the member, in one entry of the ledger', async () => {
  const pool = await poolOf(ctx, 1, { name: 'Coffee' });
  const memberId = await memberWith(100);
  const { redeemPointsForCoupon: answer } = await ask(fresh(), REDEEM, { memberId, poolId: pool.id });
  expect(answer).toMatchObject({
    pointsDeducted: 30,
    newBalance: 70,
    coupon: { status: 'ISSUED', member: { id: memberId } },
  });
  const booked = await ctx.sql.query(
    'SELECT kind, amount, source, description FROM loyalty.points_entries WHERE member_id = $1 AND amount < 0',
    [memberId],
  );
  const source = `coupon:${answer.coupon.id}`;
  expect(booked).toEqual([{ kind: 'REDEMPTION', amount: -30, source, description: 'Coupon: Coffee' }]);
  const event = { couponId: answer.coupon.id, poolId: pool.id, memberId, captureId: null };
  expect(await publishedEvents(ctx, 'coupon.issued')).toEqual([event]);
  expect(await publishedEvents(ctx, 'loyalty.points_redeemed')).toHaveLength(1);
});

test('an Idempotency-Key takes points once and answers the same coupon', async () => {
  const pool = await poolOf(ctx, 5);
  const memberId = await memberWith(100);
  const first = await ask(fresh('k-1'), REDEEM, { memberId, poolId: pool.id });
  expect(await ask(fresh('k-1'), REDEEM, { memberId, poolId: pool.id })).toEqual(first);
  expect(await balance(memberId)).toBe(70);
});

describe('nothing is taken', () => {
  test('when points do not suffice, also when several calls spend them at once', async () => {
    const pool = await poolOf(ctx, 10);
    const poor = await memberWith(9);
    await expect(redeemPointsForCoupon(ctx, poor, pool.id, 10)).rejects.toMatchObject({
      code: 'INSUFFICIENT_POINTS',
      category: 'CONFLICT',
    });
    const memberId = await memberWith(50);
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () => redeemPointsForCoupon(fresh(), memberId, pool.id, 20)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await balance(memberId)).toBe(10);
    expect(await countedByRows(ctx, pool.id)).toMatchObject({ availableCount: 8, issuedCount: 2 });
  });

  test('when the pool is unknown, paused, archived or empty', async () => {
    const memberId = await memberWith(50);
    const pool = await poolOf(ctx, 0);
    const expectRefusal = async (poolId: string, code: string, category: string) => {
      await expect(redeemPointsForCoupon(fresh(), memberId, poolId, 10)).rejects.toMatchObject({
        code,
        category,
      });
      expect(await balance(memberId)).toBe(50);
    };
    await expectRefusal(memberId, 'COUPON_POOL_NOT_FOUND', 'NOT_FOUND');
    await expectRefusal(pool.id, 'POOL_EXHAUSTED', 'CONFLICT');
    await setCouponPoolStatus(ctx, pool.id, 'PAUSED');
    await expectRefusal(pool.id, 'POOL_UNAVAILABLE', 'CONFLICT');
    await setCouponPoolStatus(ctx, pool.id, 'ARCHIVED');
    await expectRefusal(pool.id, 'POOL_UNAVAILABLE', 'CONFLICT');
    await expect(redeemPointsForCoupon(ctx, pool.id, pool.id, 10)).rejects.toMatchObject({
      code: 'MEMBER_NOT_FOUND',
    });
    expect(await publishedEvents(ctx, 'coupon.issued')).toHaveLength(0);
  });

  test("when one call asks for more than the workspace's cap, or for nothing", async () => {
    const pool = await poolOf(ctx, 1);
    const memberId = await memberWith(50);
    const capped = contextOf(services, { ...ctx.caller, limits: { ...ctx.caller.limits, valueCap: 20 } });
    await expect(redeemPointsForCoupon(capped, memberId, pool.id, 21)).rejects.toMatchObject({
      code: 'AMOUNT_OVER_CAP',
    });
    await expect(redeemPointsForCoupon(ctx, memberId, pool.id, 0)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
  });

  test('when the points are gone between the check and the booking: the code returns to the pool', async () => {
    const pool = await poolOf(ctx, 1);
    const memberId = await memberWith(20);
    const [spent, rival] = await Promise.allSettled([
      adjustPoints(fresh(), memberId, -15, 'correction'),
      redeemPointsForCoupon(fresh(), memberId, pool.id, 20),
    ]);
    const winners = [spent, rival].filter(({ status }) => status === 'fulfilled');
    expect(winners).toHaveLength(1);
    const taken = rival.status === 'fulfilled' ? 1 : 0;
    expect(await countedByRows(ctx, pool.id)).toMatchObject({
      issuedCount: taken,
      availableCount: 1 - taken,
    });
  });
});

test('of two hundred calls at once for the last fifty coupons, fifty win and fifty are debited', async () => {
  const pool = await poolOf(ctx, 50);
  const members: string[] = [];
  for (let n = 0; n < 200; n += 1) members.push(await memberWith(10));
  const results = await Promise.allSettled(
    members.map((id) => untilNotBusy(() => redeemPointsForCoupon(fresh(), id, pool.id, 10))),
  );
  const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.coupon.code] : []));
  expect([won.length, new Set(won).size]).toEqual([50, 50]);
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
  expect(reasons).toEqual(Array.from({ length: 150 }, () => 'POOL_EXHAUSTED'));
  const [debits] = await ctx.sql.query<{ entries: number; members: number }>(
    `SELECT count(*)::int AS entries, count(DISTINCT e.member_id)::int AS members
       FROM loyalty.points_entries AS e JOIN loyalty.coupons AS c
         ON e.source = 'coupon:' || c.id AND c.member_id = e.member_id AND c.status = 'ISSUED'
      WHERE e.workspace_id = $1 AND e.kind = 'REDEMPTION' AND e.amount = -10`,
    [ctx.scope.workspaceId],
  );
  expect(debits).toEqual({ entries: 50, members: 50 });
  expect(await countedByRows(ctx, pool.id)).toMatchObject({ availableCount: 0, issuedCount: 50 });
  expect(await publishedEvents(ctx, 'coupon.issued')).toHaveLength(50);
});

const OWN = 'query ($id: ID!) { member(id: $id) { coupons { totalCount nodes { id } } } }';

test('a member has the coupons of points and of captures with the address, until used or expired', async () => {
  const soon = new Date(services.clock.now().getTime() + 60_000);
  const pool = await poolOf(ctx, 5);
  const brief = await poolOf(ctx, 5, { couponsExpireAt: soon });
  const early = await captured(ctx, 'same@example.com');
  const first = await issueCoupon(ctx, pool.id, early.id);
  const { id } = await given.member(ctx, { email: 'same@example.com' });
  await awardPoints(ctx, id, { amount: 10 });
  const { coupon: second } = await redeemPointsForCoupon(ctx, id, pool.id, 10);
  const late = await captured(ctx, 'SAME@example.com ');
  const third = await issueCoupon(ctx, brief.id, late.id);
  await issueCoupon(ctx, pool.id, (await captured(ctx)).id);
  const own = async () => (await ask(fresh(), OWN, { id })).member.coupons;
  expect(early.id).toBe(late.id);
  expect((await own()).nodes.map((node: { id: string }) => node.id).sort()).toEqual(
    [first.id, second.id, third.id].sort(),
  );
  expect((await own()).totalCount).toBe(3);
  await redeemCoupon(ctx, first.id, null);
  services.clock.advance(60_000);
  expect(await own()).toEqual({ totalCount: 1, nodes: [{ id: second.id }] });
});

test('coupons of fifty members cost as many statements as those of one', async () => {
  const pool = await poolOf(ctx, 60);
  for (let n = 0; n < 50; n += 1) await redeemPointsForCoupon(fresh(), await memberWith(10), pool.id, 10);
  const cost = async (first: number) => {
    const query = `query ($first: Int!) { members(first: $first) { nodes { coupons { totalCount
      nodes { code pool { name availableCount lastBatch { id } } member { id } } } } } }`;
    services.statements.length = 0;
    const { members } = await ask(fresh(), query, { first });
    expect(members.nodes[0].coupons.totalCount).toBe(1);
    return services.statements.length;
  };
  expect(await cost(50)).toBe(await cost(1));
});
