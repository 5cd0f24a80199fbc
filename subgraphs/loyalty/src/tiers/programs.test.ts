import { expect, test } from '@jest/globals';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { callerOf, useServices } from '@loyalty/test/harness/services';
import { ask } from '../loyalty.fixture.ts';
import { updateProgram } from './programs.service.ts';

const { ctx, fresh } = useServices();

const FIELDS = 'pointsExpireAfterDays pointsPendingDays tierBasis tierPeriodDays downgradePolicy';
const UPDATE = `mutation ($input: UpdateProgramInput!) { updateProgram(input: $input) { ${FIELDS} } }`;
const read = async (caller = ctx.caller) => (await ask(fresh(caller), `{ program { ${FIELDS} } }`)).program;

const atFirst = {
  pointsExpireAfterDays: null,
  pointsPendingDays: null,
  tierBasis: 'LIFETIME',
  tierPeriodDays: null,
  downgradePolicy: 'NONE',
};

test('at first nothing expires, waits or is lowered', async () => {
  expect(await read()).toEqual(atFirst);
});

test('an update changes what it names, null and zero turn a rule off, and each is audited', async () => {
  const rolling = { tierBasis: 'ROLLING', tierPeriodDays: 365, downgradePolicy: 'ONE_STEP' };
  await ask(fresh(), UPDATE, { input: { pointsExpireAfterDays: 90, pointsPendingDays: 14, ...rolling } });
  const after = await ask(fresh(), UPDATE, { input: { pointsExpireAfterDays: null, pointsPendingDays: 0 } });
  expect(after.updateProgram).toEqual({ ...atFirst, ...rolling });
  expect(await read()).toEqual({ ...atFirst, ...rolling });
  const audited = await ctx.sql.query<{ before: object; after: object }>(
    `SELECT before, after FROM platform.audit_entries
      WHERE workspace_id = $1 AND action = 'updateProgram' ORDER BY id`,
    [ctx.scope.workspaceId],
  );
  expect(audited).toMatchObject([
    { before: atFirst, after: { pointsExpireAfterDays: 90, ...rolling } },
    { before: { pointsExpireAfterDays: 90 }, after: { pointsExpireAfterDays: null, ...rolling } },
  ]);
});

test('updates of different settings at once all survive', async () => {
  await Promise.all([
    updateProgram(fresh(), { pointsExpireAfterDays: 30 }),
    updateProgram(fresh(), { pointsPendingDays: 7 }),
    updateProgram(fresh(), { tierPeriodDays: 365 }),
  ]);
  expect(await read()).toMatchObject({
    pointsExpireAfterDays: 30,
    pointsPendingDays: 7,
    tierPeriodDays: 365,
  });
});

test.each([
  [{ pointsExpireAfterDays: 0 }, 'VALIDATION_FAILED'],
  [{ pointsExpireAfterDays: 3_651 }, 'VALIDATION_FAILED'],
  [{ pointsPendingDays: 366 }, 'VALIDATION_FAILED'],
  [{ pointsPendingDays: -1 }, 'VALIDATION_FAILED'],
  [{ tierPeriodDays: 0 }, 'VALIDATION_FAILED'],
  [{ tierBasis: 'ROLLING' }, 'TIER_PERIOD_MISSING'],
  [{ downgradePolicy: 'TO_EARNED' }, 'TIER_PERIOD_MISSING'],
] as const)('%j is refused and changes nothing', async (input, code) => {
  await expect(updateProgram(ctx, input)).rejects.toMatchObject({ code, category: 'BAD_USER_INPUT' });
  expect(await read()).toEqual(atFirst);
});

test('a period cannot be taken away from a rolling basis', async () => {
  await updateProgram(ctx, { tierBasis: 'ROLLING', tierPeriodDays: 30 });
  await expect(updateProgram(fresh(), { tierPeriodDays: null })).rejects.toMatchObject({
    code: 'TIER_PERIOD_MISSING',
  });
});

test('only a live admin changes it; test mode and keys read what live has; another workspace sees its own', async () => {
  await updateProgram(ctx, { pointsExpireAfterDays: 30 });
  const testMode = callerOf({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' });
  const input = { pointsExpireAfterDays: 60 };
  const codeOf = (caller: typeof testMode) => ask(fresh(caller), UPDATE, { input }).catch(({ code }) => code);
  expect(await codeOf(testMode)).toBe('LIVE_ONLY');
  expect(await codeOf({ ...ctx.caller, role: 'MEMBER' })).toBe('ROLE_REQUIRED');
  expect(await codeOf({ ...ctx.caller, kind: 'KEY', role: null })).toBe('ROLE_REQUIRED');
  expect(await read(testMode)).toMatchObject({ pointsExpireAfterDays: 30 });
  expect(await read(callerOf())).toEqual(atFirst);
});

test('another basis has tiers evaluated anew, another expiry does not', async () => {
  await updateProgram(ctx, { pointsExpireAfterDays: 30 });
  expect(await publishedEvents(ctx, 'loyalty.tiers_changed')).toEqual([]);
  await updateProgram(fresh(), { tierBasis: 'ROLLING', tierPeriodDays: 30 });
  expect(await publishedEvents(ctx, 'loyalty.tiers_changed')).toEqual([{}]);
});
