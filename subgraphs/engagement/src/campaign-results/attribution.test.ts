import { expect, test } from '@jest/globals';
import { addMs, DAY_MS, HOUR_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { useServices } from '@loyalty/test/harness/services';
import { askLoyalty, enrolMember, enrolMembers } from '../members.fixture.ts';
import {
  attributeAll,
  attributedRows,
  givenOrder,
  givenRecipients,
  givenSentCampaign,
  givenSourced,
  keepOrders,
  refundOrder,
  workerOf,
} from './attribution.fixture.ts';
import { eraseAttributionsJob } from './attribution.jobs.ts';
import { attributeOrders } from './attribution.service.ts';

const { services, ctx, newContext } = useServices();

const ago = (days: number): Date => addMs(services.clock.now(), -days * DAY_MS);
const waiting = async (context = ctx): Promise<number> => {
  const rows = await context.sql.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM engagement.orders_to_attribute
      WHERE workspace_id = $1 AND mode = $2::platform."Mode"`,
    [context.scope.workspaceId, context.scope.mode],
  );
  return rows[0]!.total;
};

test('an order is the revenue of the latest message before it, and counts for every campaign in whose window it lies', async () => {
  const { id: memberId } = await enrolMember(ctx);
  const first = await givenSentCampaign(ctx, { attributionDays: 14 });
  const second = await givenSentCampaign(ctx);
  const over = await givenSentCampaign(ctx);
  const unsent = await givenSentCampaign(ctx);
  const journey = newId(services.clock);
  await givenRecipients(ctx, first, [{ memberId, dueAt: ago(10) }]);
  await givenRecipients(ctx, second, [{ memberId, dueAt: ago(5), variant: 'b' }]);
  await givenRecipients(ctx, over, [{ memberId, dueAt: ago(8) }]);
  await givenRecipients(ctx, unsent, [{ memberId, dueAt: ago(1), state: 'SKIPPED' }]);
  await givenSourced(ctx, [
    { memberId, sourceId: first, sentAt: ago(10) },
    { memberId, sourceId: second, sentAt: ago(5), variant: 'b' },
    { memberId, sourceId: over, sentAt: ago(8) },
    { memberId, sourceId: unsent, status: 'SKIPPED', reason: 'NO_CONSENT', sentAt: null },
    { memberId, sourceId: journey, kind: 'JOURNEY', variant: null, sentAt: ago(6) },
  ]);
  const { id: orderId } = await givenOrder(ctx, memberId);
  await attributeAll(ctx);
  const row = { orderId, isHeldOut: false, isLastTouch: false, revenueMinor: 10_000n };
  expect(await attributedRows(ctx)).toEqual([
    { ...row, sourceId: first, variant: 'a' },
    { ...row, sourceId: second, variant: 'b', isLastTouch: true },
    { ...row, sourceId: unsent, variant: 'a' },
    { ...row, sourceId: journey, variant: null },
  ]);
});

test('the time of the order decides, not the time at which it was reported', async () => {
  const { id: memberId } = await enrolMember(ctx);
  const early = await givenSentCampaign(ctx);
  const late = await givenSentCampaign(ctx);
  await givenSourced(ctx, [
    { memberId, sourceId: early, sentAt: ago(4) },
    { memberId, sourceId: late, sentAt: ago(2) },
  ]);
  await givenOrder(ctx, memberId, { occurredAt: ago(3) });
  await givenOrder(ctx, memberId, { occurredAt: ago(5) });
  await attributeAll(ctx);
  expect(await attributedRows(ctx)).toMatchObject([{ sourceId: early, isLastTouch: true }]);
});

test.each(['a message', 'a member who is held out'])(
  'the window of %s ends after its days, to the millisecond',
  async (of) => {
    const { id: memberId } = await enrolMember(ctx);
    const sourceId = await givenSentCampaign(ctx, { attributionDays: 2 });
    if (of === 'a message') await givenSourced(ctx, [{ memberId, sourceId, sentAt: ago(10) }]);
    else await givenRecipients(ctx, sourceId, [{ memberId, state: 'HELD_OUT', dueAt: ago(10) }]);
    const at = (ms: number) => givenOrder(ctx, memberId, { occurredAt: addMs(ago(10), ms) });
    await at(-1);
    const first = await at(0);
    const last = await at(2 * DAY_MS - 1);
    await at(2 * DAY_MS);
    await attributeAll(ctx);
    expect((await attributedRows(ctx)).map(({ orderId }) => orderId)).toEqual([first.id, last.id].toSorted());
  },
);

test('orders of members who are held out count from when their message would have been sent, as no revenue', async () => {
  const { id: memberId } = await enrolMember(ctx);
  const sourceId = await givenSentCampaign(ctx);
  await givenRecipients(ctx, sourceId, [{ memberId, state: 'HELD_OUT', dueAt: ago(3) }]);
  await givenOrder(ctx, memberId, { occurredAt: ago(4) });
  const { id: orderId } = await givenOrder(ctx, memberId);
  await attributeAll(ctx);
  expect(await attributedRows(ctx)).toMatchObject([
    { orderId, sourceId, isHeldOut: true, isLastTouch: false, revenueMinor: 10_000n },
  ]);
});

test('a refund takes its part of the revenue, and an order that is wholly refunded counts for nobody', async () => {
  const { id: memberId } = await enrolMember(ctx);
  const sourceId = await givenSentCampaign(ctx);
  await givenSourced(ctx, [{ memberId, sourceId }]);
  const { externalOrderId } = await givenOrder(ctx, memberId);
  await attributeAll(ctx);
  await refundOrder(ctx, externalOrderId, 2_500);
  // The message is no longer in the log. The attribution stays.
  await ctx.sql.query('DELETE FROM engagement.messages WHERE workspace_id = $1', [ctx.scope.workspaceId]);
  await givenSourced(ctx, [
    { memberId, sourceId: newId(services.clock), kind: 'JOURNEY', status: 'SKIPPED' },
  ]);
  await attributeAll(ctx);
  expect(await attributedRows(ctx)).toMatchObject([{ sourceId, revenueMinor: 7_500n, isLastTouch: true }]);
  await refundOrder(ctx, externalOrderId);
  await attributeAll(ctx);
  expect(await attributedRows(ctx)).toEqual([]);
});

test('a message that bounced, waits or was not sent touches nobody', async () => {
  const [bounced, failed, waits] = await enrolMembers(ctx, [
    'a@example.com',
    'b@example.com',
    'c@example.com',
  ]);
  const sourceId = await givenSentCampaign(ctx);
  await givenSourced(ctx, [
    { memberId: bounced!, sourceId, status: 'BOUNCED' },
    { memberId: failed!, sourceId, status: 'FAILED', sentAt: null },
    { memberId: waits!, sourceId, status: 'QUEUED', sentAt: null },
  ]);
  for (const memberId of [bounced!, failed!, waits!]) await givenOrder(ctx, memberId);
  await attributeAll(ctx);
  expect(await attributedRows(ctx)).toEqual([]);
});

test('an order of a guest, or of a member to whom nothing was sent within 90 days, leaves nothing to do', async () => {
  const [old, stranger] = await enrolMembers(ctx, ['a@example.com', 'b@example.com']);
  const sourceId = await givenSentCampaign(ctx, { attributionDays: 90 });
  await givenSourced(ctx, [{ memberId: old!, sourceId, sentAt: ago(91) }]);
  await givenRecipients(ctx, sourceId, [{ memberId: old!, dueAt: ago(91) }]);
  // Transactional messages have no source.
  await ctx.sql.query(
    `INSERT INTO engagement.messages
            (workspace_id, mode, id, category, member_id, email_index, status, sent_at, actor, created_at)
     VALUES ($1, 'LIVE', $2, 'TRANSACTIONAL', $3, '', 'SENT', $4, 'test', $4)`,
    [ctx.scope.workspaceId, newId(services.clock), stranger, services.clock.now()],
  );
  for (const memberId of [old!, stranger!, null]) await givenOrder(ctx, memberId);
  expect(await keepOrders(ctx)).toBe(3);
  expect(await waiting()).toBe(0);
});

test('workspaces and modes are kept apart, and simulated messages count in the sandbox', async () => {
  const sandbox = newContext({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' });
  const { id: memberId } = await enrolMember(sandbox);
  const sourceId = await givenSentCampaign(sandbox);
  await givenSourced(sandbox, [{ memberId, sourceId, status: 'SIMULATED', sentAt: null }]);
  // In the other workspace and mode there is no such member.
  await givenSourced(ctx, [{ memberId, sourceId }]);
  await givenSourced(newContext(), [{ memberId, sourceId }]);
  await givenOrder(sandbox, memberId);
  await attributeAll(sandbox);
  expect(await attributedRows(sandbox)).toMatchObject([{ sourceId, isLastTouch: true }]);
  expect(await attributedRows(ctx)).toEqual([]);
});

test('orders of restricted and of erased members are attributed to nothing, and erasure deletes the others', async () => {
  const [restricted, erased] = await enrolMembers(ctx, ['a@example.com', 'b@example.com']);
  const sourceId = await givenSentCampaign(ctx);
  await givenSourced(ctx, [
    { memberId: restricted!, sourceId },
    { memberId: erased!, sourceId },
  ]);
  await givenOrder(ctx, erased!);
  await attributeAll(ctx);
  expect(await attributedRows(ctx)).toHaveLength(1);
  const restrict = 'mutation ($id: ID!) { restrictProcessing(memberId: $id, isRestricted: true) { id } }';
  await askLoyalty(ctx, restrict, { id: restricted });
  await givenOrder(ctx, restricted!);
  await attributeAll(ctx);
  expect(await attributedRows(ctx)).toHaveLength(1);
  await eraseAttributionsJob.run(ctx, { memberId: erased! });
  expect(await attributedRows(ctx)).toEqual([]);
});

test('while commerce is away orders wait, other workspaces do not, and nothing is attributed twice', async () => {
  const { id: memberId } = await enrolMember(ctx);
  const sourceId = await givenSentCampaign(ctx);
  await givenSourced(ctx, [{ memberId, sourceId }]);
  await givenOrder(ctx, memberId);
  await keepOrders(ctx);
  const other = newContext();
  const { id: otherMember } = await enrolMember(other);
  await givenSourced(other, [{ memberId: otherMember, sourceId: await givenSentCampaign(other) }]);
  await givenOrder(other, otherMember);
  await keepOrders(other);
  const { peers } = services;
  const away = {
    ...peers,
    ask: (asking: typeof ctx, ...rest: [never, never, never]) =>
      asking.scope.workspaceId === ctx.scope.workspaceId
        ? Promise.reject(new Error('away'))
        : peers.ask(asking, ...rest),
  };
  const isolated = workerOf({ ...ctx, services: { ...services, peers: away } } as never);
  await expect(attributeOrders(isolated)).rejects.toThrow('away');
  expect(await attributedRows(other)).toHaveLength(1);
  expect(await waiting()).toBe(1);
  services.clock.advance(HOUR_MS);
  await Promise.all([1, 2, 3].map(() => attributeOrders(workerOf(ctx))));
  await attributeAll(ctx);
  expect(await attributedRows(ctx)).toHaveLength(1);
  expect(await waiting()).toBe(0);
});

test('the orders of fifty members cost as many statements as one', async () => {
  const members = await enrolMembers(
    ctx,
    Array.from({ length: 50 }, (_, index) => `${index}@example.com`),
  );
  const sourceId = await givenSentCampaign(ctx);
  await givenSourced(
    ctx,
    members.map((memberId) => ({ memberId, sourceId })),
  );
  const statementsFor = async (buyers: readonly string[]) => {
    for (const memberId of buyers) await givenOrder(ctx, memberId);
    services.statements.length = 0;
    await attributeAll(ctx);
    return services.statements.length;
  };
  const ofOne = await statementsFor(members.slice(0, 1));
  expect(await statementsFor(members.slice(1))).toBe(ofOne);
  expect(await attributedRows(ctx)).toHaveLength(50);
});
