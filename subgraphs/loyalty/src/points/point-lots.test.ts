import { expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import { DAY_MS, HOUR_MS } from '@loyalty/platform/base/clock';
import { createContext } from '@loyalty/platform/database/create-context';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { callerOf, useServices } from '@loyalty/test/harness/services';
import { ask, given } from '../loyalty.fixture.ts';
import { eraseDueMembers, requestErasure, setMemberStatus } from '../member-status/member-status.service.ts';
import { updateProgram } from '../tiers/programs.service.ts';
import { bookEarning, bookReversal, spendPoints } from './booking.service.ts';
import { expirePointsJob, releasePointsJob } from './points.jobs.ts';
import { adjustPoints, awardPoints } from './points.service.ts';
import { reversePoints } from './reversals.service.ts';

const { services, ctx, fresh } = useServices();

const product = () => createContext(services, { caller: systemCaller('test'), requestId: 'test' });
const expire = () => expirePointsJob.run(product(), {});
const release = () => releasePointsJob.run(product(), {});
const award = (memberId: string, amount: number) => awardPoints(fresh(), memberId, { amount });
const spend = (memberId: string, points: number, source = `test:${Math.random()}`) =>
  fresh().transaction((tx) => spendPoints(tx, { memberId, points, description: 'coupon', source }));

const READ = `query ($id: ID!, $days: Int = 30) { member(id: $id) { status pointsBalance pointsEarned
  pointsPending
  pointsExpiring(withinDays: $days) { amount expiresAt } tier { name }
  pointsTransactions(first: 50) { nodes { id kind amount balanceAfter } } } }`;
const read = async (id: string, days = 30) => (await ask(fresh(), READ, { id, days })).member;
const kinds = (member: { pointsTransactions: { nodes: { kind: string; amount: number }[] } }) =>
  member.pointsTransactions.nodes.map(({ kind, amount }) => `${kind} ${amount}`);
const inDays = (days: number) => new Date(services.clock.now().getTime() + days * DAY_MS).toISOString();

test('points without a rule never expire: no lot is kept', async () => {
  const { id } = await given.member(ctx);
  await award(id, 50);
  services.clock.advance(4_000 * DAY_MS);
  await expire();
  expect(await read(id, 366)).toMatchObject({ pointsBalance: 50, pointsPending: 0, pointsExpiring: [] });
  expect(await ctx.sql.query('SELECT 1 FROM loyalty.point_lots WHERE member_id = $1', [id])).toEqual([]);
});

test('what is not spent in time leaves the balance once, as an entry and an event', async () => {
  await updateProgram(ctx, { pointsExpireAfterDays: 30 });
  const { id } = await given.member(ctx);
  await award(id, 100);
  expect(await read(id)).toMatchObject({ pointsExpiring: [{ amount: 100, expiresAt: inDays(30) }] });
  services.clock.advance(30 * DAY_MS - 1);
  await expire();
  expect((await read(id)).pointsBalance).toBe(100);
  services.clock.advance(1);
  await Promise.all([expire(), expire()]);
  await expire();
  const member = await read(id);
  expect(member).toMatchObject({ pointsBalance: 0, pointsEarned: 100, pointsExpiring: [] });
  expect(kinds(member)).toEqual(['EXPIRY -100', 'AWARD 100']);
  expect(await publishedEvents(ctx, 'loyalty.points_expired')).toEqual([
    { memberId: id, transactionId: member.pointsTransactions.nodes[0].id, amount: -100 },
  ]);
});

test('spending takes the points that expire soonest, then those that never do', async () => {
  const { id } = await given.member(ctx);
  await award(id, 10);
  await updateProgram(ctx, { pointsExpireAfterDays: 20 });
  await award(id, 40);
  await updateProgram(fresh(), { pointsExpireAfterDays: 10 });
  await award(id, 30);
  await adjustPoints(fresh(), id, 5, 'a correction never expires');
  await spend(id, 35);
  const left = { amount: 35, expiresAt: inDays(20) };
  expect(await read(id)).toMatchObject({ pointsBalance: 50, pointsExpiring: [left] });
  await adjustPoints(fresh(), id, -40, 'taken away');
  expect(await read(id)).toMatchObject({ pointsBalance: 10, pointsExpiring: [] });
  services.clock.advance(30 * DAY_MS);
  await expire();
  expect((await read(id)).pointsBalance).toBe(10);
});

test('points of one day are added up, those beyond the days asked for are left out', async () => {
  await updateProgram(ctx, { pointsExpireAfterDays: 10 });
  services.clock.set('2027-01-04T08:00:00.000Z');
  const { id } = await given.member(ctx);
  await award(id, 1);
  services.clock.advance(HOUR_MS);
  await award(id, 2);
  services.clock.advance(DAY_MS);
  await award(id, 4);
  expect((await read(id)).pointsExpiring).toEqual([
    { amount: 3, expiresAt: '2027-01-14T08:00:00.000Z' },
    { amount: 4, expiresAt: '2027-01-15T09:00:00.000Z' },
  ]);
  expect((await read(id, 9)).pointsExpiring).toEqual([{ amount: 3, expiresAt: '2027-01-14T08:00:00.000Z' }]);
  await expect(read(id, 367)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
});

test('a reversed award takes its own points first', async () => {
  await updateProgram(ctx, { pointsExpireAfterDays: 10 });
  const { id } = await given.member(ctx);
  await award(id, 10);
  services.clock.advance(DAY_MS);
  const later = await award(id, 20);
  await reversePoints(fresh(), later.id, 'by mistake');
  expect((await read(id)).pointsExpiring).toEqual([{ amount: 10, expiresAt: inDays(9) }]);
});

test('expiry that races with spending takes only what is left, and no balance falls below zero', async () => {
  await updateProgram(ctx, { pointsExpireAfterDays: 10 });
  const ids = await Promise.all(Array.from({ length: 12 }, async () => (await given.member(ctx)).id));
  await Promise.all(ids.flatMap((id) => [award(id, 30), award(id, 30)]));
  services.clock.advance(10 * DAY_MS);
  await Promise.all([
    ...ids.flatMap((id) => [1, 2, 3].map(() => spend(id, 15).catch(({ code }) => code))),
    expire(),
    expire(),
    ...ids.map((id) => award(id, 7)),
  ]);
  await expire();
  for (const id of ids) {
    const member = await read(id);
    const spent = kinds(member).filter((line) => line === 'REDEMPTION -15').length;
    const sum = member.pointsTransactions.nodes.reduce(
      (total: number, { amount }: { amount: number }) => total + amount,
      0,
    );
    expect(member.pointsBalance).toBe(sum);
    // Spending took at most all 60 expiring points and the 7 new ones.
    expect(member.pointsBalance).toBe(Math.min(7, 67 - spent * 15));
    expect(member.pointsExpiring.map(({ amount }: { amount: number }) => amount)).toEqual([
      member.pointsBalance,
    ]);
  }
});

test('expiry in small chunks reaches every member of every workspace and mode', async () => {
  const other = fresh(callerOf());
  const testMode = fresh(callerOf({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' }));
  await updateProgram(ctx, { pointsExpireAfterDays: 5 });
  await updateProgram(other, { pointsExpireAfterDays: 6 });
  const made = [];
  for (const own of [ctx, ctx, ctx, testMode, other]) {
    const { id } = await given.member(own);
    await awardPoints(fresh(own.caller), id, { amount: 9 });
    made.push({ id, own });
  }
  const { expirePoints } = await import('./due-lots.service.ts');
  services.clock.advance(5 * DAY_MS);
  expect(await expirePoints(product(), 2)).toBe(4);
  const balances = [];
  for (const { id, own } of made) {
    const query = 'query ($id: ID!) { member(id: $id) { pointsBalance } }';
    balances.push((await ask(fresh(own.caller), query, { id })).member.pointsBalance);
  }
  expect(balances).toEqual([0, 0, 0, 0, 9]);
});

test('points of a member whose erasure is pending stay, and go without an entry once it is done', async () => {
  await updateProgram(ctx, { pointsExpireAfterDays: 5 });
  const { id } = await given.member(ctx);
  await award(id, 9);
  await requestErasure(fresh(), id);
  services.clock.advance(6 * DAY_MS);
  await expire();
  expect((await read(id)).pointsBalance).toBe(9);
  services.clock.advance(30 * DAY_MS);
  await eraseDueMembers(product());
  await expire();
  expect(await publishedEvents(ctx, 'loyalty.points_expired')).toEqual([]);
  expect(await ctx.sql.query('SELECT 1 FROM loyalty.point_lots WHERE member_id = $1', [id])).toEqual([]);
});

test('points that wait are in no balance, ledger or tier until they are released, under the same id', async () => {
  await given.tiers(ctx, { Bronze: 50 });
  await updateProgram(ctx, { pointsPendingDays: 14, pointsExpireAfterDays: 30 });
  const { id } = await given.member(ctx);
  await setMemberStatus(ctx, id, 'INACTIVE');
  const entry = await award(id, 80);
  expect(entry).toMatchObject({ amount: 80, balanceAfter: 0, kind: 'AWARD', actor: ctx.caller.actor });
  expect(entry.availableAt!.toISOString()).toBe(inDays(14));
  const waiting = await read(id);
  expect(waiting).toMatchObject({ status: 'ACTIVE', pointsBalance: 0, pointsEarned: 0, pointsPending: 80 });
  expect(waiting).toMatchObject({ tier: null, pointsExpiring: [], pointsTransactions: { nodes: [] } });
  await expect(spend(id, 1)).rejects.toMatchObject({ code: 'INSUFFICIENT_POINTS' });
  expect(await publishedEvents(ctx, 'loyalty.points_awarded')).toEqual([]);
  services.clock.advance(14 * DAY_MS);
  await Promise.all([release(), release()]);
  const member = await read(id);
  expect(member).toMatchObject({
    pointsBalance: 80,
    pointsEarned: 80,
    pointsPending: 0,
    tier: { name: 'Bronze' },
  });
  expect(member.pointsExpiring).toEqual([{ amount: 80, expiresAt: inDays(30) }]);
  expect(member.pointsTransactions.nodes).toEqual([
    { id: entry.id, kind: 'AWARD', amount: 80, balanceAfter: 80 },
  ]);
  const published80 = [{ memberId: id, transactionId: entry.id, amount: 80 }];
  expect(await publishedEvents(ctx, 'loyalty.points_awarded')).toEqual(published80);
  expect(await publishedEvents(ctx, 'loyalty.tier_upgraded')).toHaveLength(1);
});

test('several waiting entries of one member are all released, each with the balance that it left', async () => {
  await updateProgram(ctx, { pointsPendingDays: 1 });
  const { id } = await given.member(ctx);
  for (const amount of [1, 2, 4]) await award(id, amount);
  services.clock.advance(DAY_MS);
  await release();
  expect((await read(id)).pointsTransactions.nodes).toMatchObject([
    { amount: 4, balanceAfter: 7 },
    { amount: 2, balanceAfter: 3 },
    { amount: 1, balanceAfter: 1 },
  ]);
  await release();
  expect(await read(id)).toMatchObject({ pointsBalance: 7, pointsExpiring: [] });
});

test('an earning waits once however often it is booked, before and after its release', async () => {
  await updateProgram(ctx, { pointsPendingDays: 3 });
  const { id: memberId } = await given.member(ctx);
  const order = { memberId, points: 60, description: 'order 1', source: `order:${memberId}` };
  const booked = await Promise.all([1, 2, 3].map(() => bookEarning(fresh(), order)));
  expect(booked.filter(Boolean)).toHaveLength(1);
  services.clock.advance(3 * DAY_MS);
  await release();
  expect(await bookEarning(fresh(), order)).toBeNull();
  expect(await read(memberId)).toMatchObject({ pointsBalance: 60, pointsPending: 0 });
});

test('a refund takes points that still wait before any of the balance', async () => {
  const { id: memberId } = await given.member(ctx);
  await award(memberId, 10);
  await updateProgram(ctx, { pointsPendingDays: 3 });
  const order = (name: string) => `order:${memberId}:${name}`;
  for (const name of ['first', 'second'])
    await bookEarning(fresh(), { memberId, points: 50, description: name, source: order(name) });
  const refund = { memberId, points: 30, description: 'refund', source: `refund:${memberId}` };
  expect(await bookReversal(fresh(), { ...refund, of: order('first') })).toMatchObject({ amount: 0 });
  expect(await bookReversal(fresh(), { ...refund, of: order('first') })).toBeNull();
  expect(await read(memberId)).toMatchObject({ pointsBalance: 10, pointsPending: 70 });
  const more = { ...refund, points: 75, source: `refund:${memberId}:2` };
  expect(await bookReversal(fresh(), more)).toMatchObject({ amount: -5 });
  expect(await read(memberId)).toMatchObject({ pointsBalance: 5, pointsEarned: 5, pointsPending: 0 });
  services.clock.advance(3 * DAY_MS);
  await release();
  expect(await read(memberId)).toMatchObject({ pointsBalance: 5 });
});

test('points waiting for a member whose erasure is pending come when it is cancelled', async () => {
  await updateProgram(ctx, { pointsPendingDays: 3 });
  const { id } = await given.member(ctx);
  await award(id, 10);
  await requestErasure(fresh(), id);
  services.clock.advance(3 * DAY_MS);
  await release();
  expect(await read(id)).toMatchObject({ pointsBalance: 0, pointsPending: 10 });
  const { cancelErasure } = await import('../member-status/member-status.service.ts');
  await cancelErasure(fresh(), id);
  await release();
  expect(await read(id)).toMatchObject({ pointsBalance: 10, pointsPending: 0 });
});

test('a closed member takes no waiting points either', async () => {
  await updateProgram(ctx, { pointsPendingDays: 3 });
  const { id } = await given.member(ctx);
  await requestErasure(fresh(), id);
  await expect(award(id, 10)).rejects.toMatchObject({ code: 'MEMBER_CLOSED' });
  expect((await read(id)).pointsPending).toBe(0);
});

test('what waits and expires costs the same statements for 1 member and for 50', async () => {
  await updateProgram(ctx, { pointsExpireAfterDays: 5 });
  for (let i = 0; i < 50; i += 1) await award((await given.member(ctx)).id, 3);
  const cost = async (first: number) => {
    const query = `query ($first: Int!) { members(first: $first) { nodes {
      pointsPending pointsExpiring { amount expiresAt } tierProgress { pointsToNext nextTier { name } }
      pointsTransactions(first: 2) { nodes { reversalOf { id } reversedBy { id } } } } } }`;
    services.statements.length = 0;
    expect((await ask(fresh(), query, { first })).members.nodes).toHaveLength(first);
    return services.statements.length;
  };
  expect(await cost(50)).toBe(await cost(1));
});
