import { expect, test } from '@jest/globals';
import { type Caller, systemCaller } from '@loyalty/platform/base/caller';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { callerOf, useServices } from '@loyalty/test/harness/services';
import { ask, given } from '../loyalty.fixture.ts';
import { adjustPoints, awardPoints } from '../points/points.service.ts';
import { upgradeMembers } from './recalculate-members.service.ts';
import { reevaluateTiersJob } from './tiers.jobs.ts';
import { createTier, deleteTier, updateTier } from './tiers.service.ts';

const { services, ctx, fresh, newContext } = useServices();

const tierOf = async (id: string, caller?: Caller) =>
  (
    await ask(
      fresh(caller),
      'query ($id: ID!) { member(id: $id) { tier { name rank upgradeThreshold multiplier } } }',
      { id },
    )
  ).member.tier;

test('tiers list by rank', async () => {
  const create = 'mutation ($input: CreateTierInput!) { createTier(input: $input) { name multiplier } }';
  for (const [name, rank] of [
    ['Gold', 3],
    ['Bronze', 1],
    ['Silver', 2],
  ] as const) {
    await ask(ctx, create, { input: { name, rank, upgradeThreshold: rank * 100, multiplier: 1 + rank / 8 } });
  }
  expect((await ask(fresh(), '{ tiers { name rank upgradeThreshold multiplier } }')).tiers).toEqual([
    { name: 'Bronze', rank: 1, upgradeThreshold: 100, multiplier: 1.125 },
    { name: 'Silver', rank: 2, upgradeThreshold: 200, multiplier: 1.25 },
    { name: 'Gold', rank: 3, upgradeThreshold: 300, multiplier: 1.375 },
  ]);
});

test('tiers count their members, in one statement', async () => {
  const own = newContext();
  await given.tiers(own, { Bronze: 0, Silver: 50, Gold: 500 });
  const members = [await given.member(own), await given.member(own), await given.member(own)];
  await awardPoints(own, members[0]!.id, { amount: 60 });
  services.statements.length = 0;
  const { tiers } = await ask(own, '{ tiers { name memberCount } }');
  expect(tiers).toEqual([
    { name: 'Bronze', memberCount: 2 },
    { name: 'Silver', memberCount: 1 },
    { name: 'Gold', memberCount: 0 },
  ]);
  expect(services.statements.filter((text) => text.includes('loyalty.members'))).toHaveLength(1);
  expect((await ask(newContext(), '{ tiers { memberCount } }')).tiers).toEqual([]);
});

test('a member has no tier before the first threshold and the highest one reached after it', async () => {
  await given.tiers(ctx, { Bronze: 100, Silver: 200, Gold: 300 });
  const { id } = await given.member(ctx);
  await awardPoints(ctx, id, { amount: 99 });
  expect(await tierOf(id)).toBeNull();
  await awardPoints(ctx, id, { amount: 1 });
  expect(await tierOf(id)).toMatchObject({ name: 'Bronze' });
  await awardPoints(ctx, id, { amount: 500 });
  expect(await tierOf(id)).toMatchObject({ name: 'Gold' });
});

test('each upgrade is published once, with the tier before, however many awards race for it', async () => {
  const tiers = await given.tiers(ctx, { Bronze: 10, Silver: 20 });
  const { id } = await given.member(ctx);
  await Promise.all(Array.from({ length: 30 }, () => awardPoints(fresh(), id, { amount: 1 })));
  expect(await publishedEvents(ctx, 'loyalty.tier_upgraded')).toEqual([
    { memberId: id, tierId: tiers['Bronze'], previousTierId: null },
    { memberId: id, tierId: tiers['Silver'], previousTierId: tiers['Bronze'] },
  ]);
});

test('what is taken away lowers neither what was earned nor the tier', async () => {
  await given.tiers(ctx, { Bronze: 100 });
  const { id } = await given.member(ctx);
  await adjustPoints(ctx, id, 60, 'goodwill');
  await adjustPoints(ctx, id, -60, 'taken back');
  await awardPoints(ctx, id, { amount: 40 });
  expect(await tierOf(id)).toMatchObject({ name: 'Bronze' });
  await adjustPoints(ctx, id, -40, 'returned');
  expect(await tierOf(id)).toMatchObject({ name: 'Bronze' });
});

