import { describe, expect, test } from '@jest/globals';
import { defaultLimits } from '@loyalty/platform/base/caller';
import { newId } from '@loyalty/platform/base/ids';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import { ask, given } from '../loyalty.fixture.ts';
import { requestErasure } from '../member-status/member-status.service.ts';
import { awardPoints } from '../points/points.service.ts';
import { setCouponPoolStatus } from './coupon-pools.service.ts';
import { COUNTS, captured, countedByRows, poolOf, storeOf, untilNotBusy } from './coupons.fixture.ts';
import { findCouponByCode, issueCoupon, redeemCoupon, voidCoupon } from './coupons.service.ts';
import { draws } from './coupons.store.ts';
import { redeemPointsForCoupon } from './points-for-coupon.service.ts';

const { services, ctx, fresh, newContext } = useServices();

const counts = async (id: string) =>
  (await ask(fresh(), `query ($id: ID!) { couponPool(id: $id) { ${COUNTS} } }`, { id })).couponPool;
const unknown = () => newId(services.clock);

describe('issuing to a capture', () => {
  test('takes a code of the pool, counts it and publishes it once', async () => {
    const pool = await poolOf(ctx, 2);
    const { id: captureId } = await captured(ctx);
    const coupon = await issueCoupon(ctx, pool.id, captureId);
    expect(coupon).toMatchObject({ poolId: pool.id, captureId, status: 'ISSUED', memberId: null });
    expect(await counts(pool.id)).toMatchObject({ availableCount: 1, issuedCount: 1 });
    expect(await publishedEvents(ctx, 'coupon.issued')).toEqual([
      { couponId: coupon.id, poolId: pool.id, memberId: null, captureId },
    ]);
  });

  test('the same capture and pool gets the same code again, also at the same time and when paused', async () => {
    const pool = await poolOf(ctx, 5);
    const { id } = await captured(ctx);
    const all = await Promise.all(Array.from({ length: 8 }, () => issueCoupon(fresh(), pool.id, id)));
    expect(new Set(all.map((coupon) => coupon.id)).size).toBe(1);
    await setCouponPoolStatus(ctx, pool.id, 'PAUSED');
    expect((await issueCoupon(fresh(), pool.id, id)).id).toBe(all[0]!.id);
    expect(await publishedEvents(ctx, 'coupon.issued')).toHaveLength(1);
    expect(await counts(pool.id)).toMatchObject({ availableCount: 4, issuedCount: 1 });
  });

  test('the last codes go to exactly as many captures, the others learn that the pool is exhausted', async () => {
    const pool = await poolOf(ctx, 5);
    const captures = await Promise.all(Array.from({ length: 20 }, () => captured(fresh())));
    const results = await Promise.allSettled(
      captures.map(({ id }) => untilNotBusy(() => issueCoupon(fresh(), pool.id, id))),
    );
    const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.code] : []));
    expect(new Set(won).size).toBe(5);
    expect(won).toHaveLength(5);
    for (const result of results.filter(({ status }) => status === 'rejected'))
      expect((result as PromiseRejectedResult).reason).toMatchObject({ code: 'POOL_EXHAUSTED' });
    expect(await counts(pool.id)).toEqual(await countedByRows(ctx, pool.id));
  });

  test('unknown pools and captures, paused, archived and expired pools are refused', async () => {
    const pool = await poolOf(ctx, 3, { couponsExpireAt: new Date(services.clock.now().getTime() + 60_000) });
    const { id } = await captured(ctx);
    const expectRefusal = (poolId: string, captureId: string, code: string) =>
      expect(issueCoupon(fresh(), poolId, captureId)).rejects.toMatchObject({ code });
    await expectRefusal(unknown(), id, 'COUPON_POOL_NOT_FOUND');
    await expectRefusal(pool.id, unknown(), 'CAPTURE_NOT_FOUND');
    await setCouponPoolStatus(ctx, pool.id, 'PAUSED');
    await expectRefusal(pool.id, id, 'POOL_UNAVAILABLE');
    await setCouponPoolStatus(ctx, pool.id, 'ACTIVE');
    services.clock.advance(60_000);
    await expectRefusal(pool.id, id, 'POOL_UNAVAILABLE');
    await setCouponPoolStatus(ctx, pool.id, 'ARCHIVED');
    await expectRefusal(pool.id, id, 'POOL_UNAVAILABLE');
    expect(await counts(pool.id)).toMatchObject({ availableCount: 3 });
  });
});

