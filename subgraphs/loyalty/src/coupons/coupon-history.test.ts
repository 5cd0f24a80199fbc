import { expect, test } from '@jest/globals';
import { HOUR_MS } from '@loyalty/platform/base/clock';
import { useServices } from '@loyalty/test/harness/services';
import { ask, given } from '../loyalty.fixture.ts';
import { awardPoints } from '../points/points.service.ts';
import { captured, poolOf, storeOf } from './coupons.fixture.ts';
import { issueCoupon, redeemCoupon, voidCoupon } from './coupons.service.ts';
import { redeemPointsForCoupon } from './points-for-coupon.service.ts';

const { services, ctx, fresh } = useServices();

const HISTORY = `query ($id: ID!) {
  member(id: $id) {
    coupons { totalCount nodes { code } }
    couponHistory { totalCount nodes {
      code status isExpired issuedAt redeemedAt voidedAt redeemedStore { id } pool { name }
    } }
  }
}`;

test('a member has a history of coupons, whatever became of them', async () => {
  const start = services.clock.now();
  const { id: memberId } = await given.member(ctx, { email: 'ann@example.com' });
  const { id: otherId } = await given.member(ctx);
  for (const id of [memberId, otherId]) await awardPoints(ctx, id, { amount: 100 });
  const store = await storeOf(ctx);
  const pool = await poolOf(ctx, 10, { name: 'Kept' });
  const soon = new Date(start.getTime() + HOUR_MS);
  const short = await poolOf(ctx, 10, { name: 'Short', couponsExpireAt: soon });
  const bought = async (poolId: string, id = memberId) =>
    (await redeemPointsForCoupon(fresh(), id, poolId, 1)).coupon;
  const used = await bought(pool.id);
  const voided = await bought(pool.id);
  const expired = await bought(short.id);
  const open = await bought(pool.id);
  const { id: captureId } = await captured(ctx, 'ann@example.com');
  const ofCapture = await issueCoupon(fresh(), pool.id, captureId);
  await bought(pool.id, otherId);
  await redeemCoupon(fresh(), used.id, store.id);
  await voidCoupon(fresh(), voided.id, 'printed twice');
  services.clock.set(soon);
  const issuedAt = start.toISOString();
  const row = (code: string, status: string, details: object = {}) => ({
    code,
    status,
    isExpired: false,
    issuedAt,
    redeemedAt: null,
    voidedAt: null,
    redeemedStore: null,
    pool: { name: 'Kept' },
    ...details,
  });
  const { member } = await ask(fresh(), HISTORY, { id: memberId });
  expect(member.couponHistory).toEqual({
    totalCount: 5,
    nodes: expect.arrayContaining([
      row(ofCapture.code, 'ISSUED'),
      row(open.code, 'ISSUED'),
      row(expired.code, 'ISSUED', { isExpired: true, pool: { name: 'Short' } }),
      row(voided.code, 'VOID', { voidedAt: issuedAt }),
      row(used.code, 'REDEEMED', { redeemedAt: issuedAt, redeemedStore: { id: store.id } }),
    ]),
  });
  const redeemable = member.coupons.nodes.map(({ code }: { code: string }) => code);
  expect(redeemable.sort()).toEqual([ofCapture.code, open.code].sort());
});

test('codes that were made void with their pool say when; a redeemed one stays redeemed', async () => {
  const { id } = await given.member(ctx);
  await awardPoints(ctx, id, { amount: 100 });
  const pool = await poolOf(ctx, 3);
  const used = (await redeemPointsForCoupon(fresh(), id, pool.id, 1)).coupon;
  await redeemCoupon(fresh(), used.id, null);
  await redeemPointsForCoupon(fresh(), id, pool.id, 1);
  services.clock.advance(HOUR_MS);
  await ask(
    fresh(),
    `mutation { setCouponPoolStatus(id: "${pool.id}", status: ARCHIVED, voidCodes: true) { id } }`,
  );
  const { member } = await ask(fresh(), HISTORY, { id });
  const states = member.couponHistory.nodes.map(
    ({ status, voidedAt }: { status: string; voidedAt: string | null }) => `${status} ${voidedAt}`,
  );
  expect(states.sort()).toEqual(['REDEEMED null', `VOID ${services.clock.now().toISOString()}`]);
});