test('who enrols where a tier begins at zero is in it', async () => {
  await given.tiers(ctx, { Basic: 0, Gold: 100 });
  const { id } = await given.member(ctx);
  expect(await tierOf(id)).toMatchObject({ name: 'Basic' });
});

test('a new tier upgrades members who earned enough, live and test, and publishes each once', async () => {
  const testMode = callerOf({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' });
  const members = await Promise.all([given.member(ctx), given.member(fresh(testMode)), given.member(ctx)]);
  const [live, inTest, poor] = members.map(({ id }) => id) as [string, string, string];
  await awardPoints(ctx, live, { amount: 500 });
  await awardPoints(fresh(testMode), inTest, { amount: 500 });
  await awardPoints(ctx, poor, { amount: 99 });
  const { id } = await createTier(ctx, { name: 'Bronze', rank: 1, upgradeThreshold: 100 });
  expect(await publishedEvents(ctx, 'loyalty.tiers_changed')).toEqual([{}]);
  for (let run = 0; run < 2; run += 1) {
    await reevaluateTiersJob.run(
      fresh(systemCaller('test', { workspaceId: ctx.scope.workspaceId, mode: 'LIVE' })),
      {},
    );
  }
  expect(
    [await tierOf(live), await tierOf(inTest, testMode), await tierOf(poor)].map((tier) => tier?.name),
  ).toEqual(['Bronze', 'Bronze', undefined]);
  expect(await publishedEvents(ctx, 'loyalty.tier_upgraded')).toEqual([
    { memberId: live, tierId: id, previousTierId: null },
  ]);
  expect(await publishedEvents(fresh(testMode), 'loyalty.tier_upgraded')).toEqual([
    { memberId: inTest, tierId: id, previousTierId: null },
  ]);
});

test('re-evaluation in small chunks reaches every member of this workspace only', async () => {
  const elsewhere = fresh(callerOf());
  const others = await given.member(elsewhere);
  await awardPoints(elsewhere, others.id, { amount: 50 });
  const ids = [];
  for (let i = 0; i < 7; i += 1) ids.push((await given.member(ctx)).id);
  for (const id of ids) await awardPoints(ctx, id, { amount: 50 });
  await createTier(ctx, { name: 'Bronze', rank: 1, upgradeThreshold: 50 });
  await upgradeMembers(ctx, 2);
  expect((await publishedEvents(ctx, 'loyalty.tier_upgraded')).map(({ memberId }) => memberId)).toEqual(ids);
  expect(await publishedEvents(elsewhere, 'loyalty.tier_upgraded')).toEqual([]);
});

test('awards that race with the job publish each upgrade once', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, async () => (await given.member(ctx)).id));
  await Promise.all(ids.map((id) => awardPoints(fresh(), id, { amount: 10 })));
  await createTier(ctx, { name: 'Bronze', rank: 1, upgradeThreshold: 5 });
  await Promise.all([
    ...ids.map((id) => awardPoints(fresh(), id, { amount: 1 })),
    upgradeMembers(fresh(), 5),
    upgradeMembers(fresh(), 7),
  ]);
  const upgraded = (await publishedEvents(ctx, 'loyalty.tier_upgraded')).map(({ memberId }) => memberId);
  expect(upgraded.sort()).toEqual(ids.sort());
});

test('a lowered threshold upgrades, a raised one downgrades nobody', async () => {
  const { Bronze } = await given.tiers(ctx, { Bronze: 100 });
  const { id } = await given.member(ctx);
  await awardPoints(ctx, id, { amount: 50 });
  await updateTier(ctx, Bronze!, { upgradeThreshold: 40 });
  await upgradeMembers(ctx);
  expect(await tierOf(id)).toMatchObject({ name: 'Bronze' });
  await updateTier(ctx, Bronze!, { upgradeThreshold: 400 });
  await upgradeMembers(ctx);
  expect(await tierOf(id)).toMatchObject({ name: 'Bronze', upgradeThreshold: 400 });
});

