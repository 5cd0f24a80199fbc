import { expect, test } from '@jest/globals';
import { callerOf, useServices } from '@loyalty/test/harness/services';
import { ask, given } from '../loyalty.fixture.ts';
import { requestErasure } from '../member-status/member-status.service.ts';
import { tagMember } from '../members/tags.service.ts';
import { awardPoints } from '../points/points.service.ts';
import { updateProgram } from '../tiers/programs.service.ts';
import { previewBulkAward, startBulkAward } from './bulk-awards.service.ts';
import { runBulkAward } from './run-bulk-award.service.ts';

const { ctx, fresh } = useServices();

const unknown = '01890a5d-ac96-774b-bcce-b302099a8057';
const balanceOf = async (id: string): Promise<number> =>
  (await ask(fresh(), 'query ($id: ID!) { member(id: $id) { pointsBalance } }', { id })).member.pointsBalance;

test('who would get points, and who would not, is counted as the award then does it', async () => {
  const { id: rich } = await given.member(ctx);
  const { id: leaving } = await given.member(ctx);
  const ids = [rich, leaving, (await given.member(ctx)).id, (await given.member(ctx)).id];
  await given.member(fresh({ mode: 'TEST' }));
  await ctx.sql.query('UPDATE loyalty.members SET points_balance = 2147483640 WHERE id = $1', [rich]);
  await requestErasure(ctx, leaving);
  const input = { amount: 10, memberIds: [...ids, unknown] };
  expect(await previewBulkAward(fresh(), input)).toEqual({
    members: 2,
    points: 20n,
    exclusions: [
      { reason: 'UNKNOWN', members: 1 },
      { reason: 'ERASURE_PENDING', members: 1 },
      { reason: 'BALANCE_LIMIT', members: 1 },
    ],
  });
  expect(await balanceOf(ids[2]!)).toBe(0);
  const award = await startBulkAward(fresh(), { ...input, description: 'spring' });
  await runBulkAward(fresh(), award.id);
  const { bulkAward } = await ask(fresh(), `{ bulkAward(id: "${award.id}") { succeeded failed } }`);
  expect(bulkAward).toEqual({ succeeded: 2, failed: 3 });
});

test('points that wait are in no balance, so that none is too large', async () => {
  const { id } = await given.member(ctx);
  await ctx.sql.query('UPDATE loyalty.members SET points_balance = 2147483640 WHERE id = $1', [id]);
  await updateProgram(ctx, { pointsPendingDays: 3 });
  expect(await previewBulkAward(fresh(), { amount: 10, memberIds: [id] })).toMatchObject({ members: 1 });
});

test('several conditions hold together, in the preview and in the award', async () => {
  const ids: string[] = [];
  for (const [points, key] of [
    [50, 'vip'],
    [150, 'vip'],
    [150, 'other'],
  ] as const) {
    const { id } = await given.member(ctx);
    await awardPoints(fresh(), id, { amount: points });
    await tagMember(fresh(), id, { key });
    ids.push(id);
  }
  const conditions = { status: 'ACTIVE', tag: 'vip', pointsMin: 100 };
  expect(await previewBulkAward(fresh(), { amount: 10, ...conditions })).toEqual({
    members: 1,
    points: 10n,
    exclusions: [],
  });
  const award = await startBulkAward(fresh(), { amount: 10, description: 'spring', ...conditions });
  expect(award.total).toBe(1);
  await runBulkAward(fresh(), award.id);
  expect(await Promise.all(ids.map(balanceOf))).toEqual([50, 160, 150]);
});

test.each([
  [{ amount: 0, status: 'ACTIVE' }, 'VALIDATION_FAILED'],
  [{ amount: 1 }, 'VALIDATION_FAILED'],
  [{ amount: 1, memberIds: [unknown], tag: 'vip' }, 'VALIDATION_FAILED'],
  [{ amount: 1, tierId: unknown }, 'TIER_NOT_FOUND'],
  [{ amount: 1, tag: 'nothing' }, 'TAG_NOT_FOUND'],
])('%j is not previewed', async (input, code) => {
  await expect(previewBulkAward(fresh(), input)).rejects.toMatchObject({ code });
});

test('members of another workspace are unknown', async () => {
  const { id } = await given.member(fresh(callerOf()));
  expect(await previewBulkAward(fresh(), { amount: 1, memberIds: [id] })).toMatchObject({ members: 0 });
});
