import { expect, test } from '@jest/globals';
import { addMs } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { useServices } from '@loyalty/test/harness/services';
import { ask, given } from '../loyalty.fixture.ts';
import { setCouponPoolStatus } from './coupon-pools.service.ts';
import {
  confirmCoupon,
  expireCouponReservations,
  releaseCoupon,
  reserveCoupon,
} from './coupon-reservations.service.ts';
import { COUNTS, captured, countedByRows, poolOf } from './coupons.fixture.ts';
import { expireCouponHoldsJob } from './coupons.jobs.ts';
import { issueCoupon, redeemCoupon } from './coupons.service.ts';

const { services, ctx, fresh, newContext } = useServices();

const counts = async (id: string) =>
  (await ask(fresh(), `query ($id: ID!) { couponPool(id: $id) { ${COUNTS} } }`, { id })).couponPool;

test('a reserved code is confirmed once, also after its pool was paused, and published then', async () => {
  const pool = await poolOf(ctx, 2);
  const member = await given.member(ctx);
  const { reserveCoupon: held } = await ask(
    fresh(),
    `mutation ($poolId: ID!, $memberId: ID!) {
      reserveCoupon(poolId: $poolId, memberId: $memberId, seconds: 60) {
        id expiresAt coupon { id status member { id } } } }`,
    { poolId: pool.id, memberId: member.id },
  );
  expect(held.coupon).toMatchObject({ status: 'HELD', member: { id: member.id } });
  expect(await counts(pool.id)).toMatchObject({ availableCount: 1, heldCount: 1 });
  expect(await publishedEvents(ctx, 'coupon.issued')).toHaveLength(0);
  await setCouponPoolStatus(ctx, pool.id, 'PAUSED');
  const confirmed = await Promise.all(Array.from({ length: 5 }, () => confirmCoupon(fresh(), held.id)));
  expect(new Set(confirmed.map(({ id, status }) => `${id} ${status}`))).toEqual(
    new Set([`${held.coupon.id} ISSUED`]),
  );
  expect(await publishedEvents(ctx, 'coupon.issued')).toEqual([
    { couponId: held.coupon.id, poolId: pool.id, memberId: member.id, captureId: null },
  ]);
  expect(await counts(pool.id)).toMatchObject({ availableCount: 1, heldCount: 0, issuedCount: 1 });
  await expect(releaseCoupon(ctx, held.id)).rejects.toMatchObject({ code: 'COUPON_NOT_HELD' });
});

test('a released code returns to the pool, and its reservation is gone', async () => {
  const pool = await poolOf(ctx, 1);
  const { id, coupon } = await reserveCoupon(ctx, { poolId: pool.id });
  await expect(reserveCoupon(ctx, { poolId: pool.id })).rejects.toMatchObject({ code: 'POOL_EXHAUSTED' });
  expect(await releaseCoupon(ctx, id)).toMatchObject({ id: coupon.id, status: 'AVAILABLE', memberId: null });
  for (const act of [confirmCoupon, releaseCoupon])
    await expect(act(ctx, id)).rejects.toMatchObject({ code: 'RESERVATION_NOT_FOUND' });
  expect((await issueCoupon(ctx, pool.id, (await captured(ctx)).id)).id).toBe(coupon.id);
});

test('an overdue code is available at once, goes to another caller, and only that caller confirms it', async () => {
  const pool = await poolOf(ctx, 1);
  const late = await reserveCoupon(ctx, { poolId: pool.id, seconds: 60 });
  services.clock.advance(60_000);
  expect(await counts(pool.id)).toMatchObject({ availableCount: 1, heldCount: 0 });
  await expect(confirmCoupon(ctx, late.id)).rejects.toMatchObject({ code: 'RESERVATION_NOT_FOUND' });
  const next = await reserveCoupon(ctx, { poolId: pool.id, seconds: 60 });
  expect(next.coupon.id).toBe(late.coupon.id);
  for (const act of [confirmCoupon, releaseCoupon])
    await expect(act(ctx, late.id)).rejects.toMatchObject({ code: 'RESERVATION_NOT_FOUND' });
  expect(await confirmCoupon(ctx, next.id)).toMatchObject({ status: 'ISSUED' });
  expect(await counts(pool.id)).toEqual(await countedByRows(ctx, pool.id));
});

test('the scheduled job returns overdue codes of all workspaces, once even if several workers run it', async () => {
  const [mine, theirs] = [await poolOf(ctx, 3), await poolOf(newContext(), 0)];
  await Promise.all([1, 2].map(() => reserveCoupon(fresh(), { poolId: mine.id, seconds: 60 })));
  await reserveCoupon(ctx, { poolId: mine.id, seconds: 120 });
  const other = newContext();
  const elsewhere = await poolOf(other, 1);
  await reserveCoupon(other, { poolId: elsewhere.id, seconds: 60 });
  services.clock.advance(60_000);
  await Promise.all([expireCouponReservations(fresh()), expireCouponHoldsJob.run(fresh(), {})]);
  expect(await countedByRows(ctx, mine.id)).toMatchObject({ availableCount: 2, heldCount: 1 });
  expect(await counts(mine.id)).toEqual(await countedByRows(ctx, mine.id));
  expect(await countedByRows(other, elsewhere.id)).toMatchObject({ availableCount: 1, heldCount: 0 });
  expect(await countedByRows(ctx, theirs.id)).toMatchObject({ availableCount: 0 });
});

test('unknown members, odd times and pools that issue nothing are refused', async () => {
  const pool = await poolOf(ctx, 2);
  const unknown = newId(services.clock);
  await expect(reserveCoupon(ctx, { poolId: pool.id, memberId: unknown })).rejects.toMatchObject({
    code: 'MEMBER_NOT_FOUND',
  });
  for (const seconds of [0, 86_401])
    await expect(reserveCoupon(ctx, { poolId: pool.id, seconds })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
  for (const seconds of [1, 86_400])
    expect((await reserveCoupon(ctx, { poolId: pool.id, seconds })).expiresAt).toEqual(
      addMs(services.clock.now(), seconds * 1_000),
    );
  await expect(reserveCoupon(ctx, { poolId: unknown })).rejects.toMatchObject({
    code: 'COUPON_POOL_NOT_FOUND',
  });
  await expect(confirmCoupon(ctx, unknown)).rejects.toMatchObject({ code: 'RESERVATION_NOT_FOUND' });
  await setCouponPoolStatus(ctx, pool.id, 'PAUSED');
  await expect(reserveCoupon(ctx, { poolId: pool.id })).rejects.toMatchObject({ code: 'POOL_UNAVAILABLE' });
});

test('a code that is redeemed while it is held is confirmed to nobody', async () => {
  const pool = await poolOf(ctx, 1);
  const { id, coupon } = await reserveCoupon(ctx, { poolId: pool.id });
  await redeemCoupon(ctx, coupon.id, null);
  for (const act of [confirmCoupon, releaseCoupon])
    await expect(act(ctx, id)).rejects.toMatchObject({ code: 'COUPON_NOT_HELD' });
  expect(await counts(pool.id)).toEqual(await countedByRows(ctx, pool.id));
});
