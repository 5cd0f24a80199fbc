import { expect, test } from '@jest/globals';
import { defaultLimits } from '@loyalty/platform/base/caller';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import { ask, given } from '../loyalty.fixture.ts';
import { requestErasure, setMemberStatus } from '../member-status/member-status.service.ts';
import { adjustPoints, awardPoints } from './points.service.ts';

const { services, ctx, fresh } = useServices();

const AWARD = `mutation ($id: ID!, $input: AwardPointsInput!) { awardPoints(memberId: $id, input: $input) {
  id amount balanceAfter description kind createdAt member { id pointsBalance pointsEarned } } }`;
const LEDGER = `query ($id: ID!, $first: Int, $after: String,
  $offset: Int) { member(id: $id) { pointsBalance pointsEarned
  pointsTransactions(first: $first, after: $after, offset: $offset) {
    totalCount pageInfo { hasNextPage endCursor } nodes { amount balanceAfter description kind } } } }`;

test('an award raises the balance by its amount, writes an entry and publishes it', async () => {
  const { id } = await given.member(ctx);
  await awardPoints(ctx, id, { amount: 50 });
  const { awardPoints: entry } = await ask(fresh(), AWARD, {
    id,
    input: { amount: 25, description: ' order 7 ' },
  });
  expect(entry).toMatchObject({
    amount: 25,
    balanceAfter: 75,
    description: 'order 7',
    kind: 'AWARD',
    member: { id, pointsBalance: 75, pointsEarned: 75 },
  });
  expect((await publishedEvents(ctx, 'loyalty.points_awarded')).at(-1)).toEqual({
    memberId: id,
    transactionId: entry.id,
    amount: 25,
  });
});

test('an adjustment takes away, is audited, and does not lower what was earned', async () => {
  const { id } = await given.member(ctx);
  await awardPoints(ctx, id, { amount: 100 });
  const entry = await adjustPoints(ctx, id, -40, 'returned order');
  expect(entry).toMatchObject({
    amount: -40,
    balanceAfter: 60,
    kind: 'ADJUSTMENT',
    description: 'returned order',
  });
  expect((await ask(fresh(), LEDGER, { id })).member).toMatchObject({ pointsBalance: 60, pointsEarned: 100 });
  const audited = await ctx.sql.query(
    'SELECT action, after FROM platform.audit_entries WHERE resource_id = $1',
    [id],
  );
  expect(audited).toEqual([
    { action: 'adjustPoints', after: { amount: -40, balanceAfter: 60, transactionId: entry.id } },
  ]);
});

test('points never fall below zero', async () => {
  const { id } = await given.member(ctx);
  await awardPoints(ctx, id, { amount: 10 });
  await expect(adjustPoints(ctx, id, -11, 'too much')).rejects.toMatchObject({
    code: 'INSUFFICIENT_POINTS',
    category: 'CONFLICT',
  });
  expect((await ask(fresh(), LEDGER, { id })).member).toMatchObject({
    pointsBalance: 10,
    pointsTransactions: { totalCount: 1 },
  });
  expect((await adjustPoints(ctx, id, -10, 'all of it')).balanceAfter).toBe(0);
});

test('a balance beyond 32 bits is refused and nothing is written', async () => {
  const { id } = await given.member(ctx);
  await ctx.sql.query('UPDATE loyalty.members SET points_balance = 2147483640 WHERE id = $1', [id]);
  await expect(awardPoints(ctx, id, { amount: 8 })).rejects.toMatchObject({
    code: 'BALANCE_LIMIT',
    category: 'CONFLICT',
  });
  expect((await awardPoints(ctx, id, { amount: 7 })).balanceAfter).toBe(2_147_483_647);
});

test("more than the workspace's cap in one call is refused, either way", async () => {
  const capped = fresh({ limits: { ...defaultLimits, valueCap: 100 } });
  const { id } = await given.member(ctx);
  await expect(awardPoints(capped, id, { amount: 101 })).rejects.toMatchObject({
    code: 'AMOUNT_OVER_CAP',
    category: 'BAD_USER_INPUT',
  });
  await expect(adjustPoints(capped, id, -101, 'x')).rejects.toMatchObject({ code: 'AMOUNT_OVER_CAP' });
  await expect(awardPoints(capped, id, { amount: 100 })).resolves.toMatchObject({ balanceAfter: 100 });
});

test('more value writes a minute than the caller may make are refused', async () => {
  const slow = fresh({ limits: { ...defaultLimits, valueWritesPerMinute: 2 } });
  const { id } = await given.member(ctx);
  for (let i = 0; i < 2; i += 1) await awardPoints(slow, id, { amount: 1 });
  await expect(awardPoints(slow, id, { amount: 1 })).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    details: { retryAfterSeconds: 60 },
  });
  await expect(adjustPoints(slow, id, 1, 'x')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
});

test('a pending or inactive member becomes active by an award, and only by an award', async () => {
  const pending = await given.member(ctx, { enrollmentSource: 'QR' });
  const inactive = await given.member(ctx);
  await setMemberStatus(ctx, inactive.id, 'INACTIVE');
  const status = async (id: string) =>
    (await ask(fresh(), 'query ($id: ID!) { member(id: $id) { status } }', { id })).member.status;
  await adjustPoints(ctx, pending.id, 5, 'correction');
  expect(await status(pending.id)).toBe('PENDING');
  for (const { id } of [pending, inactive]) {
    await awardPoints(ctx, id, { amount: 1 });
    expect(await status(id)).toBe('ACTIVE');
  }
  const activated = (await publishedEvents(ctx, 'member.updated')).map(({ memberId }) => memberId);
  expect(activated).toEqual([pending.id, inactive.id]);
});

