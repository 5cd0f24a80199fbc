import { beforeAll, expect, test } from '@jest/globals';
import { defaultLimits } from '@loyalty/platform/base/caller';
import { AppError } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import fc from 'fast-check';
import { ask, given } from '../loyalty.fixture.ts';
import { awardPoints } from '../points/points.service.ts';
import { generateCoupons } from './coupon-batches.service.ts';
import {
  confirmCoupon,
  expireCouponReservations,
  releaseCoupon,
  reserveCoupon,
} from './coupon-reservations.service.ts';
import { COUNTS, captured, countedByRows, poolOf } from './coupons.fixture.ts';
import { issueCoupon, redeemCoupon, voidCoupon } from './coupons.service.ts';
import { redeemPointsForCoupon } from './points-for-coupon.service.ts';

const { services } = useServices();
let caller: Context['caller'];

beforeAll(() => {
  caller = { ...callerOf(), limits: { ...defaultLimits, valueWritesPerMinute: 1_000_000 } };
});

const fresh = () => contextOf(services, caller);
const acts = ['ISSUE', 'BUY', 'RESERVE', 'CONFIRM', 'RELEASE', 'REDEEM', 'VOID', 'GENERATE', 'TIME'] as const;
const step = fc.record({
  act: fc.constantFrom(...acts),
  pick: fc.nat(7),
  count: fc.integer({ min: 1, max: 3 }),
});

/** Takes any act on the codes of one pool; refusals are expected. */
async function take(poolId: string, world: World, { act, pick, count }: Step): Promise<unknown> {
  const ctx = fresh();
  const coupons = await ctx.sql.query<{ id: string; reservationId: string | null }>(
    'SELECT id, reservation_id FROM loyalty.coupons WHERE pool_id = $1 ORDER BY id',
    [poolId],
  );
  const coupon = coupons[pick % Math.max(coupons.length, 1)];
  const id = coupon?.id ?? poolId;
  const held = coupons.find(({ reservationId }) => reservationId)?.reservationId ?? poolId;
  const does: Record<Step['act'], () => Promise<unknown> | undefined> = {
    ISSUE: () => issueCoupon(ctx, poolId, world.captures[pick]!),
    BUY: () => redeemPointsForCoupon(ctx, world.memberId, poolId, count),
    RESERVE: () => reserveCoupon(ctx, { poolId, seconds: 10 * count }),
    CONFIRM: () => confirmCoupon(ctx, held),
    RELEASE: () => releaseCoupon(ctx, held),
    REDEEM: () => redeemCoupon(ctx, id, null),
    VOID: () => voidCoupon(ctx, id, 'test'),
    GENERATE: () => generateCoupons(ctx, poolId, count),
    TIME: () => {
      services.clock.advance(10_000);
      return pick % 2 ? expireCouponReservations(ctx) : undefined;
    },
  };
  try {
    return await does[act]();
  } catch (error) {
    if (!(error instanceof AppError) || !['CONFLICT', 'NOT_FOUND'].includes(error.category)) throw error;
    return null;
  }
}

interface World {
  readonly captures: readonly string[];
  readonly memberId: string;
}
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

test('whatever happens to codes, four things at a time, counts equal rows and no code is given twice', async () => {
  const captures: string[] = [];
  for (let n = 0; n < 8; n += 1) captures.push((await captured(fresh())).id);
  const { id: memberId } = await given.member(fresh());
  await awardPoints(fresh(), memberId, { amount: 100_000 });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 40 }), async (steps) => {
      const pool = await poolOf(fresh(), 3);
      for (let at = 0; at < steps.length; at += 4)
        await Promise.all(steps.slice(at, at + 4).map((one) => take(pool.id, { captures, memberId }, one)));
      await expireCouponReservations(fresh());
      const query = `query ($id: ID!) { couponPool(id: $id) { ${COUNTS} } coupons(poolId: $id) { totalCount } }`;
      const { couponPool, coupons } = await ask(fresh(), query, { id: pool.id });
      expect(couponPool).toEqual(await countedByRows(fresh(), pool.id));
      const total = Object.values(couponPool as Record<string, number>).reduce((sum, one) => sum + one, 0);
      expect(coupons.totalCount).toBe(total);
      const issued = (await publishedEvents(fresh(), 'coupon.issued')).filter(
        ({ poolId }) => poolId === pool.id,
      );
      expect(new Set(issued.map(({ couponId }) => couponId)).size).toBe(issued.length);
      const redeemed = (await publishedEvents(fresh(), 'coupon.redeemed')).filter(
        ({ poolId }) => poolId === pool.id,
      );
      expect(redeemed).toHaveLength(couponPool.redeemedCount);
    }),
    { numRuns: 25 },
  );
});
