import { expect, test } from '@jest/globals';
import { sale } from '@loyalty/commerce-subgraph/commerce.fixture';
import { createOrder } from '@loyalty/commerce-subgraph/orders/orders.service';
import { ensureProfiles } from '@loyalty/engagement-subgraph/profiles/keep-profiles.service';
import { refreshProfiles } from '@loyalty/engagement-subgraph/profiles/profiles.fixture';
import { noteProfileChanges } from '@loyalty/engagement-subgraph/profiles/profiles.jobs';
import { track } from '@loyalty/engagement-subgraph/tracking/tracking.fixture';
import { setCouponPoolStatus } from '@loyalty/loyalty-subgraph/coupons/coupon-pools.service';
import { captured, poolOf } from '@loyalty/loyalty-subgraph/coupons/coupons.fixture';
import { issueCoupon, redeemCoupon, voidCoupon } from '@loyalty/loyalty-subgraph/coupons/coupons.service';
import { redeemPointsForCoupon } from '@loyalty/loyalty-subgraph/coupons/points-for-coupon.service';
import { given } from '@loyalty/loyalty-subgraph/loyalty.fixture';
import {
  createRecord,
  deleteRecord,
  restoreRecord,
  updateRecord,
} from '@loyalty/loyalty-subgraph/objects/object-records.service';
import { givenTickets } from '@loyalty/loyalty-subgraph/objects/objects.fixture';
import { awardPoints } from '@loyalty/loyalty-subgraph/points/points.service';
import { place } from '@loyalty/loyalty-subgraph/visits/visits.fixture';
import { recordStoreVisit } from '@loyalty/loyalty-subgraph/visits/visits.service';
import { newId } from '@loyalty/platform/base/ids';
import { useServices } from '../harness/services.ts';
import { keptRows, occurrenceRows, profileRow } from './profile-rows.fixture.ts';

const { ctx } = useServices();

/** Makes a member with an up-to-date profile. */
async function keptMember(details: Parameters<typeof given.member>[1] = {}): Promise<string> {
  await place.workspace(ctx, 'Europe/Lisbon');
  await ensureProfiles(ctx);
  const { id } = await given.member(ctx, details);
  await refreshProfiles(ctx);
  return id;
}

const refreshed = async (id: string) => {
  await refreshProfiles(ctx);
  return profileRow(ctx, id);
};

test('visits and coupons are counted, and each of them is kept with its place', async () => {
  const id = await keptMember({ email: 'ada@example.com' });
  const storeId = await place.store(ctx);
  await recordStoreVisit(ctx, id, storeId);
  const pool = await poolOf(ctx, 3);
  const other = await poolOf(ctx, 1);
  const capture = await captured(ctx, 'ada@example.com');
  const coupon = await issueCoupon(ctx, pool.id, capture.id);
  await issueCoupon(ctx, other.id, capture.id);
  expect(await refreshed(id)).toMatchObject({
    visit_count: 1,
    last_visit_at: expect.stringContaining(ctx.clock.now().toISOString().slice(0, 19)),
    open_coupons: 2,
  });
  expect(await occurrenceRows(ctx, id, 'VISIT')).toMatchObject([{ place_id: storeId }]);
  await redeemCoupon(ctx, coupon.id, null);
  await setCouponPoolStatus(ctx, other.id, 'ARCHIVED', true);
  expect(await refreshed(id)).toMatchObject({ open_coupons: 0 });
  expect(await occurrenceRows(ctx, id, 'COUPON_ISSUED')).toHaveLength(2);
  expect(await occurrenceRows(ctx, id, 'COUPON_REDEEMED')).toMatchObject([
    { place_id: pool.id, ref_id: coupon.id },
  ]);
  await awardPoints(ctx, id, { amount: 10 });
  const bought = await redeemPointsForCoupon(ctx, id, pool.id, 10);
  expect(await refreshed(id)).toMatchObject({ open_coupons: 1 });
  await voidCoupon(ctx, bought.coupon.id, 'Damaged');
  expect(await refreshed(id)).toMatchObject({ open_coupons: 0 });
});

test('records belong to every member whom they name, until they are changed or deleted', async () => {
  const [ada, bo] = [await keptMember(), (await given.member(ctx)).id];
  await givenTickets(ctx);
  const { id } = await createRecord(ctx, 'tickets', { subject: 'Late', customer: ada, agent: bo, score: 3 });
  await refreshProfiles(ctx);
  for (const member of [ada, bo])
    expect(await occurrenceRows(ctx, member, 'RECORD')).toMatchObject([
      { name: 'tickets', ref_id: id, data: { subject: 'Late', score: 3 } },
    ]);
  await updateRecord(ctx, { type: 'tickets', id, data: { agent: null, score: 5 } });
  await refreshProfiles(ctx);
  expect(await occurrenceRows(ctx, ada, 'RECORD')).toMatchObject([{ data: { score: 5 } }]);
  expect(await occurrenceRows(ctx, bo, 'RECORD')).toEqual([]);
  await deleteRecord(ctx, 'tickets', id);
  await refreshProfiles(ctx);
  expect(await occurrenceRows(ctx, ada, 'RECORD')).toEqual([]);
  await restoreRecord(ctx, 'tickets', id);
  await refreshProfiles(ctx);
  expect(await occurrenceRows(ctx, ada, 'RECORD')).toHaveLength(1);
});

test('tracked events are copied, also those of before a visitor was known to be a member', async () => {
  const id = await keptMember();
  await track(ctx, { event: 'search', anonymousId: 'v1' });
  await track(ctx, { event: 'view', memberId: id });
  await refreshProfiles(ctx);
  expect(await occurrenceRows(ctx, id, 'TRACKED')).toMatchObject([{ name: 'view' }]);
  await track(ctx, { event: 'sign_in', memberId: id, anonymousId: 'v1' });
  await refreshProfiles(ctx);
  const names = (await occurrenceRows(ctx, id, 'TRACKED')).map(({ name }) => name);
  expect(names.toSorted()).toEqual(['search', 'sign_in', 'view']);
});

test('what happened before profiles were kept is in them, of every kind', async () => {
  await place.workspace(ctx, 'UTC');
  await givenTickets(ctx);
  const { id } = await given.member(ctx);
  const storeId = await place.store(ctx);
  await createOrder(ctx, sale(ctx, { memberId: id }));
  await recordStoreVisit(ctx, id, storeId);
  await createRecord(ctx, 'tickets', { subject: 'Late', customer: id });
  await track(ctx, { event: 'view', memberId: id });
  await awardPoints(ctx, id, { amount: 10 });
  const pool = await poolOf(ctx, 1);
  await redeemPointsForCoupon(ctx, id, pool.id, 10);
  await ensureProfiles(ctx);
  const { profiles, occurrences } = await keptRows(ctx);
  expect(profiles).toMatchObject([{ order_count: 1, visit_count: 1, open_coupons: 1 }]);
  expect(occurrences.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['ORDER', 'VISIT', 'COUPON_ISSUED', 'TRACKED', 'RECORD']),
  );
  expect(occurrences).toHaveLength(5);
});

test('an event of a member whom loyalty does not know leaves nothing behind', async () => {
  await keptMember();
  const before = await keptRows(ctx);
  await ctx.transaction((tx) =>
    noteProfileChanges.take(tx, [
      {
        id: newId(ctx.clock),
        type: 'member.updated',
        ...ctx.scope,
        payload: { memberId: newId(ctx.clock), fields: [] },
        createdAt: ctx.clock.now(),
        actor: null,
      },
    ]),
  );
  await refreshProfiles(ctx);
  expect(await keptRows(ctx)).toEqual(before);
});
