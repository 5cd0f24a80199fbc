import { expect, test } from '@jest/globals';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { useServices } from '@loyalty/test/harness/services';
import { given } from '../loyalty.fixture.ts';
import { lockMembersForUpdate } from '../members/members.service.ts';
import { updateProgram } from '../tiers/programs.service.ts';
import { overrideTier } from '../tiers/tier-overrides.service.ts';
import { awardMany, type ManyEntry } from './append-many.service.ts';
import { bookEarning } from './booking.service.ts';
import { awardPoints } from './points.service.ts';

const { services, ctx, fresh } = useServices();

const entryOf = (memberId: string, more: Partial<ManyEntry> = {}): ManyEntry => ({
  ...{ id: newId(ctx.clock), memberId, kind: 'AWARD', amount: 100 },
  ...{ description: 'many', actor: 'test', source: `bulk:${memberId}` },
  ...more,
});
const give = (...entries: readonly ManyEntry[]) =>
  fresh().transaction(async (tx) => {
    const ids = entries.map(({ memberId }) => memberId);
    await lockMembersForUpdate(tx, ids);
    return (await awardMany(tx, entries)).sort();
  });
const membersById = async (...ids: readonly string[]) => {
  const rows = await ctx.sql.query<{ id: string; tierId: string; balance: number; changedAt: Date | null }>(
    `SELECT id, current_tier_id AS tier_id, points_balance AS balance, tier_changed_at AS changed_at
       FROM loyalty.members WHERE workspace_id = $1`,
    [ctx.scope.workspaceId],
  );
  return ids.map((id) => rows.find((row) => row.id === id)!);
};

test('many awards leave a tier set by hand until its day, and upgrade from that instant on', async () => {
  const { Bronze, Gold } = await given.tiers(ctx, { Bronze: 50, Gold: 150 });
  const [held, free] = [(await given.member(ctx)).id, (await given.member(ctx)).id];
  const until = new Date(services.clock.now().getTime() + DAY_MS);
  await overrideTier(fresh(), { memberId: held, tierId: Bronze!, until, reason: 'goodwill' });
  await awardPoints(fresh(), free, { amount: 60 });
  services.clock.advance(DAY_MS - 1);
  await give(...[held, free].map((id) => entryOf(id, { amount: 200 })));
  const before = await membersById(held, free);
  expect(before).toMatchObject([
    { tierId: Bronze, balance: 200 },
    { tierId: Gold, changedAt: services.clock.now() },
  ]);
  services.clock.advance(1);
  await give(...[held, free].map((id) => entryOf(id, { amount: 1, source: null })));
  expect(await membersById(held, free)).toMatchObject([
    { tierId: Gold, balance: 201, changedAt: services.clock.now() },
    { tierId: Gold, changedAt: before[1]!.changedAt },
  ]);
  const upgrades = await publishedEvents(ctx, 'loyalty.tier_upgraded');
  expect(upgrades.filter(({ memberId }) => memberId === held)).toEqual([
    { memberId: held, tierId: Bronze, previousTierId: null },
    { memberId: held, tierId: Gold, previousTierId: Bronze },
  ]);
});

test('many awards fill a balance to the largest one, and leave out who would get beyond it', async () => {
  const [full, over] = [(await given.member(ctx)).id, (await given.member(ctx)).id];
  const largest = 2_147_483_647;
  for (const [id, balance] of [
    [full, largest - 100],
    [over, largest - 99],
  ])
    await ctx.sql.query('UPDATE loyalty.members SET points_balance = $2 WHERE id = $1', [id, balance]);
  expect(await give(entryOf(full), entryOf(over))).toEqual([full]);
  expect(await membersById(full, over)).toMatchObject([{ balance: largest }, { balance: largest - 99 }]);
});

test.each([null, 3])(
  'of many awards those whose source is booked are left out and the others are kept (pending %p days)',
  async (pointsPendingDays) => {
    const ids = await Promise.all(Array.from({ length: 4 }, async () => (await given.member(ctx)).id));
    const [booked, waiting, one, other] = ids as [string, string, string, string];
    const earning = (memberId: string) =>
      bookEarning(fresh(), { memberId, points: 7, description: 'before', source: `bulk:${memberId}` });
    await earning(booked);
    await updateProgram(fresh(), { pointsPendingDays: 3 });
    await earning(waiting);
    await updateProgram(fresh(), { pointsPendingDays });
    const left = pointsPendingDays === null ? [booked] : [booked, waiting];
    const entries = ids.filter((id) => pointsPendingDays !== null || id !== waiting).map((id) => entryOf(id));
    const given_ = entries.map(({ memberId }) => memberId).filter((id) => !left.includes(id));
    expect(await give(...entries)).toEqual(given_.sort());
    expect(given_.sort()).toEqual([one, other].sort());
    const [{ entries: count } = { entries: 0 }] = await ctx.sql.query<{ entries: number }>(
      `SELECT count(*)::int AS entries FROM (
         SELECT source FROM loyalty.points_entries WHERE workspace_id = $1
          UNION ALL SELECT source FROM loyalty.point_lots WHERE workspace_id = $1) AS all_of_them`,
      [ctx.scope.workspaceId],
    );
    expect(count).toBe(4);
    expect(await give(...entries)).toEqual([]);
  },
);