test('an unsubscribed member earns and stays unsubscribed', async () => {
  const { id } = await given.member(ctx);
  await ctx.sql.query(`UPDATE loyalty.members SET status = 'UNSUBSCRIBED' WHERE id = $1`, [id]);
  await awardPoints(ctx, id, { amount: 3 });
  expect(
    (await ask(fresh(), 'query ($id: ID!) { member(id: $id) { status pointsBalance } }', { id })).member,
  ).toEqual({
    status: 'UNSUBSCRIBED',
    pointsBalance: 3,
  });
});

test('a member about to be erased takes no points, an erased or unknown one does not exist', async () => {
  const { id } = await given.member(ctx);
  await requestErasure(ctx, id);
  await expect(awardPoints(ctx, id, { amount: 1 })).rejects.toMatchObject({
    code: 'MEMBER_CLOSED',
    category: 'CONFLICT',
  });
  await ctx.sql.query(`UPDATE loyalty.members SET status = 'DELETED' WHERE id = $1`, [id]);
  await expect(awardPoints(ctx, id, { amount: 1 })).rejects.toMatchObject({ code: 'MEMBER_NOT_FOUND' });
  const unknown = '0190a000-0000-7000-8000-000000000001';
  await expect(awardPoints(ctx, unknown, { amount: 1 })).rejects.toMatchObject({
    code: 'MEMBER_NOT_FOUND',
    category: 'NOT_FOUND',
  });
});

test('points of another workspace or mode cannot be moved', async () => {
  const { id } = await given.member(ctx);
  for (const caller of [callerOf(), callerOf({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' })]) {
    await expect(awardPoints(contextOf(services, caller), id, { amount: 1 })).rejects.toMatchObject({
      code: 'MEMBER_NOT_FOUND',
    });
  }
});

test.each([0, -1, 1.5, '5', null])('an award of %p is refused before it runs', async (amount) => {
  const { id } = await given.member(ctx);
  await expect(ask(fresh(), AWARD, { id, input: { amount } })).rejects.toThrow(/amount/);
});

test('a repeated award with one Idempotency-Key adds points once', async () => {
  const { id } = await given.member(ctx);
  const keyed = () => fresh({}, 'award-1');
  const first = await ask(keyed(), AWARD, { id, input: { amount: 9 } });
  expect(await ask(keyed(), AWARD, { id, input: { amount: 9 } })).toEqual(first);
  expect((await ask(fresh(), LEDGER, { id })).member.pointsBalance).toBe(9);
});

test('each of several awards in one operation answers with the balance that it left', async () => {
  const { id } = await given.member(ctx);
  const award = (amount: number) =>
    `awardPoints(memberId: $id, input: { amount: ${amount} }) { balanceAfter member { pointsBalance } }`;
  const answer = await ask(fresh(), `mutation ($id: ID!) { one: ${award(1)} two: ${award(2)} }`, { id });
  expect(answer).toEqual({
    one: { balanceAfter: 1, member: { pointsBalance: 1 } },
    two: { balanceAfter: 3, member: { pointsBalance: 3 } },
  });
});

test('cursor and offset page through a ledger newest first', async () => {
  const { id } = await given.member(ctx);
  for (let amount = 1; amount <= 12; amount += 1) await awardPoints(ctx, id, { amount });
  const read = async (variables: object) =>
    (await ask(fresh(), LEDGER, { id, ...variables })).member.pointsTransactions;
  const amounts = (connection: { nodes: { amount: number }[] }) =>
    connection.nodes.map(({ amount }) => amount);
  const first = await read({});
  expect(amounts(first)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
  expect(first).toMatchObject({ totalCount: 12, pageInfo: { hasNextPage: true } });
  expect(amounts(await read({ after: first.pageInfo.endCursor }))).toEqual([2, 1]);
  expect(amounts(await read({ first: 3, offset: 8 }))).toEqual([4, 3, 2]);
});

test('a cursor of another ledger reads nothing', async () => {
  const [one, other] = [await given.member(ctx), await given.member(ctx)];
  for (const { id } of [one, other]) for (let i = 0; i < 3; i += 1) await awardPoints(ctx, id, { amount: 1 });
  const { member } = await ask(fresh(), LEDGER, { id: one.id, first: 1 });
  const { endCursor } = member.pointsTransactions.pageInfo;
  expect(
    (await ask(fresh(), LEDGER, { id: other.id, after: endCursor })).member.pointsTransactions.nodes,
  ).toEqual([]);
});

test('only an admin adjusts; a key with points:write awards', async () => {
  const { id } = await given.member(ctx);
  const key = fresh({ kind: 'KEY', role: null, scopes: ['points:write'] });
  const adjust = 'mutation ($id: ID!) { adjustPoints(memberId: $id, amount: 1, reason: "x") { id } }';
  await expect(ask(key, adjust, { id })).rejects.toMatchObject({ code: 'ROLE_REQUIRED' });
  await expect(ask(fresh({ role: 'MEMBER' }), adjust, { id })).rejects.toMatchObject({
    code: 'ROLE_REQUIRED',
  });
  await expect(
    ask(key, 'mutation ($id: ID!) { awardPoints(memberId: $id, input: { amount: 1 }) { balanceAfter } }', {
      id,
    }),
  ).resolves.toEqual({ awardPoints: { balanceAfter: 1 } });
});
