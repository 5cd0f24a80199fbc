import { expect, test } from '@jest/globals';
import { type Caller, defaultLimits } from '@loyalty/platform/base/caller';
import { DAY_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { callerOf, contextOf, type TestServices, useServices } from '@loyalty/test/harness/services';
import { ask, given } from '../loyalty.fixture.ts';
import { requestErasure } from '../member-status/member-status.service.ts';
import { updateProgram } from '../tiers/programs.service.ts';
import { bookEarning, bookReversal, spendPoints } from './booking.service.ts';
import { expirePoints } from './due-lots.service.ts';
import { adjustPoints, awardPoints } from './points.service.ts';
import { reversePoints } from './reversals.service.ts';

const { services, ctx, fresh } = useServices();

const REVERSE = `mutation ($id: ID!) { reversePoints(transactionId: $id, reason: "by mistake") {
  id kind amount balanceAfter description reversalOf { id amount } reversedBy { id }
  member { pointsBalance pointsEarned } } }`;
const standing = async (id: string) =>
  (
    await ask(
      fresh(),
      `query ($id: ID!) { member(id: $id) { pointsBalance pointsEarned
        pointsTransactions { nodes { id kind amount reversedBy { id } reversalOf { id } } } } }`,
      { id },
    )
  ).member;

test('a reversal takes the award back, is published, is audited and names it both ways', async () => {
  const { id } = await given.member(ctx);
  await awardPoints(ctx, id, { amount: 20 });
  const award = await awardPoints(fresh(), id, { amount: 50 });
  const { reversePoints: entry } = await ask(fresh(), REVERSE, { id: award.id });
  expect(entry).toMatchObject({
    kind: 'REVERSAL',
    amount: -50,
    balanceAfter: 20,
    description: 'by mistake',
    reversalOf: { id: award.id, amount: 50 },
    reversedBy: null,
    member: { pointsBalance: 20, pointsEarned: 20 },
  });
  expect((await standing(id)).pointsTransactions.nodes).toMatchObject([
    { id: entry.id, reversalOf: { id: award.id }, reversedBy: null },
    { id: award.id, reversalOf: null, reversedBy: { id: entry.id } },
    { reversalOf: null, reversedBy: null },
  ]);
  expect(await publishedEvents(ctx, 'loyalty.points_reversed')).toEqual([
    { memberId: id, transactionId: entry.id, amount: -50 },
  ]);
  const audited = await ctx.sql.query(
    'SELECT action, after FROM platform.audit_entries WHERE resource_id = $1',
    [id],
  );
  expect(audited).toEqual([
    { action: 'reversePoints', after: { amount: -50, reversalOf: award.id, transactionId: entry.id } },
  ]);
});

test('of many reversals of one entry at once one is kept', async () => {
  const { id } = await given.member(ctx);
  const award = await awardPoints(ctx, id, { amount: 50 });
  await awardPoints(fresh(), id, { amount: 500 });
  const attempts = await Promise.allSettled(
    Array.from({ length: 10 }, () => reversePoints(fresh(), award.id, 'by mistake')),
  );
  const codes = attempts.map((attempt) => (attempt.status === 'rejected' ? attempt.reason.code : 'REVERSED'));
  expect(codes.sort()).toEqual([...Array(9).fill('ALREADY_REVERSED'), 'REVERSED']);
  expect(await standing(id)).toMatchObject({ pointsBalance: 500, pointsEarned: 500 });
});

test('it takes at most what is there, and lowers the points earned by the whole entry', async () => {
  const { id: memberId } = await given.member(ctx);
  const source = `order:${memberId}`;
  const earning = await bookEarning(ctx, { memberId, points: 50, description: 'order', source });
  await fresh().transaction((tx) =>
    spendPoints(tx, { memberId, points: 45, description: 'coupon', source: `coupon:${memberId}` }),
  );
  expect(await reversePoints(fresh(), earning!.id, 'returned')).toMatchObject({
    amount: -5,
    balanceAfter: 0,
  });
  expect(await standing(memberId)).toMatchObject({ pointsBalance: 0, pointsEarned: 0 });
});

/** Books the points of an order, and returns a function that refunds some of them. */
async function order(points: number) {
  const { id: memberId } = await given.member(ctx);
  const source = `order:${memberId}`;
  const earning = (await bookEarning(fresh(), { memberId, points, description: 'order', source }))!;
  let refunds = 0;
  const refund = (part: number, own = fresh()) => {
    refunds += 1;
    const booking = { memberId, points: part, description: 'refund', source: `refund:${memberId}${refunds}` };
    return bookReversal(own, { ...booking, of: source });
  };
  return { memberId, earning, refund };
}

test('after partial refunds a reversal takes the rest, and after it a refund takes nothing', async () => {
  const { memberId, earning, refund } = await order(50);
  await awardPoints(fresh(), memberId, { amount: 100 });
  expect(await refund(20)).toMatchObject({ amount: -20, balanceAfter: 130 });
  const { reversePoints: rest } = await ask(fresh(), REVERSE, { id: earning.id });
  expect(rest).toMatchObject({ amount: -30, balanceAfter: 100, member: { pointsEarned: 100 } });
  expect(await refund(10)).toBeNull();
  expect(await standing(memberId)).toMatchObject({ pointsBalance: 100, pointsEarned: 100 });
});

test('refunds take no more than the order gave, and leave nothing to reverse', async () => {
  const { memberId, earning, refund } = await order(50);
  await awardPoints(fresh(), memberId, { amount: 100 });
  const taken = await Promise.all([30, 30, 30].map((part) => refund(part)));
  expect(taken.map((entry) => entry?.amount ?? 0).sort()).toEqual([-20, -30, 0].sort());
  await expect(reversePoints(fresh(), earning.id, 'x')).rejects.toMatchObject({ code: 'ALREADY_REVERSED' });
  const { pointsBalance, pointsEarned, pointsTransactions } = await standing(memberId);
  expect([pointsBalance, pointsEarned]).toEqual([100, 100]);
  const refunds = pointsTransactions.nodes.filter(({ kind }: { kind: string }) => kind === 'REVERSAL');
  expect(refunds).toMatchObject([{ reversalOf: { id: earning.id } }, { reversalOf: { id: earning.id } }]);
});

test('a reversal and refunds at once take what was earned and no more', async () => {
  const { memberId, earning, refund } = await order(50);
  await awardPoints(fresh(), memberId, { amount: 500 });
  await Promise.allSettled([
    ...[20, 20, 20, 20].map((part) => refund(part)),
    ...[1, 2].map(() => reversePoints(fresh(), earning.id, 'x')),
  ]);
  expect(await standing(memberId)).toMatchObject({ pointsBalance: 500, pointsEarned: 500 });
});

test('points that expired are not taken back out of others, and count for tiers no more', async () => {
  await updateProgram(ctx, { pointsExpireAfterDays: 10 });
  const { memberId, earning, refund } = await order(50);
  await fresh().transaction((tx) =>
    spendPoints(tx, { memberId, points: 15, description: 'coupon', source: `coupon:${memberId}` }),
  );
  services.clock.advance(10 * DAY_MS);
  await expirePoints(fresh());
  await updateProgram(fresh(), { pointsExpireAfterDays: null });
  await awardPoints(fresh(), memberId, { amount: 100 });
  expect(await refund(10)).toMatchObject({ amount: -10, balanceAfter: 90 });
  expect(await reversePoints(fresh(), earning.id, 'x')).toMatchObject({ amount: -5, balanceAfter: 85 });
  expect(await standing(memberId)).toMatchObject({ pointsBalance: 85, pointsEarned: 100 });
});

test('a rolling sum counts a reversal at the time of what it takes back', async () => {
  await updateProgram(ctx, { tierBasis: 'ROLLING', tierPeriodDays: 30 });
  const { memberId, earning, refund } = await order(50);
  const award = await awardPoints(fresh(), memberId, { amount: 20 });
  services.clock.advance(31 * DAY_MS);
  await awardPoints(fresh(), memberId, { amount: 100 });
  await refund(10);
  await reversePoints(fresh(), earning.id, 'x');
  await reversePoints(fresh(), award.id, 'x');
  const inPeriod = 'query ($id: ID!) { member(id: $id) { tierProgress { pointsEarnedInPeriod } } }';
  const { member } = await ask(fresh(), inPeriod, { id: memberId });
  expect(member.tierProgress.pointsEarnedInPeriod).toBe(100);
});

test('an upward correction can be reversed; what took points away and a reversal cannot', async () => {
  const { id } = await given.member(ctx);
  const up = await adjustPoints(ctx, id, 30, 'goodwill');
  const down = await adjustPoints(fresh(), id, -10, 'taken');
  const reversal = await reversePoints(fresh(), up.id, 'no goodwill');
  expect(reversal).toMatchObject({ amount: -20, balanceAfter: 0 });
  for (const entry of [down, reversal])
    await expect(reversePoints(fresh(), entry.id, 'x')).rejects.toMatchObject({
      code: 'NOT_REVERSIBLE',
      category: 'CONFLICT',
    });
});

test('points that wait are taken back by an entry of 0 points and never come', async () => {
  await updateProgram(ctx, { pointsPendingDays: 3 });
  const { id } = await given.member(ctx);
  const award = await awardPoints(fresh(), id, { amount: 30 });
  expect(await reversePoints(fresh(), award.id, 'by mistake')).toMatchObject({ amount: 0, balanceAfter: 0 });
  await expect(reversePoints(fresh(), award.id, 'again')).rejects.toMatchObject({
    code: 'TRANSACTION_NOT_FOUND',
  });
  const { releasePoints } = await import('./due-lots.service.ts');
  services.clock.advance(3 * DAY_MS);
  await releasePoints(fresh());
  expect(await standing(id)).toMatchObject({ pointsBalance: 0, pointsEarned: 0 });
});

test('entries of nobody, of another workspace or mode are not found', async () => {
  const { id } = await given.member(ctx);
  const award = await awardPoints(ctx, id, { amount: 1 });
  const strangers = [callerOf(), callerOf({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' })];
  for (const caller of strangers)
    await expect(reversePoints(fresh(caller), award.id, 'x')).rejects.toMatchObject({
      code: 'TRANSACTION_NOT_FOUND',
      category: 'NOT_FOUND',
    });
});

test('the cap, the guard, the reason and a closed member are respected', async () => {
  const { id } = await given.member(ctx);
  const award = await awardPoints(ctx, id, { amount: 50 });
  const limited = (limits: object) => fresh({ ...ctx.caller, limits: { ...defaultLimits, ...limits } });
  const codeOf = (own: Context, reason = 'x') =>
    reversePoints(own, award.id, reason).catch(({ code }) => code);
  expect(await codeOf(limited({ valueCap: 49 }))).toBe('AMOUNT_OVER_CAP');
  expect(await codeOf(limited({ valueWritesPerMinute: 0 }))).toBe('RATE_LIMITED');
  expect(await codeOf(fresh(), ' ')).toBe('VALIDATION_FAILED');
  await requestErasure(fresh(), id);
  expect(await codeOf(fresh())).toBe('MEMBER_CLOSED');
  expect(await standing(id)).toMatchObject({ pointsBalance: 50 });
});

test('an admin or a key with points:write reverses; a member of the team and other keys do not', async () => {
  const { id } = await given.member(ctx);
  const key = (scope: string): Caller => ({ ...ctx.caller, kind: 'KEY', role: null, scopes: [scope] });
  const award = await awardPoints(ctx, id, { amount: 1 });
  // A caller with only points:write may read the entry, and nothing else of the member.
  const document =
    'mutation ($id: ID!) { reversePoints(transactionId: $id, reason: "x") { amount member { id } } }';
  const codeOf = (caller: Caller, text = document) =>
    ask(fresh(caller), text, { id: award.id }).catch(({ code }) => code);
  expect(await codeOf({ ...ctx.caller, role: 'MEMBER' })).toBe('ROLE_REQUIRED');
  expect(await codeOf(key('members:write'))).toBe('SCOPE_MISSING');
  expect(await codeOf(key('points:write'), REVERSE)).toBe('SCOPE_MISSING');
  expect(await codeOf(key('points:write'))).toMatchObject({ reversePoints: { amount: -1 } });
});

test('a guard that cannot count refuses every move of points, and nothing is written', async () => {
  const { id } = await given.member(ctx);
  const award = await awardPoints(ctx, id, { amount: 5 });
  const outsideTransaction = { query: () => Promise.reject(new Error('away')) };
  const database = { ...services.database, outsideTransaction } as unknown as TestServices['database'];
  const unguarded = () => contextOf({ ...services, database }, ctx.caller);
  const refused = { code: 'GUARD_UNAVAILABLE', category: 'UNAVAILABLE' };
  await expect(awardPoints(unguarded(), id, { amount: 1 })).rejects.toMatchObject(refused);
  await expect(adjustPoints(unguarded(), id, 1, 'x')).rejects.toMatchObject(refused);
  await expect(reversePoints(unguarded(), award.id, 'x')).rejects.toMatchObject(refused);
  expect(await standing(id)).toMatchObject({
    pointsBalance: 5,
    pointsTransactions: { nodes: [{ amount: 5 }] },
  });
});
