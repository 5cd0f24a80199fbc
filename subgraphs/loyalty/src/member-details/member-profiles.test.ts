import { expect, test } from '@jest/globals';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { NO_ID } from '@loyalty/platform/base/ids';
import { useServices } from '@loyalty/test/harness/services';
import type { MemberProfilesPage } from '#generated/schema';
import { poolOf } from '../coupons/coupons.fixture.ts';
import { redeemPointsForCoupon } from '../coupons/points-for-coupon.service.ts';
import { ask, given } from '../loyalty.fixture.ts';
import { tagMember } from '../members/tags.service.ts';
import { createRecord } from '../objects/object-records.service.ts';
import { givenTickets } from '../objects/objects.fixture.ts';
import { recordProfiles } from '../objects/record-lists.service.ts';
import { awardPoints } from '../points/points.service.ts';
import { updateProgram } from '../tiers/programs.service.ts';
import { place } from '../visits/visits.fixture.ts';
import { recordStoreVisit } from '../visits/visits.service.ts';
import { memberProfiles, memberProfilesPage } from './member-profiles.service.ts';

const { services, ctx, newContext } = useServices();

const LONG_AGO = new Date(0);

/** Creates a member with data of every kind. */
async function richMember(storeId: string, poolId: string): Promise<string> {
  const { id } = await given.member(ctx, { homeStoreId: storeId, birthOn: '1980-12-24' });
  await tagMember(ctx, id, { keys: ['vip'] });
  await awardPoints(ctx, id, { amount: 20 });
  await redeemPointsForCoupon(ctx, id, poolId, 5);
  await recordStoreVisit(ctx, id, storeId);
  await createRecord(ctx, 'tickets', { subject: 'Late', customer: id });
  return id;
}

/** Creates a workspace with a programme and this many members. */
async function programmeOf(members: number): Promise<string[]> {
  await place.workspace(ctx);
  await given.tiers(ctx, { Silver: 10 });
  await updateProgram(ctx, { tierBasis: 'ROLLING', tierPeriodDays: 30, downgradePolicy: 'TO_EARNED' });
  await givenTickets(ctx);
  const storeId = await place.store(ctx, 'Asia/Tokyo');
  const { id: poolId } = await poolOf(ctx, members);
  const ids: string[] = [];
  for (let count = 0; count < members; count += 1) ids.push(await richMember(storeId, poolId));
  return ids;
}

const statementsOf = async (run: () => Promise<unknown>): Promise<number> => {
  await run();
  services.statements.length = 0;
  await run();
  return services.statements.length;
};

test('thirty members cost as many statements as one, four at most', async () => {
  const ids = await programmeOf(30);
  const profiles = (asked: readonly string[]) => async () => {
    const wanted = { ids: asked, visitsOf: asked, since: LONG_AGO };
    expect(await memberProfiles(newContext(ctx.caller), wanted)).toHaveLength(asked.length);
  };
  const many = await statementsOf(profiles(ids));
  expect(many).toBe(await statementsOf(profiles(ids.slice(0, 1))));
  expect(many).toBeLessThanOrEqual(4);
  const records = (asked: readonly string[]) => async () => {
    const found = await recordProfiles(newContext(ctx.caller), { ids: [], memberIds: asked });
    expect(found).toHaveLength(asked.length);
  };
  expect(await statementsOf(records(ids))).toBe(1);
});

test('pages go through all members once, in the order of their ids', async () => {
  const ids = await programmeOf(5);
  const wanted = { first: 2, withVisits: true, since: LONG_AGO };
  const found: string[] = [];
  let afterId: string | null = NO_ID;
  while (afterId !== null) {
    const page: MemberProfilesPage = await memberProfilesPage(newContext(ctx.caller), { ...wanted, afterId });
    found.push(...page.members.map(({ memberId }) => memberId));
    expect(page.members.every(({ visits }) => visits?.visitCount === 1)).toBe(true);
    afterId = page.toId;
  }
  expect(found).toEqual(ids.toSorted());
});

test('visits and coupons before the time that is asked for are counted, and not listed', async () => {
  const [id] = await programmeOf(1);
  services.clock.advance(10 * DAY_MS);
  const since = new Date(ctx.clock.now().getTime() - DAY_MS);
  const [profile] = await memberProfiles(ctx, { ids: [id!], visitsOf: [id!], since });
  expect(profile?.visits).toMatchObject({ visitCount: 1, openCoupons: 1, occurrences: [] });
  const [bare] = await memberProfiles(ctx, { ids: [id!], visitsOf: [], since });
  expect(bare?.visits).toBeNull();
});

test('members of another workspace or mode are left out, and nobody but the product can ask', async () => {
  const [id] = await programmeOf(1);
  const wanted = { ids: [id!], visitsOf: [], since: LONG_AGO };
  expect(await memberProfiles(newContext(), wanted)).toEqual([]);
  expect(await memberProfiles(newContext({ ...ctx.caller, mode: 'TEST' }), wanted)).toEqual([]);
  expect(await recordProfiles(newContext(), { ids: [], memberIds: [id!] })).toEqual([]);
  const at = '2026-01-01T00:00:00Z';
  for (const query of [
    `{ _memberProfiles(ids: [], visitsOf: [], since: "${at}") { memberId } }`,
    `{ _memberProfilesPage(afterId: "${NO_ID}", first: 1, withVisits: false, since: "${at}") { toId } }`,
    '{ _recordProfiles(ids: [], memberIds: []) { id } }',
  ])
    await expect(ask(ctx, query)).rejects.toMatchObject({ code: 'CALLER_REFUSED' });
});