test('the next code is the first entry of an index, however many codes were issued before', async () => {
  const { id } = await poolOf(ctx, 5_000);
  await ctx.sql.query(
    `UPDATE loyalty.coupons SET status = 'ISSUED'
      WHERE id IN (SELECT id FROM loyalty.coupons WHERE pool_id = $1 ORDER BY id LIMIT 4500)`,
    [id],
  );
  await ctx.sql.query('ANALYZE loyalty.coupons');
  const { workspaceId, mode } = ctx.scope;
  const plan = await ctx.sql.query<Record<string, string>>(`EXPLAIN (ANALYZE) ${draws[0]}`, [
    ...[workspaceId, mode, services.clock.now(), id],
    ...['ISSUED', null, null, null, null],
  ]);
  const text = plan.map((line) => line['QUERY PLAN']).join('\n');
  expect(text).toContain('Index Scan using coupons_workspace_id_mode_pool_id_status_id_idx');
  expect(text).not.toMatch(/Seq Scan on coupons|Rows Removed by Filter/);
});

describe('redeeming', () => {
  test('of many calls at once exactly one succeeds and publishes', async () => {
    const pool = await poolOf(ctx, 1);
    const { id } = await issueCoupon(ctx, pool.id, (await captured(ctx)).id);
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => redeemCoupon(fresh(), id, null)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results.filter(({ status }) => status === 'rejected')) {
      expect((result as PromiseRejectedResult).reason).toMatchObject({
        category: 'NOT_FOUND',
        code: 'COUPON_NOT_REDEEMABLE',
      });
    }
    expect(await publishedEvents(ctx, 'coupon.redeemed')).toEqual([
      { couponId: id, poolId: pool.id, memberId: null, storeId: null },
    ]);
    expect(await counts(pool.id)).toMatchObject({ issuedCount: 0, redeemedCount: 1 });
  });

  test('codes of paused and archived pools redeem, also those that were never issued', async () => {
    const pool = await poolOf(ctx, 3);
    const { coupons } = await ask(fresh(), '{ coupons { nodes { id } } }');
    await setCouponPoolStatus(ctx, pool.id, 'PAUSED');
    await expect(redeemCoupon(ctx, coupons.nodes[0].id, null)).resolves.toMatchObject({ status: 'REDEEMED' });
    await setCouponPoolStatus(ctx, pool.id, 'ARCHIVED');
    await expect(redeemCoupon(ctx, coupons.nodes[1].id, null)).resolves.toMatchObject({ status: 'REDEEMED' });
    await setCouponPoolStatus(ctx, pool.id, 'ARCHIVED', true);
    await expect(redeemCoupon(ctx, coupons.nodes[2].id, null)).rejects.toMatchObject({
      category: 'NOT_FOUND',
      code: 'COUPON_NOT_REDEEMABLE',
    });
    expect(await counts(pool.id)).toMatchObject({ availableCount: 0, redeemedCount: 2, voidedCount: 1 });
    const shown = await ask(
      fresh(),
      '{ void: coupons(status: VOID) { totalCount } open: coupons(status: AVAILABLE) { totalCount } }',
    );
    expect(shown).toEqual({ void: { totalCount: 1 }, open: { totalCount: 0 } });
  });

  test('unknown, expired and void coupons are not found', async () => {
    const pool = await poolOf(ctx, 2, { couponsExpireAt: new Date(services.clock.now().getTime() + 60_000) });
    const [first, second] = (await ask(fresh(), '{ coupons { nodes { id } } }')).coupons.nodes;
    await voidCoupon(ctx, first.id, 'printed twice');
    services.clock.advance(60_000);
    const expectRefusal = (id: string, code: string) =>
      expect(redeemCoupon(fresh(), id, null)).rejects.toMatchObject({ category: 'NOT_FOUND', code });
    await expectRefusal(unknown(), 'COUPON_NOT_FOUND');
    await expectRefusal(first.id, 'COUPON_NOT_REDEEMABLE');
    await expectRefusal(second.id, 'COUPON_EXPIRED');
    expect(await counts(pool.id)).toMatchObject({ availableCount: 1, redeemedCount: 0, voidedCount: 1 });
  });

  test('a live caller never redeems a test coupon, and a test redeem is published in test only', async () => {
    const pool = await poolOf(ctx, 0);
    const sandbox = fresh({ mode: 'TEST' });
    await ask(sandbox, 'mutation ($id: ID!) { generateCoupons(poolId: $id, count: 1) { id } }', {
      id: pool.id,
    });
    const { coupons } = await ask(sandbox, '{ coupons { nodes { id } } }');
    await expect(redeemCoupon(ctx, coupons.nodes[0].id, null)).rejects.toMatchObject({
      code: 'COUPON_NOT_FOUND',
    });
    expect(await counts(pool.id)).toMatchObject({ availableCount: 0 });
    await redeemCoupon(sandbox, coupons.nodes[0].id, null);
    expect(await publishedEvents(sandbox, 'coupon.redeemed')).toHaveLength(1);
    expect(await publishedEvents(ctx, 'coupon.redeemed')).toHaveLength(0);
  });

  test("a member's redeem in a store publishes a visit, elsewhere or without a member it does not", async () => {
    const store = await storeOf(ctx);
    const pool = await poolOf(ctx, 4);
    const member = await given.member(ctx, { email: 'visitor@example.com' });
    await awardPoints(ctx, member.id, { amount: 100 });
    const bought = [1, 2].map(() => redeemPointsForCoupon(fresh(), member.id, pool.id, 10));
    const [inStore, online] = (await Promise.all(bought)).map(({ coupon }) => coupon.id);
    await redeemCoupon(ctx, inStore!, store.id);
    await redeemCoupon(ctx, online!, null);
    const stranger = await issueCoupon(ctx, pool.id, (await captured(ctx)).id);
    await redeemCoupon(ctx, stranger.id, store.id);
    const own = await issueCoupon(ctx, pool.id, (await captured(ctx, 'visitor@example.com')).id);
    await redeemCoupon(ctx, own.id, store.id);
    const observedAt = ctx.clock.now().toISOString();
    const visit = { memberId: member.id, storeId: store.id, source: 'REDEEM', observedAt };
    expect(await publishedEvents(ctx, 'loyalty.visit_observed')).toEqual([visit, visit]);
    await expect(redeemCoupon(ctx, own.id, unknown())).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
  });
});

