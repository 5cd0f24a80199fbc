import { expect, test } from '@jest/globals';
import { sale } from '@loyalty/commerce-subgraph/commerce.fixture';
import { createOrder } from '@loyalty/commerce-subgraph/orders/orders.service';
import { refundOrder } from '@loyalty/commerce-subgraph/orders/refunds.service';
import { ensureProfiles } from '@loyalty/engagement-subgraph/profiles/keep-profiles.service';
import { noteEvents, refreshProfiles } from '@loyalty/engagement-subgraph/profiles/profiles.fixture';
import { profilesAsOf } from '@loyalty/engagement-subgraph/profiles/profiles.service';
import { setMemberConsent } from '@loyalty/loyalty-subgraph/consents/consents.service';
import { poolOf } from '@loyalty/loyalty-subgraph/coupons/coupons.fixture';
import { redeemPointsForCoupon } from '@loyalty/loyalty-subgraph/coupons/points-for-coupon.service';
import { defineCustomField } from '@loyalty/loyalty-subgraph/fields/custom-fields.service';
import { given } from '@loyalty/loyalty-subgraph/loyalty.fixture';
import { updateMember } from '@loyalty/loyalty-subgraph/member-details/member-details.service';
import {
  restrictProcessing,
  setMemberStatus,
} from '@loyalty/loyalty-subgraph/member-status/member-status.service';
import { tagMember, untagMember } from '@loyalty/loyalty-subgraph/members/tags.service';
import { awardPoints } from '@loyalty/loyalty-subgraph/points/points.service';
import { updateProgram } from '@loyalty/loyalty-subgraph/tiers/programs.service';
import { upgradeMembers } from '@loyalty/loyalty-subgraph/tiers/recalculate-members.service';
import { clearTierOverride, overrideTier } from '@loyalty/loyalty-subgraph/tiers/tier-overrides.service';
import { place } from '@loyalty/loyalty-subgraph/visits/visits.fixture';
import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import { useServices } from '../harness/services.ts';
import { keptRows, occurrenceRows, profileRow, waitingChanges } from './profile-rows.fixture.ts';

const { ctx, services } = useServices();

const at = (days: number): Date => addMs(ctx.clock.now(), days * DAY_MS);
const text = (date: Date): unknown => expect.stringContaining(date.toISOString().slice(0, 19));

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

test('nothing is kept, nor noted, before profiles are asked for; then everybody is there at once', async () => {
  await place.workspace(ctx, 'UTC');
  const { id } = await given.member(ctx);
  await refreshProfiles(ctx);
  expect(await keptRows(ctx)).toEqual({ profiles: [], occurrences: [] });
  expect(await waitingChanges(ctx)).toEqual([]);
  expect(await profilesAsOf(ctx)).toBeNull();
  await ensureProfiles(ctx);
  expect(await profileRow(ctx, id)).toMatchObject({ status: 'ACTIVE' });
  expect(await profilesAsOf(ctx)).toEqual(ctx.clock.now());
  await ensureProfiles(ctx);
});

test('the fields of a member follow its changes', async () => {
  const id = await keptMember({ email: 'ada@example.com', birthOn: '1992-02-29' });
  expect(await profileRow(ctx, id)).toMatchObject({
    status: 'ACTIVE',
    enrollment_source: 'API',
    is_restricted: false,
    has_email: true,
    locale: null,
    time_zone: 'Europe/Lisbon',
    home_store_id: null,
    birthday: 229,
    created_at: text(ctx.clock.now()),
    last_activity_at: text(ctx.clock.now()),
    custom_attributes: {},
    tags: [],
    consents: ['EMAIL_MARKETING'],
    tier_id: null,
    tier_rank: null,
    points_balance: 0,
    points_earned: 0,
    order_count: 0,
    visit_count: 0,
    open_coupons: 0,
    purchase_score: null,
    next_order_on: null,
  });
});

test('details, consents and tags of a member follow its changes', async () => {
  await defineCustomField(ctx, { key: 'size', label: 'Size', type: 'NUMBER' });
  const id = await keptMember({ birthOn: '1992-02-29' });
  const homeStoreId = await place.store(ctx, 'Atlantic/Azores');
  await updateMember(ctx, id, {
    locale: 'pt-PT',
    homeStoreId,
    customAttributes: { size: 42 },
    birthOn: null,
  });
  expect(await refreshed(id)).toMatchObject({
    locale: 'pt-PT',
    home_store_id: homeStoreId,
    time_zone: 'Atlantic/Azores',
    custom_attributes: { size: 42 },
    birthday: null,
  });
  await tagMember(ctx, id, { keys: ['VIP', 'Early bird'] });
  await setMemberConsent(ctx, id, { purpose: 'PROFILING', granted: true });
  await setMemberConsent(ctx, id, { purpose: 'EMAIL_MARKETING', granted: false });
  const tagged = await refreshed(id);
  expect(tagged).toMatchObject({ tags: ['early_bird', 'vip'], consents: ['PROFILING'] });
  await untagMember(ctx, id, 'vip');
  await setMemberStatus(ctx, id, 'INACTIVE');
  expect(await refreshed(id)).toMatchObject({ tags: ['early_bird'], status: 'INACTIVE' });
  await restrictProcessing(ctx, id, true);
  expect(await refreshed(id)).toMatchObject({ is_restricted: true });
});