test('thresholds rise with rank, names and ranks are unique', async () => {
  const { Silver } = await given.tiers(ctx, { Bronze: 100, Silver: 200 });
  const tier = { name: 'Gold', rank: 3, upgradeThreshold: 300 };
  const codeOf = (over: Partial<typeof tier>) =>
    createTier(ctx, { ...tier, ...over }).catch(({ code }) => code);
  expect(await codeOf({ upgradeThreshold: 150 })).toBe('TIER_ORDER');
  expect(await codeOf({ upgradeThreshold: 200 })).toBe('TIER_ORDER');
  expect(await codeOf({ rank: 0 })).toBe('TIER_ORDER');
  expect(await codeOf({ name: 'Bronze' })).toBe('TIER_EXISTS');
  expect(await codeOf({ rank: 2, upgradeThreshold: 250 })).toBe('TIER_EXISTS');
  await expect(updateTier(ctx, Silver!, { upgradeThreshold: 99 })).rejects.toMatchObject({
    code: 'TIER_ORDER',
    category: 'CONFLICT',
  });
});

test('of two tiers created at once that break the order together only one is kept', async () => {
  const attempts = await Promise.allSettled([
    createTier(fresh(), { name: 'A', rank: 1, upgradeThreshold: 200 }),
    createTier(fresh(), { name: 'B', rank: 2, upgradeThreshold: 100 }),
  ]);
  expect(attempts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('a tier with members cannot be removed, an empty one can', async () => {
  const { Bronze, Silver } = await given.tiers(ctx, { Bronze: 1, Silver: 100 });
  const { id } = await given.member(ctx);
  await awardPoints(ctx, id, { amount: 1 });
  await expect(deleteTier(ctx, Bronze!)).rejects.toMatchObject({ code: 'TIER_IN_USE', category: 'CONFLICT' });
  expect(await deleteTier(ctx, Silver!)).toBe(Silver);
  await expect(deleteTier(ctx, Silver!)).rejects.toMatchObject({ code: 'TIER_NOT_FOUND' });
});

test.each([
  { multiplier: -1 },
  { multiplier: 0 },
  { multiplier: -0 },
  { multiplier: 1.0001 },
  { multiplier: 101 },
  { rank: 10_001 },
  { upgradeThreshold: 2 ** 31 },
  { name: ' ' },
])('a tier with %p is refused', async (over) => {
  const tier = createTier(ctx, { name: 'X', rank: 1, upgradeThreshold: 1, ...over });
  await expect(tier).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
});

test('tiers are changed by live admins only, audited, and invisible to another workspace', async () => {
  const { Bronze } = await given.tiers(ctx, { Bronze: 1 });
  const change = 'mutation ($id: ID!) { updateTier(id: $id, input: { name: "B" }) { name } }';
  const testMode = callerOf({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' });
  await expect(ask(fresh(testMode), change, { id: Bronze })).rejects.toMatchObject({ code: 'LIVE_ONLY' });
  await expect(ask(fresh({ ...ctx.caller, role: 'MEMBER' }), change, { id: Bronze })).rejects.toMatchObject({
    code: 'ROLE_REQUIRED',
  });
  await expect(ask(fresh(callerOf()), change, { id: Bronze })).rejects.toMatchObject({
    code: 'TIER_NOT_FOUND',
  });
  expect((await ask(fresh(testMode), '{ tiers { name } }')).tiers).toEqual([{ name: 'Bronze' }]);
  services.clock.advance(1);
  await ask(fresh(), change, { id: Bronze });
  const audited = await ctx.sql.query<{ action: string }>(
    'SELECT action FROM platform.audit_entries WHERE resource_id = $1 ORDER BY id',
    [Bronze],
  );
  expect(audited.map(({ action }) => action)).toEqual(['createTier', 'updateTier']);
});