describe('voiding', () => {
  test('is audited with its reason, final, and gives the capture another code', async () => {
    const pool = await poolOf(ctx, 3);
    const { id: captureId } = await captured(ctx);
    const { id } = await issueCoupon(ctx, pool.id, captureId);
    expect(await voidCoupon(ctx, id, ' leaked ')).toMatchObject({ status: 'VOID' });
    expect(await voidCoupon(ctx, id, 'again')).toMatchObject({ status: 'VOID' });
    const audited = await ctx.sql.query(
      "SELECT before, after FROM platform.audit_entries WHERE resource_id = $1 AND action = 'voidCoupon'",
      [id],
    );
    expect(audited).toEqual([
      {
        before: { status: 'ISSUED', captureId, memberId: null },
        after: { status: 'VOID', reason: 'leaked' },
      },
    ]);
    const next = await issueCoupon(ctx, pool.id, captureId);
    expect(next.id).not.toBe(id);
    await redeemCoupon(ctx, next.id, null);
    await expect(voidCoupon(ctx, next.id, 'late')).rejects.toMatchObject({ code: 'COUPON_REDEEMED' });
    await expect(voidCoupon(ctx, unknown(), 'x')).rejects.toMatchObject({ code: 'COUPON_NOT_FOUND' });
    expect(await counts(pool.id)).toMatchObject({ availableCount: 1, redeemedCount: 1, voidedCount: 1 });
  });
});

test('a code is found in any case, in its workspace and mode only', async () => {
  await poolOf(ctx, 1);
  const [coupon] = (await ask(fresh(), '{ coupons { nodes { id code } } }')).coupons.nodes;
  expect((await findCouponByCode(ctx, ` ${coupon.code.toLowerCase()} `))?.id).toBe(coupon.id);
  expect(await findCouponByCode(newContext(), coupon.code)).toBeNull();
});

test('issuing and redeeming count as value writes', async () => {
  const pool = await poolOf(ctx, 1);
  const slow = { ...callerOf(), ...ctx.caller, limits: { ...defaultLimits, valueWritesPerMinute: 0 } };
  for (const act of [
    () => issueCoupon(contextOf(services, slow), pool.id, unknown()),
    () => redeemCoupon(contextOf(services, slow), unknown(), null),
    () => voidCoupon(contextOf(services, slow), unknown(), 'x'),
    () => redeemPointsForCoupon(contextOf(services, slow), unknown(), pool.id, 1),
  ])
    await expect(act()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
});

test('a member whose erasure is pending gets no coupon for points', async () => {
  const pool = await poolOf(ctx, 1);
  const { id } = await given.member(ctx);
  await awardPoints(ctx, id, { amount: 10 });
  await requestErasure(ctx, id);
  for (const cost of [5, 50])
    await expect(redeemPointsForCoupon(ctx, id, pool.id, cost)).rejects.toMatchObject({
      code: 'MEMBER_CLOSED',
    });
  expect(await counts(pool.id)).toMatchObject({ availableCount: 1 });
});