test('points, the lot that expires next and the tier follow the ledger', async () => {
  const tiers = await given.tiers(ctx, { Silver: 100, Gold: 500 });
  await updateProgram(ctx, { pointsExpireAfterDays: 30 });
  const id = await keptMember();
  await awardPoints(ctx, id, { amount: 120 });
  expect(await refreshed(id)).toMatchObject({
    points_balance: 120,
    points_earned: 120,
    points_expire_at: text(at(30)),
    tier_id: tiers['Silver'],
    tier_rank: 1,
    tier_changed_at: text(ctx.clock.now()),
    tier_lapses_at: null,
  });
  const pool = await poolOf(ctx, 1);
  await redeemPointsForCoupon(ctx, id, pool.id, 120);
  expect(await refreshed(id)).toMatchObject({
    points_balance: 0,
    points_earned: 120,
    points_expire_at: null,
    open_coupons: 1,
  });
});

test('the day on which a rolling tier is lost is when too few of its points are left', async () => {
  await given.tiers(ctx, { Silver: 100 });
  await updateProgram(ctx, { tierBasis: 'ROLLING', tierPeriodDays: 90, downgradePolicy: 'TO_EARNED' });
  const id = await keptMember();
  await awardPoints(ctx, id, { amount: 80 });
  expect(await refreshed(id)).toMatchObject({ tier_id: null, tier_lapses_at: null });
  services.clock.advance(10 * DAY_MS);
  await awardPoints(ctx, id, { amount: 50 });
  await upgradeMembers(ctx);
  expect(await refreshed(id)).toMatchObject({ tier_rank: 1, tier_lapses_at: text(at(80)) });
  services.clock.advance(10 * DAY_MS);
  await awardPoints(ctx, id, { amount: 50 });
  expect(await refreshed(id)).toMatchObject({ tier_lapses_at: text(at(80)) });
  await updateProgram(ctx, { downgradePolicy: 'ONE_STEP' });
  await refreshProfiles(ctx);
  await awardPoints(ctx, id, { amount: 1 });
  expect(await refreshed(id)).toMatchObject({ tier_lapses_at: text(at(80)) });
});

test('a tier set by hand that was not earned is lost on its day', async () => {
  const tiers = await given.tiers(ctx, { Silver: 100 });
  const id = await keptMember();
  await overrideTier(ctx, { memberId: id, tierId: tiers['Silver']!, until: at(20), reason: 'Sorry.' });
  expect(await refreshed(id)).toMatchObject({ tier_rank: 1, tier_lapses_at: text(at(20)) });
  await awardPoints(ctx, id, { amount: 100 });
  expect(await refreshed(id)).toMatchObject({ tier_rank: 1, tier_lapses_at: null });
  await clearTierOverride(ctx, id);
  expect(await refreshed(id)).toMatchObject({ tier_rank: 1, tier_lapses_at: null });
});

test('orders count without refunds, and each of them has its store and amount', async () => {
  const id = await keptMember();
  const storeId = await place.store(ctx);
  const first = await createOrder(ctx, sale(ctx, { memberId: id, storeId, occurredAt: at(-30) }));
  const second = await createOrder(ctx, sale(ctx, { memberId: id, total: 2_500n, occurredAt: at(-3) }));
  await createOrder(ctx, sale(ctx, { memberId: id, total: 100n, occurredAt: at(-500) }));
  expect(await refreshed(id)).toMatchObject({
    order_count: 3,
    order_revenue_minor: 12_600,
    first_order_at: text(at(-500)),
    last_order_at: text(at(-3)),
  });
  await refundOrder(ctx, first.externalOrderId, { amount: 4_000 });
  expect(await refreshed(id)).toMatchObject({ order_count: 3, order_revenue_minor: 8_600 });
  const orders = await occurrenceRows(ctx, id, 'ORDER');
  expect(
    orders.toSorted((one, other) => Number(other['amount_minor']) - Number(one['amount_minor'])),
  ).toEqual([
    expect.objectContaining({ ref_id: first.id, place_id: storeId, amount_minor: 6_000, name: '' }),
    expect.objectContaining({ ref_id: second.id, place_id: null, amount_minor: 2_500 }),
  ]);
});

test('profiles are as of the oldest change that they lack', async () => {
  const id = await keptMember();
  await awardPoints(ctx, id, { amount: 1 });
  await noteEvents(ctx);
  const changedAt = ctx.clock.now();
  services.clock.advance(60_000);
  expect(await profilesAsOf(ctx)).toEqual(changedAt);
  await refreshProfiles(ctx);
  expect(await profilesAsOf(ctx)).toEqual(ctx.clock.now());
});
