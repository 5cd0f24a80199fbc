import { expect, test } from '@jest/globals';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { useServices } from '@loyalty/test/harness/services';
import { ask } from '../loyalty.fixture.ts';
import { setCouponPoolStatus, updateCouponPool } from './coupon-pools.service.ts';
import { captured, poolOf } from './coupons.fixture.ts';
import { publishLowStockJob } from './coupons.jobs.ts';
import { findCoupon, issueCoupon, redeemCoupon } from './coupons.service.ts';

const { services, ctx, fresh, newContext } = useServices();

const DETAILS = 'name discountDisplay couponsExpireAt lowStockThreshold';
const UPDATE = `mutation ($id: ID!, $input: UpdateCouponPoolInput!) {
  updateCouponPool(id: $id, input: $input) { ${DETAILS} } }`;
const update = async (id: string, input: object, as = fresh()) =>
  (await ask(as, UPDATE, { id, input })).updateCouponPool;
const read = async (id: string) =>
  (await ask(fresh(), `query ($id: ID!) { couponPool(id: $id) { ${DETAILS} status } }`, { id })).couponPool;

const inMs = (ms: number) => new Date(services.clock.now().getTime() + ms);
const audited = (id: string) =>
  ctx.sql.query(
    `SELECT before->>'name' AS before, after->>'name' AS after FROM platform.audit_entries
      WHERE resource_id = $1 AND action = 'updateCouponPool'`,
    [id],
  );

test('what is absent stays, null clears what may be empty, and the change is audited', async () => {
  const expiry = inMs(60_000);
  const { id } = await poolOf(ctx, 0, { name: 'Spring', couponsExpireAt: expiry, lowStockThreshold: 5 });
  const whole = {
    name: 'Summer',
    discountDisplay: '20% off',
    couponsExpireAt: expiry.toISOString(),
    lowStockThreshold: 5,
  };
  expect(await update(id, { name: ' Summer ' })).toEqual(whole);
  expect(await audited(id)).toEqual([{ before: 'Spring', after: 'Summer' }]);
  expect(await update(id, { name: null, discountDisplay: null })).toEqual(whole);
  const cleared = { ...whole, couponsExpireAt: null, lowStockThreshold: null };
  expect(await update(id, { couponsExpireAt: null, lowStockThreshold: null })).toEqual(cleared);
  expect(await read(id)).toMatchObject({ ...cleared, status: 'ACTIVE' });
});

test.each([
  ['an empty name', { name: ' ' }, 'input.name'],
  ['a long discount', { discountDisplay: 'x'.repeat(101) }, 'input.discountDisplay'],
  ['an expiry in the past', { couponsExpireAt: '2020-01-01T00:00:00.000Z' }, 'input.couponsExpireAt'],
])('%s is refused by its name, and nothing changes', async (_, wrong, field) => {
  const { id } = await poolOf(ctx, 0);
  const before = await read(id);
  await expect(update(id, { lowStockThreshold: 9, ...wrong })).rejects.toThrow(field);
  expect(await read(id)).toEqual(before);
  expect(await audited(id)).toEqual([]);
});

test('an expiry counts for codes that customers have, and a later one revives them', async () => {
  const pool = await poolOf(ctx, 1);
  const { id } = await issueCoupon(ctx, pool.id, (await captured(ctx)).id);
  const expiry = inMs(1_000);
  await updateCouponPool(fresh(), pool.id, { couponsExpireAt: expiry });
  expect((await findCoupon(fresh(), id))?.expiresAt).toEqual(expiry);
  services.clock.advance(1_000);
  await expect(redeemCoupon(fresh(), id, null)).rejects.toMatchObject({ code: 'COUPON_EXPIRED' });
  // An unchanged instant that has passed is not a change.
  await updateCouponPool(fresh(), pool.id, { name: 'Late', couponsExpireAt: expiry });
  await updateCouponPool(fresh(), pool.id, { couponsExpireAt: inMs(1_000) });
  expect(await redeemCoupon(fresh(), id, null)).toMatchObject({ status: 'REDEEMED' });
});

test('an archived pool, a pool of another workspace and a sandbox are refused', async () => {
  const { id } = await poolOf(ctx, 0);
  const before = await read(id);
  await expect(updateCouponPool(newContext(), id, { name: 'Mine' })).rejects.toMatchObject({
    code: 'COUPON_POOL_NOT_FOUND',
    category: 'NOT_FOUND',
  });
  await expect(update(id, { name: 'T' }, fresh({ mode: 'TEST' }))).rejects.toMatchObject({
    code: 'LIVE_ONLY',
  });
  expect(await read(id)).toEqual(before);
  await setCouponPoolStatus(ctx, id, 'ARCHIVED');
  await expect(updateCouponPool(fresh(), id, { name: 'Old' })).rejects.toMatchObject({
    code: 'POOL_UNAVAILABLE',
    category: 'CONFLICT',
  });
});

test('changes at the same time all count', async () => {
  const { id } = await poolOf(ctx, 0);
  await Promise.all([
    updateCouponPool(fresh(), id, { name: 'Both' }),
    updateCouponPool(fresh(), id, { lowStockThreshold: 3 }),
    updateCouponPool(fresh(), id, { discountDisplay: '1 EUR' }),
    setCouponPoolStatus(fresh(), id, 'PAUSED'),
  ]);
  expect(await read(id)).toMatchObject({
    name: 'Both',
    lowStockThreshold: 3,
    discountDisplay: '1 EUR',
    status: 'PAUSED',
  });
});

test('a stock that was low by the former threshold is published again at a lower one', async () => {
  const pool = await poolOf(ctx, 4, { lowStockThreshold: 3 });
  const draw = async () => {
    await issueCoupon(fresh(), pool.id, (await captured(ctx)).id);
    await publishLowStockJob.run(fresh(), { poolId: pool.id });
  };
  await draw();
  await updateCouponPool(fresh(), pool.id, { lowStockThreshold: 2 });
  expect(await publishedEvents(ctx, 'coupon.pool_low')).toEqual([{ poolId: pool.id, available: 3 }]);
  await draw();
  expect(await publishedEvents(ctx, 'coupon.pool_low')).toEqual([
    { poolId: pool.id, available: 3 },
    { poolId: pool.id, available: 2 },
  ]);
});
