import { expect, test } from '@jest/globals';
import { ensureProfiles } from '@loyalty/engagement-subgraph/profiles/keep-profiles.service';
import { refreshProfiles } from '@loyalty/engagement-subgraph/profiles/profiles.fixture';
import {
  eraseProfileJob,
  noteProfileChanges,
  refreshProfilesLoop,
} from '@loyalty/engagement-subgraph/profiles/profiles.jobs';
import { profilesAsOf } from '@loyalty/engagement-subgraph/profiles/profiles.service';
import { engagement } from '@loyalty/engagement-subgraph/subgraph';
import { given } from '@loyalty/loyalty-subgraph/loyalty.fixture';
import {
  eraseDueMembers,
  requestErasure,
} from '@loyalty/loyalty-subgraph/member-status/member-status.service';
import { awardPoints } from '@loyalty/loyalty-subgraph/points/points.service';
import { place } from '@loyalty/loyalty-subgraph/visits/visits.fixture';
import { givenMembers } from '@loyalty/model-subgraph/bulk-jobs/bulk-jobs.fixture';
import { systemCaller } from '@loyalty/platform/base/caller';
import { DAY_MS, MINUTE_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import type { Context, Peers } from '@loyalty/platform/context';
import { ask } from '../harness/ask.ts';
import { contextOf, useServices } from '../harness/services.ts';
import { keptRows, profileRow, waitingChanges } from './profile-rows.fixture.ts';

const { ctx, services, newContext } = useServices();

/** The context of a worker; `during` runs before each question to another subgraph. */
const workerOf = (during?: (asking: Context) => Promise<void>): Context => {
  const peers: Peers = {
    async ask(asking, peer, question, variables) {
      await during?.(asking);
      return services.peers.ask(asking, peer, question, variables);
    },
    async close() {},
  };
  return contextOf({ ...services, peers }, systemCaller('test'));
};

/** Gives an event to the consumer that notes changes of profiles. */
const happened = (type: string, payload: object, of: Context = ctx) =>
  of.transaction((tx) =>
    noteProfileChanges.take(tx, [
      { id: newId(of.clock), type, ...of.scope, payload, createdAt: of.clock.now(), actor: null },
    ]),
  );

/** Makes a workspace with members. The first page of their profiles is read at once. */
async function programmeOf(members: number, of: Context = ctx): Promise<string[]> {
  await place.workspace(of, 'UTC');
  const ids = await givenMembers(of, members);
  await ensureProfiles(of);
  return ids;
}

test('the first thousand members are there at once, the others once a worker has read them', async () => {
  await programmeOf(2_100);
  expect((await keptRows(ctx)).profiles).toHaveLength(1_000);
  expect(await profilesAsOf(ctx)).toBeNull();
  await refreshProfiles(ctx);
  expect((await keptRows(ctx)).profiles).toHaveLength(2_100);
  expect(await profilesAsOf(ctx)).toEqual(ctx.clock.now());
});

test('a rebuild goes on after the last page that was kept when its worker is killed', async () => {
  await programmeOf(3_100);
  const worker = workerOf();
  await refreshProfilesLoop.turn(worker);
  expect((await keptRows(ctx)).profiles).toHaveLength(2_000);
  const killed = workerOf(async (asking) => {
    await asking.sql.query('SELECT pg_terminate_backend(pg_backend_pid())').catch(() => {});
  });
  await refreshProfilesLoop.turn(killed);
  expect((await keptRows(ctx)).profiles).toHaveLength(2_000);
  services.clock.advance(MINUTE_MS);
  await refreshProfiles(ctx);
  expect((await keptRows(ctx)).profiles).toHaveLength(3_100);
});

test('changes come back when the worker that took them is killed', async () => {
  const [id] = await programmeOf(1);
  await awardPoints(ctx, id!, { amount: 7 });
  await happened('loyalty.points_awarded', { memberId: id });
  let questions = 0;
  const killed = workerOf(async (asking) => {
    questions += 1;
    await asking.sql.query('SELECT pg_terminate_backend(pg_backend_pid())').catch(() => {});
  });
  await refreshProfilesLoop.turn(killed);
  expect(questions).toBe(1);
  expect(await waitingChanges(ctx)).toHaveLength(1);
  services.clock.advance(MINUTE_MS);
  await refreshProfiles(ctx);
  expect(await profileRow(ctx, id!)).toMatchObject({ points_balance: 7 });
});

test('where a workspace fails, others go on, and it is tried again', async () => {
  const [broken, sound] = [newContext(), newContext()];
  const [[first], [second]] = [await programmeOf(1, broken), await programmeOf(1, sound)];
  for (const [of, id] of [[broken, first!] as const, [sound, second!] as const]) {
    await awardPoints(of, id, { amount: 7 });
    await happened('loyalty.points_awarded', { memberId: id }, of);
  }
  const worker = workerOf(async ({ scope }) => {
    if (scope.workspaceId === broken.scope.workspaceId) throw new Error('away');
  });
  await refreshProfilesLoop.turn(worker);
  await refreshProfilesLoop.turn(worker);
  expect(await profileRow(sound, second!)).toMatchObject({ points_balance: 7 });
  expect(await waitingChanges(broken)).toHaveLength(1);
  await refreshProfiles(ctx);
  expect(await waitingChanges(broken)).toHaveLength(1);
  services.clock.advance(MINUTE_MS);
  await refreshProfiles(ctx);
  expect(await profileRow(broken, first!)).toMatchObject({ points_balance: 7 });
});

test('many workers at once take every change once', async () => {
  const ids = await programmeOf(40);
  for (const [index, id] of ids.entries()) {
    await awardPoints(ctx, id, { amount: index + 1 });
    await happened('loyalty.points_awarded', { memberId: id });
  }
  const turns = Array.from({ length: 6 }, () => refreshProfilesLoop.turn(workerOf()));
  await Promise.all(turns);
  await refreshProfiles(ctx);
  const { profiles } = await keptRows(ctx);
  expect(profiles.map((row) => row['points_balance'])).toEqual(ids.map((_, index) => index + 1));
  expect(await waitingChanges(ctx)).toEqual([]);
});

test.each([
  ['members.imported', {}],
  ['orders.imported', {}],
  ['model.bulk_job_finished', {}],
  ['loyalty.tiers_changed', {}],
])('%s reads everybody anew, members without a profile too', async (type, payload) => {
  await programmeOf(2);
  const [late] = await givenMembers(ctx, 1);
  await refreshProfiles(ctx);
  expect(await profileRow(ctx, late!)).toBeUndefined();
  const before = ctx.clock.now();
  services.clock.advance(1_000);
  await happened(type, payload);
  expect(await profilesAsOf(ctx)).toEqual(ctx.clock.now());
  services.clock.advance(1_000);
  expect((await profilesAsOf(ctx))?.getTime()).toBe(before.getTime() + 1_000);
  await refreshProfiles(ctx);
  expect(await profileRow(ctx, late!)).toMatchObject({ status: 'ACTIVE' });
});

test('an admin has everybody read anew; others may not', async () => {
  await programmeOf(1);
  await ctx.sql.query(`UPDATE engagement.profiles SET points_balance = 99 WHERE workspace_id = $1`, [
    ctx.scope.workspaceId,
  ]);
  const REBUILD = 'mutation { rebuildProfiles { asOf rebuiltAt isRebuilding } }';
  const member = contextOf(services, { ...ctx.caller, role: 'MEMBER' });
  expect(await ask(engagement, member, REBUILD)).toMatchObject({ code: 'FORBIDDEN' });
  const { data } = await ask(engagement, ctx, REBUILD);
  expect(data.rebuildProfiles.isRebuilding).toBe(true);
  await refreshProfiles(ctx);
  expect((await keptRows(ctx)).profiles).toMatchObject([{ points_balance: 0 }]);
  const answer = await ask(engagement, ctx, '{ profileFreshness { asOf rebuiltAt isRebuilding } }');
  const now = ctx.clock.now().toISOString();
  expect(answer.data.profileFreshness).toEqual({ asOf: now, rebuiltAt: now, isRebuilding: false });
});

test('nothing of an erased member is left, whichever job comes first', async () => {
  await place.workspace(ctx, 'UTC');
  await ensureProfiles(ctx);
  const members = [await given.member(ctx), await given.member(ctx), await given.member(ctx)];
  for (const { id } of members) await awardPoints(ctx, id, { amount: 5 });
  await refreshProfiles(ctx);
  const [first, second, other] = members.map(({ id }) => id) as [string, string, string];
  for (const id of [first, second]) await requestErasure(ctx, id);
  await refreshProfiles(ctx);
  expect(await profileRow(ctx, first)).toMatchObject({ status: 'DEACTIVATION_PENDING' });
  services.clock.advance(31 * DAY_MS);
  await eraseDueMembers(contextOf(services, systemCaller('test')));
  await happened('member.updated', { memberId: first });
  await eraseProfileJob.run(ctx, { memberId: first });
  expect(await waitingChanges(ctx)).toEqual([]);
  await refreshProfiles(ctx);
  await eraseProfileJob.run(ctx, { memberId: second });
  const { profiles, occurrences } = await keptRows(ctx);
  expect(profiles.map((row) => row['member_id'])).toEqual([other]);
  expect(occurrences).toEqual([]);
});

test('the sandbox has profiles of its own', async () => {
  await programmeOf(1);
  const sandbox = contextOf(services, { ...ctx.caller, mode: 'TEST' });
  const { id } = await given.member(sandbox);
  await refreshProfiles(sandbox);
  expect((await keptRows(sandbox)).profiles).toEqual([]);
  await ensureProfiles(sandbox);
  expect(await profileRow(sandbox, id)).toMatchObject({ status: 'ACTIVE' });
  expect((await keptRows(ctx)).profiles).toHaveLength(1);
});
