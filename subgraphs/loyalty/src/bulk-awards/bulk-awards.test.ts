import { expect, test } from '@jest/globals';
import { type Caller, defaultLimits, systemCaller } from '@loyalty/platform/base/caller';
import { DAY_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { createContext } from '@loyalty/platform/database/create-context';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { callerOf, useServices } from '@loyalty/test/harness/services';
import { ask, given } from '../loyalty.fixture.ts';
import { requestErasure, setMemberStatus } from '../member-status/member-status.service.ts';
import { releasePoints } from '../points/due-lots.service.ts';
import { awardPoints } from '../points/points.service.ts';
import { updateProgram } from '../tiers/programs.service.ts';
import { runBulkAwardJob } from './bulk-awards.jobs.ts';
import { cancelBulkAward, findBulkAward, startBulkAward } from './bulk-awards.service.ts';
import { runBulkAward } from './run-bulk-award.service.ts';

const { services, ctx, fresh } = useServices();

const worker = (signal?: AbortSignal) =>
  createContext(services, {
    caller: systemCaller('test', ctx.scope),
    requestId: 'test',
    ...(signal ? { signal } : {}),
  });
const members = async (count: number) =>
  (await Promise.all(Array.from({ length: count }, async () => (await given.member(ctx)).id))).sort();
const start = async (input: Partial<Parameters<typeof startBulkAward>[1]>) =>
  (await startBulkAward(fresh(), { amount: 10, description: 'spring', ...input })).id;
const balances = async () =>
  (
    await ctx.sql.query<{ balance: number; earned: bigint; entries: number }>(
      `SELECT m.points_balance AS balance, m.points_earned AS earned,
              (SELECT count(*)::int FROM loyalty.points_entries AS e WHERE e.member_id = m.id) AS entries
         FROM loyalty.members AS m WHERE m.workspace_id = $1 AND m.mode = 'LIVE' ORDER BY m.id`,
      [ctx.scope.workspaceId],
    )
  ).map(({ balance, earned, entries }) => [balance, Number(earned), entries]);

/** Ends like a killed process: `chunks` steps are committed, the next one is not. */
async function runAndDie(id: string, chunkSize: number, chunks: number): Promise<void> {
  const controller = new AbortController();
  const own = worker(controller.signal);
  let begun = 0;
  const dying: Context = {
    ...own,
    scope: own.scope,
    transaction: (work) => {
      begun += 1;
      const isLast = begun > chunks;
      return own.transaction(async (tx) => {
        const result = await work(tx);
        if (isLast) throw new Error('killed');
        return result;
      });
    },
  };
  await expect(runBulkAward(dying, id, chunkSize)).rejects.toThrow('killed');
}

test('every named member gets the points once, with an entry, an event and the tier', async () => {
  const { Bronze } = await given.tiers(ctx, { Bronze: 10 });
  const ids = await members(3);
  const id = await start({ memberIds: [...ids, ids[0]!] });
  expect(await publishedEvents(ctx, 'loyalty.bulk_award_requested')).toEqual([
    { bulkAwardId: id, members: 3 },
  ]);
  for (let run = 0; run < 2; run += 1) await runBulkAwardJob.run(worker(), { bulkAwardId: id });
  expect(await balances()).toEqual(ids.map(() => [10, 10, 1]));
  const awarded = await publishedEvents(ctx, 'loyalty.points_awarded');
  expect(awarded.map(({ memberId }) => memberId).sort()).toEqual([...ids].sort());
  expect(await publishedEvents(ctx, 'loyalty.tier_upgraded')).toEqual(
    [...ids].sort().map((memberId) => ({ memberId, tierId: Bronze, previousTierId: null })),
  );
  const query = `query ($id: ID!) { bulkAward(id: $id) { status amount total processed succeeded failed finishedAt } }`;
  expect((await ask(fresh(), query, { id })).bulkAward).toEqual({
    status: 'COMPLETED',
    amount: 10,
    total: 3,
    processed: 3,
    succeeded: 3,
    failed: 0,
    finishedAt: services.clock.now().toISOString(),
  });
  const { member } = await ask(
    fresh(),
    'query ($id: ID!) { member(id: $id) { pointsTransactions { nodes { kind amount description } } } }',
    { id: ids[0] },
  );
  expect(member.pointsTransactions.nodes).toEqual([{ kind: 'AWARD', amount: 10, description: 'spring' }]);
});

test('a run that is killed in the middle of a step, and run again, doubles nothing and loses nothing', async () => {
  await given.tiers(ctx, { Bronze: 10 });
  await members(11);
  const id = await start({ status: 'ACTIVE' });
  await runAndDie(id, 2, 2);
  expect(await findBulkAward(fresh(), id)).toMatchObject({ status: 'RUNNING', total: 11, processed: 4 });
  await runAndDie(id, 3, 0);
  await runBulkAward(worker(), id, 2);
  expect(await balances()).toEqual(Array(11).fill([10, 10, 1]));
  expect(await publishedEvents(ctx, 'loyalty.points_awarded')).toHaveLength(11);
  expect(await publishedEvents(ctx, 'loyalty.tier_upgraded')).toHaveLength(11);
  const done = { status: 'COMPLETED', total: 11, processed: 11, succeeded: 11, failed: 0 };
  expect(await findBulkAward(fresh(), id)).toMatchObject(done);
});

test('two runs at once, beside awards and spending of the same members, take turns', async () => {
  const ids = await members(20);
  const id = await start({ status: 'ACTIVE' });
  await Promise.all([
    runBulkAward(worker(), id, 3),
    runBulkAward(worker(), id, 4),
    ...ids.map((memberId) => awardPoints(fresh(), memberId, { amount: 1 })),
  ]);
  expect(await balances()).toEqual(Array(20).fill([11, 11, 2]));
  expect(await findBulkAward(fresh(), id)).toMatchObject({ processed: 20, succeeded: 20 });
});

test('an aborted worker stops between two steps', async () => {
  await members(3);
  const id = await start({ status: 'ACTIVE' });
  await expect(runBulkAward(worker(AbortSignal.abort()), id, 1)).rejects.toThrow(/abort/i);
  expect(await findBulkAward(fresh(), id)).toMatchObject({ status: 'QUEUED', processed: 0 });
});

test('who is unknown, of another workspace or mode, closed or full is counted as failed', async () => {
  const [open, closed, full] = (await members(3)) as [string, string, string];
  await requestErasure(ctx, closed);
  await ctx.sql.query('UPDATE loyalty.members SET points_balance = 2147483640 WHERE id = $1', [full]);
  const stranger = await given.member(fresh(callerOf()));
  const inTest = await given.member(fresh(callerOf({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' })));
  const id = await start({ memberIds: [open, closed, full, stranger.id, inTest.id] });
  await runBulkAward(worker(), id, 2);
  expect(await findBulkAward(fresh(), id)).toMatchObject({ processed: 5, succeeded: 1, failed: 4 });
  expect(await publishedEvents(ctx, 'loyalty.points_awarded')).toHaveLength(1);
});

test('a tier or a status names who has it, who enrolled later is not meant', async () => {
  const { Bronze } = await given.tiers(ctx, { Bronze: 5 });
  const [inTier, inactive] = (await members(3)) as [string, string];
  await awardPoints(fresh(), inTier, { amount: 5 });
  await setMemberStatus(fresh(), inactive, 'INACTIVE');
  const byTier = await start({ tierId: Bronze! });
  const byStatus = await start({ status: 'INACTIVE', amount: 3 });
  services.clock.advance(1);
  const late = await given.member(fresh());
  await setMemberStatus(fresh(), late.id, 'INACTIVE');
  for (const id of [byTier, byStatus]) await runBulkAward(worker(), id);
  expect(await balances()).toEqual([
    [15, 15, 2],
    [3, 3, 1],
    [0, 0, 0],
    [0, 0, 0],
  ]);
  const { member } = await ask(fresh(), 'query ($id: ID!) { member(id: $id) { status } }', { id: inactive });
  expect(member.status).toBe('INACTIVE');
});

test('where the programme has points wait, they wait, once', async () => {
  await updateProgram(ctx, { pointsPendingDays: 2, pointsExpireAfterDays: 5 });
  await members(4);
  const id = await start({ status: 'ACTIVE' });
  await runAndDie(id, 2, 1);
  await runBulkAward(worker(), id, 2);
  expect(await balances()).toEqual(Array(4).fill([0, 0, 0]));
  services.clock.advance(2 * DAY_MS);
  await releasePoints(worker());
  expect(await balances()).toEqual(Array(4).fill([10, 10, 1]));
  expect(await findBulkAward(fresh(), id)).toMatchObject({ succeeded: 4, failed: 0 });
});

test('a cancelled one stops where it is, keeps what was given, and cannot be cancelled twice', async () => {
  await members(6);
  const id = await start({ status: 'ACTIVE' });
  await runAndDie(id, 2, 1);
  await ask(fresh(), 'mutation ($id: ID!) { cancelBulkAward(id: $id) { status } }', { id });
  await runBulkAward(worker(), id, 2);
  expect(await findBulkAward(fresh(), id)).toMatchObject({ status: 'CANCELLED', total: 6, succeeded: 2 });
  expect(await publishedEvents(ctx, 'loyalty.points_awarded')).toHaveLength(2);
  await expect(cancelBulkAward(fresh(), id)).rejects.toMatchObject({ code: 'BULK_AWARD_FINISHED' });
  await expect(cancelBulkAward(fresh(callerOf()), id)).rejects.toMatchObject({
    code: 'BULK_AWARD_NOT_FOUND',
  });
});

const unknown = '0190a000-0000-7000-8000-000000000001';
test.each([
  [{ amount: 100_001, status: 'ACTIVE' }, 'AMOUNT_OVER_CAP'],
  [{ amount: 0, status: 'ACTIVE' }, 'VALIDATION_FAILED'],
  [{ description: ' ', status: 'ACTIVE' }, 'VALIDATION_FAILED'],
  [{}, 'VALIDATION_FAILED'],
  [{ status: 'ACTIVE', memberIds: [unknown] }, 'VALIDATION_FAILED'],
  [{ status: 'ACTIVE', tierId: unknown }, 'TIER_NOT_FOUND'],
  [{ status: 'DELETED' }, 'VALIDATION_FAILED'],
  [{ memberIds: [] }, 'VALIDATION_FAILED'],
  [{ memberIds: ['x'] }, 'VALIDATION_FAILED'],
  [{ tierId: unknown }, 'TIER_NOT_FOUND'],
])('%j is refused, and nothing is started', async (input, code) => {
  await expect(start(input)).rejects.toMatchObject({ code });
  expect((await ask(fresh(), '{ bulkAwards { totalCount } }')).bulkAwards.totalCount).toBe(0);
});

test('only an admin starts and stops one, as often as the guard allows, and it is audited', async () => {
  const mutation = `mutation { startBulkAward(input: { amount: 1, description: "x", status: ACTIVE }) { id } }`;
  const codeOf = (caller: Caller) => ask(fresh(caller), mutation).catch(({ code }) => code);
  expect(await codeOf({ ...ctx.caller, role: 'MEMBER' })).toBe('ROLE_REQUIRED');
  expect(await codeOf({ ...ctx.caller, kind: 'KEY', role: null })).toBe('ROLE_REQUIRED');
  const limits = { ...defaultLimits, valueWritesPerMinute: 0 };
  expect(await codeOf({ ...ctx.caller, limits })).toBe('RATE_LIMITED');
  const first = await start({ status: 'ACTIVE' });
  services.clock.advance(1);
  const second = await start({ status: 'ACTIVE' });
  await cancelBulkAward(fresh(), second);
  const actions = await ctx.sql.query<{ action: string }>(
    `SELECT action FROM platform.audit_entries WHERE workspace_id = $1 ORDER BY action`,
    [ctx.scope.workspaceId],
  );
  expect(actions.map(({ action }) => action)).toEqual([
    'cancelBulkAward',
    'startBulkAward',
    'startBulkAward',
  ]);
  const list = '{ bulkAwards(first: 1) { totalCount nodes { id } pageInfo { hasNextPage endCursor } } }';
  const { bulkAwards } = await ask(fresh(), list);
  expect(bulkAwards).toMatchObject({
    totalCount: 2,
    nodes: [{ id: second }],
    pageInfo: { hasNextPage: true },
  });
  const next = 'query ($after: String) { bulkAwards(after: $after) { nodes { id } } }';
  const { endCursor: after } = bulkAwards.pageInfo;
  expect((await ask(fresh(), next, { after })).bulkAwards.nodes).toEqual([{ id: first }]);
  expect((await ask(fresh(callerOf()), list)).bulkAwards.totalCount).toBe(0);
});
