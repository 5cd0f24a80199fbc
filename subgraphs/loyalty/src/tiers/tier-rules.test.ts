import { beforeEach, expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import { createContext } from '@loyalty/platform/database/create-context';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { callerOf, useServices } from '@loyalty/test/harness/services';
import { ask, given } from '../loyalty.fixture.ts';
import { awardPoints } from '../points/points.service.ts';
import { reversePoints } from '../points/reversals.service.ts';
import { updateProgram } from './programs.service.ts';
import { clearTierOverride, overrideTier } from './tier-overrides.service.ts';
import {
  previewTierRecalculation,
  recalculateTiers,
  requestDueRecalculations,
  runTierRecalculation,
} from './tier-recalculations.service.ts';
import { endTierOverridesJob, recalculateChangedTiersJob, recalculateTiersJob } from './tiers.jobs.ts';
import { createTier } from './tiers.service.ts';

const { services, ctx, fresh } = useServices();
let tiers: Record<string, string>;

beforeEach(async () => {
  tiers = await given.tiers(ctx, { Bronze: 100, Silver: 200, Gold: 300 });
});

const worker = () => createContext(services, { caller: systemCaller('test', ctx.scope), requestId: 'test' });
const product = () => createContext(services, { caller: systemCaller('test'), requestId: 'test' });
const award = (id: string, amount: number) => awardPoints(fresh(), id, { amount });
const rolling = (downgradePolicy: 'NONE' | 'ONE_STEP' | 'TO_EARNED', tierPeriodDays = 30) =>
  updateProgram(fresh(), { tierBasis: 'ROLLING', tierPeriodDays, downgradePolicy });
const recalculate = async () => {
  const { id } = await recalculateTiers(fresh());
  await recalculateTiersJob.run(worker(), { tierRecalculationId: id });
};
const PROGRESS = `query ($id: ID!) { member(id: $id) { tier { name } tierOverrideUntil tierProgress {
  tier { name } nextTier { name } pointsEarnedInPeriod pointsToNext projectedTier { name } } } }`;
const read = async (id: string) => (await ask(fresh(), PROGRESS, { id })).member;
const tierOf = async (id: string) => (await read(id)).tier?.name ?? null;
const down = async () =>
  (await publishedEvents(ctx, 'loyalty.tier_downgraded')).map(({ previousTierId, tierId }) => [
    previousTierId,
    tierId,
  ]);
const up = async () => (await publishedEvents(ctx, 'loyalty.tier_upgraded')).map(({ tierId }) => tierId);

test('progress shows the next tier and what is missing, by points ever earned', async () => {
  const { id } = await given.member(ctx);
  await award(id, 130);
  expect((await read(id)).tierProgress).toEqual({
    tier: { name: 'Bronze' },
    nextTier: { name: 'Silver' },
    pointsEarnedInPeriod: 130,
    pointsToNext: 70,
    projectedTier: { name: 'Bronze' },
  });
  await award(id, 400);
  expect((await read(id)).tierProgress).toMatchObject({ nextTier: null, pointsToNext: null });
});

test('a rolling basis counts the points of its period only, and upgrades at once', async () => {
  await rolling('TO_EARNED');
  const { id } = await given.member(ctx);
  await award(id, 90);
  services.clock.advance(30 * DAY_MS);
  await award(id, 90);
  expect(await tierOf(id)).toBeNull();
  await award(id, 10);
  expect((await read(id)).tierProgress).toEqual({
    tier: { name: 'Bronze' },
    nextTier: { name: 'Silver' },
    pointsEarnedInPeriod: 100,
    pointsToNext: 100,
    projectedTier: { name: 'Bronze' },
  });
  expect(await up()).toEqual([tiers['Bronze']]);
});

test('however many awards race, each upgrade of a rolling period is published once', async () => {
  await rolling('NONE');
  const { id } = await given.member(ctx);
  await Promise.all(Array.from({ length: 30 }, () => award(id, 10)));
  expect(await tierOf(id)).toBe('Gold');
  expect(await up()).toEqual([tiers['Bronze'], tiers['Silver'], tiers['Gold']]);
});

test('what was reversed counts no more in the period', async () => {
  await rolling('TO_EARNED');
  const { id } = await given.member(ctx);
  const { id: entryId } = await award(id, 250);
  await reversePoints(fresh(), entryId, 'by mistake');
  expect((await read(id)).tierProgress).toMatchObject({ pointsEarnedInPeriod: 0, projectedTier: null });
  await recalculate();
  expect(await tierOf(id)).toBeNull();
});

test.each([
  ['NONE', ['Gold', 'Gold', 'Gold'], []],
  ['TO_EARNED', [null, null, null], [['Gold', null]]],
  [
    'ONE_STEP',
    ['Silver', 'Silver', 'Bronze'],
    [
      ['Gold', 'Silver'],
      ['Silver', 'Bronze'],
    ],
  ],
] as const)('with the policy %s, nights after the points are gone leave %j', async (policy, seen, steps) => {
  await rolling(policy);
  const { id } = await given.member(ctx);
  await award(id, 300);
  services.clock.advance(31 * DAY_MS);
  const found: unknown[] = [];
  for (const days of [0, 1, 30]) {
    services.clock.advance(days * DAY_MS);
    for (let run = 0; run < 2; run += 1) await recalculate();
    found.push(await tierOf(id));
  }
  expect(found).toEqual(seen);
  expect(await down()).toEqual(steps.map(([from, to]) => [tiers[from], to && tiers[to]]));
});

test('the night recalculates only where a workspace has set a period, live and test, once at a time', async () => {
  await requestDueRecalculations(product());
  expect(await publishedEvents(ctx, 'loyalty.tier_recalculation_requested')).toEqual([]);
  await rolling('TO_EARNED');
  const { id } = await given.member(ctx);
  await award(id, 300);
  services.clock.advance(31 * DAY_MS);
  for (let run = 0; run < 2; run += 1) await requestDueRecalculations(product());
  const requested = await publishedEvents(ctx, 'loyalty.tier_recalculation_requested');
  expect(requested).toHaveLength(1);
  const testMode = fresh(callerOf({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' }));
  expect(await publishedEvents(testMode, 'loyalty.tier_recalculation_requested')).toHaveLength(1);
  await recalculateTiersJob.run(worker(), requested[0]);
  expect(await tierOf(id)).toBeNull();
  await requestDueRecalculations(product());
  expect(await publishedEvents(ctx, 'loyalty.tier_recalculation_requested')).toHaveLength(2);
});

test('the preview shows what the recalculation then does, and moves nobody', async () => {
  const ids = [];
  for (const points of [0, 120, 250, 350]) {
    const { id } = await given.member(ctx);
    if (points > 0) await award(id, points);
    ids.push(id);
  }
  services.clock.advance(20 * DAY_MS);
  await award(ids[3]!, 100);
  services.clock.advance(15 * DAY_MS);
  await rolling('TO_EARNED');
  const { previewTierRecalculation: preview } = await ask(
    fresh(),
    `{ previewTierRecalculation { upgrades downgrades unchanged
        byTier { tier { name } membersBefore membersAfter } } }`,
  );
  expect(preview).toEqual({
    upgrades: 0,
    downgrades: 3,
    unchanged: 1,
    byTier: [
      { tier: null, membersBefore: 1, membersAfter: 3 },
      { tier: { name: 'Bronze' }, membersBefore: 1, membersAfter: 1 },
      { tier: { name: 'Silver' }, membersBefore: 1, membersAfter: 0 },
      { tier: { name: 'Gold' }, membersBefore: 1, membersAfter: 0 },
    ],
  });
  expect(await previewTierRecalculation(fresh(), 1)).toMatchObject({ downgrades: 3, unchanged: 1 });
  expect(await tierOf(ids[3]!)).toBe('Gold');
  await recalculate();
  expect(await Promise.all(ids.map(tierOf))).toEqual([null, null, null, 'Bronze']);
  expect(await previewTierRecalculation(fresh())).toMatchObject({ upgrades: 0, downgrades: 0, unchanged: 4 });
});

test('recalculations at once, in small steps and beside awards, move and publish each member once', async () => {
  await rolling('TO_EARNED');
  const ids = await Promise.all(Array.from({ length: 12 }, async () => (await given.member(ctx)).id));
  await Promise.all(ids.map((id) => award(id, 150)));
  services.clock.advance(31 * DAY_MS);
  const [first, again] = [await recalculateTiers(fresh()), await recalculateTiers(fresh())];
  expect(again.id).toBe(first.id);
  await Promise.all([
    runTierRecalculation(worker(), first.id, 3),
    runTierRecalculation(worker(), first.id, 4),
    ...ids.slice(0, 6).map((id) => award(id, 100)),
  ]);
  const query = `query ($id: ID!) { tierRecalculation(id: $id) { status processed upgrades downgrades } }`;
  const { tierRecalculation: done } = await ask(fresh(), query, { id: first.id });
  expect(done).toMatchObject({ status: 'COMPLETED', processed: 12, upgrades: 0 });
  expect(done.downgrades).toBeGreaterThanOrEqual(6);
  expect(await down()).toHaveLength(done.downgrades);
  // Members who reached Bronze before the step stay in it; those after it were downgraded and upgraded again.
  expect(await Promise.all(ids.map(tierOf))).toEqual([...Array(6).fill('Bronze'), ...Array(6).fill(null)]);
  expect(await up()).toHaveLength(12 + done.downgrades - 6);
});

test('a tier set by hand stays until its day, whatever is earned or recalculated, and then ends', async () => {
  await rolling('TO_EARNED');
  const { id } = await given.member(ctx);
  const until = new Date(services.clock.now().getTime() + 40 * DAY_MS);
  const mutation = `mutation ($id: ID!, $tierId: ID!, $until: DateTime!) {
    overrideTier(memberId: $id, tierId: $tierId, until: $until, reason: "a guest") {
      email tier { name } tierOverrideUntil } }`;
  const answer = await ask(fresh(), mutation, { id, tierId: tiers['Silver'], until });
  expect(answer.overrideTier).toMatchObject({
    email: expect.stringContaining('@example.com'),
    tier: { name: 'Silver' },
    tierOverrideUntil: until.toISOString(),
  });
  await award(id, 500);
  await recalculate();
  expect(await tierOf(id)).toBe('Silver');
  services.clock.advance(35 * DAY_MS);
  await recalculate();
  expect((await read(id)).tierProgress).toMatchObject({ projectedTier: { name: 'Silver' } });
  services.clock.advance(5 * DAY_MS);
  await award(id, 150);
  for (let run = 0; run < 2; run += 1) await endTierOverridesJob.run(product(), {});
  expect(await read(id)).toMatchObject({ tier: { name: 'Bronze' }, tierOverrideUntil: null });
  expect(await up()).toEqual([tiers['Silver']]);
  expect(await down()).toEqual([[tiers['Silver'], tiers['Bronze']]]);
});

test.each([
  ['stays until the last millisecond', -1, 'Silver'],
  ['ends in the instant of its end', 0, null],
])('a tier set by hand %s', async (_, ms, tier) => {
  await rolling('TO_EARNED');
  const { id } = await given.member(ctx);
  const until = addMs(services.clock.now(), DAY_MS);
  await overrideTier(fresh(), { memberId: id, tierId: tiers['Silver']!, until, reason: 'a guest' });
  services.clock.set(addMs(until, ms));
  expect((await read(id)).tierOverrideUntil).toBe(tier && until.toISOString());
  await recalculate();
  expect(await tierOf(id)).toBe(tier);
});

test('a lower tier set by hand is published as a downgrade and holds against awards that race with it', async () => {
  const { id } = await given.member(ctx);
  await award(id, 300);
  const until = new Date(services.clock.now().getTime() + DAY_MS);
  await Promise.all([
    ...Array.from({ length: 10 }, () => award(id, 50)),
    overrideTier(fresh(), { memberId: id, tierId: tiers['Bronze']!, until, reason: 'abuse' }),
    ...Array.from({ length: 10 }, () => award(id, 50)),
  ]);
  expect(await tierOf(id)).toBe('Bronze');
  expect(await down()).toEqual([[tiers['Gold'], tiers['Bronze']]]);
  await clearTierOverride(fresh(), id);
  expect(await tierOf(id)).toBe('Gold');
  const audited = await ctx.sql.query<{ action: string; after: object }>(
    'SELECT action, after FROM platform.audit_entries WHERE resource_id = $1 ORDER BY action DESC',
    [id],
  );
  expect(audited).toMatchObject([
    { action: 'overrideTier', after: { tierId: tiers['Bronze'], reason: 'abuse' } },
    { action: 'clearTierOverride', after: { tierId: tiers['Gold'] } },
  ]);
});

test('an override is refused for the past, for nobody, for no tier; without one there is nothing to clear', async () => {
  const { id } = await given.member(ctx);
  const soon = new Date(services.clock.now().getTime() + 1_000);
  const unknown = '0190a000-0000-7000-8000-000000000001';
  const codeOf = (change: object, own = fresh()) =>
    overrideTier(own, { memberId: id, tierId: tiers['Gold']!, until: soon, reason: 'x', ...change }).catch(
      ({ code }) => code,
    );
  expect(await codeOf({ until: services.clock.now() })).toBe('VALIDATION_FAILED');
  expect(await codeOf({ reason: ' ' })).toBe('VALIDATION_FAILED');
  expect(await codeOf({ memberId: unknown })).toBe('MEMBER_NOT_FOUND');
  expect(await codeOf({ tierId: unknown })).toBe('TIER_NOT_FOUND');
  expect(await codeOf({}, fresh(callerOf()))).toBe('TIER_NOT_FOUND');
  await expect(clearTierOverride(fresh(), id)).rejects.toMatchObject({ code: 'NO_TIER_OVERRIDE' });
  await expect(clearTierOverride(fresh(callerOf()), id)).rejects.toMatchObject({ code: 'MEMBER_NOT_FOUND' });
});

test('a member whom a new tier missed at its creation is upgraded within an hour', async () => {
  const { id } = await given.member(ctx);
  await award(id, 1_000);
  // Simulates a concurrent award that neither saw the tier nor was seen by the job after the change.
  const { id: platinum } = await createTier(fresh(), { name: 'Platinum', rank: 9, upgradeThreshold: 900 });
  await recalculateChangedTiersJob.run(product(), {});
  expect(await tierOf(id)).toBe('Platinum');
  expect((await up()).at(-1)).toBe(platinum);
  const before = (await up()).length;
  await recalculateChangedTiersJob.run(product(), {});
  expect(await up()).toHaveLength(before);
});

test('only an admin previews, recalculates and overrides', async () => {
  const { id } = await given.member(ctx);
  for (const operation of [
    '{ previewTierRecalculation { upgrades } }',
    'mutation { recalculateTiers { id } }',
    `mutation { clearTierOverride(memberId: "${id}") { id } }`,
  ]) {
    const member = ask(fresh({ ...ctx.caller, role: 'MEMBER' }), operation);
    await expect(member).rejects.toMatchObject({ code: 'ROLE_REQUIRED' });
  }
});
