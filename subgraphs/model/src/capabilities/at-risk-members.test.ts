import { expect, test } from '@jest/globals';
import type { Caller } from '@loyalty/platform/base/caller';
import { DAY_MS, HOUR_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import { pruneModelJob } from '../retention.jobs.ts';
import { call, callAll, given, historyOf, spent } from './capabilities.fixture.ts';

const NOW = '2026-03-02T10:00:00.000Z';
const NAME = 'model_list_at_risk_members';

const { services } = useServices();

const newContext = (caller: Partial<Caller> = {}): Context => {
  services.clock.set(NOW);
  return contextOf(services, { ...callerOf(), ...caller });
};
const pageOf = async (ctx: Context, args: object = {}) => {
  const { data, message } = await call(ctx, NAME, args);
  if (message) throw new Error(message);
  return data.callCapability;
};
const idsOf = (page: { data: { members: { member_id: string }[] } }): string[] =>
  page.data.members.map(({ member_id }) => member_id);
/** Creates a member who bought every day for a while, and then nothing for most of a year. */
const lost = (ctx: Context) => given.buyer(ctx, [304, 303, 302, 301, 300]);
const loyal = (ctx: Context) => given.buyer(ctx, [40, 30, 20, 10, 1]);

test('lists members from the threshold up, in the order of their ids, and charges each', async () => {
  const ctx = newContext();
  const first = await lost(ctx);
  await loyal(ctx);
  await given.member(ctx);
  const last = await lost(ctx);
  const page = await pageOf(ctx);
  expect(idsOf(page)).toEqual([first, last].sort());
  expect(page.data).toMatchObject({
    runId: expect.any(String),
    hasMore: false,
    nextCursor: null,
    threshold: 0.8,
    source_cutoff: NOW,
  });
  const [{ long_gap }] = page.data.members;
  expect(long_gap.score).toBeGreaterThanOrEqual(0.8);
  expect(page.envelope).toMatchObject({ modelVersion: 'std-2', creditsCharged: 20 });
  expect(await spent(ctx)).toBe(20);
});

test('pages of one run come without gaps or repeats, and are about its moment', async () => {
  const ctx = newContext();
  const members: string[] = [];
  for (let count = 0; count < 5; count += 1) members.push(await lost(ctx));
  const read: string[] = [];
  let page = await pageOf(ctx, { limit: 2 });
  read.push(...idsOf(page));
  const { runId } = page.data;
  services.clock.advance(2 * HOUR_MS);
  // A member who buys later was still at risk at the time of the run.
  await Promise.all(members.map((member) => given.orders(ctx, member, [0])));
  while (page.data.hasMore) {
    const args = { limit: 2, run_id: runId, after_member_id: page.data.nextCursor };
    page = await pageOf(ctx, args);
    expect(page.data).toMatchObject({ runId, source_cutoff: NOW });
    read.push(...idsOf(page));
  }
  expect(read).toEqual(members.sort());
  expect(await spent(ctx)).toBe(50);
});

test('an empty page is an answer and costs nothing', async () => {
  const ctx = newContext();
  await loyal(ctx);
  const page = await pageOf(ctx, { threshold: 1 });
  expect(page.data.members).toEqual([]);
  expect(page.envelope).toMatchObject({ status: 'OK', creditsCharged: 0 });
  expect(await spent(ctx)).toBe(0);
});

test('a workspace of whose members nothing is known is not said to be free of risk', async () => {
  const ctx = newContext();
  const member = await given.member(ctx);
  await given.events(ctx, member, 'view', { count: 5 });
  const { envelope, data } = await pageOf(ctx);
  expect(envelope).toMatchObject({ status: 'UNAVAILABLE', creditsCharged: 0 });
  expect(envelope.limitations).toContain('INSUFFICIENT_HISTORY');
  expect(data).toMatchObject({ members: [], hasMore: false });
});

test('a page reserves for its own length', async () => {
  const ctx = newContext();
  await lost(ctx);
  await given.creditsLeft(ctx, 20n);
  expect(await call(ctx, NAME, { limit: 3 })).toMatchObject({ reason: 'TRIAL_CREDITS_EXHAUSTED' });
  expect((await pageOf(ctx, { limit: 2 })).data.members).toHaveLength(1);
});

test('restricted, closing and erased members are left out, and the page is filled with others', async () => {
  const ctx = newContext();
  const members = [];
  for (let at = 0; at < 5; at += 1) members.push(await lost(ctx));
  members.sort();
  await given.restricted(ctx, members[0]!);
  await given.erased(ctx, members[1]!);
  await given.closing(ctx, members[2]!);
  expect(idsOf(await pageOf(ctx, { limit: 2 }))).toEqual(members.slice(3));
  expect(await spent(ctx)).toBe(20);
});

test('nothing of it is kept as analyses of members', async () => {
  const ctx = newContext();
  await lost(ctx);
  await pageOf(ctx);
  expect(await historyOf(ctx)).toEqual([]);
});

test('other workspaces and modes see neither the members nor the run, and it keeps its threshold', async () => {
  const ctx = newContext();
  await lost(ctx);
  const { runId: run_id } = (await pageOf(ctx)).data;
  for (const other of [{}, { workspaceId: ctx.scope.workspaceId, mode: 'TEST' as const }]) {
    const foreign = newContext(other);
    expect((await pageOf(foreign)).data.members).toEqual([]);
    expect(await call(foreign, NAME, { run_id })).toMatchObject({ reason: 'RUN_NOT_FOUND' });
  }
  expect(await call(ctx, NAME, { run_id, threshold: 0.5 })).toMatchObject({
    reason: 'INVALID_ARGUMENTS',
    message: 'arguments.threshold must be 0.8, as in the first page.',
  });
});

test('a run is over after 24 hours, and its row goes', async () => {
  const ctx = newContext();
  const { runId: run_id } = (await pageOf(ctx)).data;
  services.clock.advance(DAY_MS - 1);
  await pageOf(ctx, { run_id });
  services.clock.advance(1);
  expect(await call(ctx, NAME, { run_id })).toMatchObject({ code: 'NOT_FOUND', reason: 'RUN_NOT_FOUND' });
  expect(await call(ctx, NAME, { run_id: newId(ctx.clock) })).toMatchObject({ reason: 'RUN_NOT_FOUND' });
  await pruneModelJob.run(ctx, {});
  const left = await ctx.sql.query('SELECT FROM model.capability_runs WHERE workspace_id = $1', [
    ctx.scope.workspaceId,
  ]);
  expect(left).toEqual([]);
});

test('a batch gives one page', async () => {
  const ctx = newContext();
  await lost(ctx);
  await lost(ctx);
  const { data } = await callAll(ctx, [{ id: 'a', name: NAME, arguments: { limit: 1 } }]);
  const [{ result }] = data.callCapabilities.results;
  expect(result.data).toMatchObject({ hasMore: true, members: [expect.anything()] });
  expect(await spent(ctx)).toBe(10);
});

test('all pages of a run are by the version of the first, whichever that was', async () => {
  const ctx = newContext();
  for (let count = 0; count < 3; count += 1) await lost(ctx);
  const page = await pageOf(ctx, { limit: 1, model_version: 'std-1' });
  expect(page.envelope.modelVersion).toBe('std-1');
  const next = { run_id: page.data.runId, after_member_id: page.data.nextCursor, limit: 1 };
  expect((await pageOf(ctx, next)).envelope.modelVersion).toBe('std-1');
  const before = await spent(ctx);
  expect(await call(ctx, NAME, { ...next, model_version: 'std-2' })).toMatchObject({
    reason: 'INVALID_ARGUMENTS',
    message: expect.stringMatching(/arguments\.model_version.*must be std-1, as in the first page/),
  });
  expect(await spent(ctx)).toBe(before);
});
