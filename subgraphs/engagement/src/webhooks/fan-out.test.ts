import { expect, test } from '@jest/globals';
import { addMs } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { useServices } from '@loyalty/test/harness/services';
import { keepEvents, makeDeliveries } from './fan-out.service.ts';
import { claimEvents, dropEvent, postponeEvents } from './fan-out.store.ts';
import { deliveriesOf, eventOf, fanOut, givenReceiver, workerContext } from './webhooks.fixture.ts';

const { services, ctx, newContext } = useServices();

const URL = 'https://hooks.example.org/';
const memberCreated = (context = ctx) =>
  eventOf(context, 'member.created', { memberId: newId(services.clock) });
const keptEvents = () =>
  ctx.sql.query<{ id: string; sequence: bigint | null; tier: string | null; dueAt: Date | null }>(
    `SELECT id, sequence, tier, due_at FROM engagement.webhook_events
      WHERE workspace_id = $1 ORDER BY created_at, id`,
    [ctx.scope.workspaceId],
  );

test('an event becomes one delivery for each active endpoint of its workspace and mode that subscribes', async () => {
  const one = await givenReceiver(ctx, URL, ['member.created', 'order.created']);
  const two = await givenReceiver(ctx, URL, ['member.created']);
  await givenReceiver(ctx, URL, ['order.created']);
  const paused = await givenReceiver(ctx, URL, ['member.created']);
  await ctx.sql.query(`UPDATE engagement.webhook_endpoints SET status = 'PAUSED' WHERE id = $1`, [paused.id]);
  const testing = newContext({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' });
  await givenReceiver(testing, URL, ['member.created']);
  const other = newContext();
  await givenReceiver(other, URL, ['member.created']);
  const event = memberCreated();
  await fanOut(services, event);
  const made = await deliveriesOf(ctx);
  expect(made.map(({ endpointId }) => endpointId).toSorted()).toEqual([one.id, two.id].toSorted());
  expect(made).toMatchObject(
    Array(2).fill({ eventId: event.id, status: 'PENDING', attempts: 0, dueAt: services.clock.now() }),
  );
  expect([...(await deliveriesOf(testing)), ...(await deliveriesOf(other))]).toEqual([]);
});

test('an event that nobody subscribes to leaves nothing', async () => {
  await givenReceiver(ctx, URL, ['order.created']);
  await fanOut(services, memberCreated());
  expect(await keptEvents()).toEqual([]);
});

test('events are numbered in their order, without a gap, also by several workers at once', async () => {
  await givenReceiver(ctx, URL, ['member.created']);
  const events = Array.from({ length: 450 }, () => memberCreated());
  const worker = workerContext(services);
  await worker.transaction((tx) => keepEvents(tx, events));
  await Promise.all([1, 2, 3, 4].map(() => makeDeliveries(worker)));
  const kept = await keptEvents();
  expect(kept.map(({ sequence }) => Number(sequence)).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 450 }, (_, place) => place + 1),
  );
  expect(new Set((await deliveriesOf(ctx)).map(({ eventId }) => eventId)).size).toBe(450);
});

test('an event that is handed over twice, or whose worker was too slow, has each delivery once', async () => {
  await givenReceiver(ctx, URL, ['member.created']);
  const event = memberCreated();
  await fanOut(services, event);
  await fanOut(services, event);
  await ctx.sql.query(`UPDATE engagement.webhook_events SET due_at = $2, leased_until = NULL WHERE id = $1`, [
    event.id,
    services.clock.now(),
  ]);
  await makeDeliveries(workerContext(services));
  expect(await deliveriesOf(ctx)).toHaveLength(1);
});

test('a claim writes no index: the new versions of its rows stay in their pages', async () => {
  await givenReceiver(ctx, URL, ['member.created']);
  const worker = workerContext(services);
  await worker.transaction((tx) =>
    keepEvents(
      tx,
      Array.from({ length: 50 }, () => memberCreated()),
    ),
  );
  await worker.transaction(async (tx) => {
    const updates = async () => {
      const [counted] = await tx.sql.query<{ rows: number; inPage: number }>(
        `SELECT n_tup_upd::int AS rows, n_tup_hot_upd::int AS in_page FROM pg_stat_xact_user_tables
          WHERE relid = 'engagement.webhook_events'::regclass`,
      );
      return counted!;
    };
    const before = await updates();
    expect(await claimEvents(tx, 50, addMs(services.clock.now(), 60_000))).toHaveLength(50);
    const after = await updates();
    expect([after.rows - before.rows, after.inPage - before.inPage]).toEqual([50, 50]);
    await tx.sql.query('UPDATE engagement.webhook_events SET leased_until = NULL, claims = 0', []);
  });
});

test('an event that one worker has taken is taken by no other until its lease ends', async () => {
  await givenReceiver(ctx, URL, ['member.created']);
  const worker = workerContext(services);
  const event = memberCreated();
  // Makes the deliveries of events that other tests left.
  await fanOut(services);
  await worker.transaction((tx) => keepEvents(tx, [event]));
  const isTaken = async () => {
    const claimed = await claimEvents(worker, 200, addMs(services.clock.now(), 60_000));
    return claimed.some(({ id }) => id === event.id);
  };
  expect([await isTaken(), await isTaken()]).toEqual([true, false]);
  services.clock.advance(59_999);
  expect(await isTaken()).toBe(false);
  services.clock.advance(1);
  expect(await isTaken()).toBe(true);
  await dropEvent(ctx, event.id);
});

test('what a worker leaves undone is done by another after a minute', async () => {
  await givenReceiver(ctx, URL, ['loyalty.points_awarded', 'member.created']);
  const awarded = { memberId: newId(services.clock), transactionId: newId(services.clock), amount: 5 };
  const worker = workerContext(services);
  const events = [eventOf(ctx, 'loyalty.points_awarded', awarded), memberCreated()];
  await worker.transaction((tx) => keepEvents(tx, events));
  const away = { ...services, peers: { ...services.peers, ask: () => Promise.reject(new Error('away')) } };
  const other = newContext();
  await givenReceiver(other, URL, ['member.created']);
  await worker.transaction((tx) => keepEvents(tx, [memberCreated(other)]));
  await expect(makeDeliveries(workerContext(away))).rejects.toThrow('away');
  // Another workspace is not delayed.
  expect(await deliveriesOf(other)).toHaveLength(1);
  await makeDeliveries(worker);
  expect(await deliveriesOf(ctx)).toEqual([]);
  services.clock.advance(60_000);
  await makeDeliveries(worker);
  expect(await deliveriesOf(ctx)).toHaveLength(2);
});

test('an event whose deliveries another worker has made meanwhile is not postponed', async () => {
  await givenReceiver(ctx, URL, ['member.created']);
  const events = [memberCreated(), memberCreated()];
  const worker = workerContext(services);
  await fanOut(services, events[0]!);
  await worker.transaction((tx) => keepEvents(tx, events));
  const later = addMs(services.clock.now(), 60_000);
  await postponeEvents(
    ctx,
    events.map(({ id }) => id),
    later,
  );
  const dueAt = new Map((await keptEvents()).map((event) => [event.id, event.dueAt]));
  expect(events.map(({ id }) => dueAt.get(id))).toEqual([null, later]);
});

test('events whose deliveries failed are behind those that came later', async () => {
  await givenReceiver(ctx, URL, ['loyalty.points_awarded']);
  const awarded = { memberId: newId(services.clock), transactionId: newId(services.clock), amount: 5 };
  const worker = workerContext(services);
  await worker.transaction((tx) => keepEvents(tx, [eventOf(ctx, 'loyalty.points_awarded', awarded)]));
  const away = { ...services, peers: { ...services.peers, ask: () => Promise.reject(new Error('away')) } };
  await expect(makeDeliveries(workerContext(away))).rejects.toThrow('away');
  services.clock.advance(1_000);
  const other = newContext();
  await givenReceiver(other, URL, ['member.created']);
  const later = memberCreated(other);
  await worker.transaction((tx) => keepEvents(tx, [later]));
  services.clock.advance(60_000);
  expect(await claimEvents(worker, 1, services.clock.now())).toMatchObject([{ id: later.id }]);
  await makeDeliveries(worker);
  expect(await deliveriesOf(ctx)).toHaveLength(1);
});

test('the deliveries of fifty events cost as many statements as those of one', async () => {
  await givenReceiver(ctx, URL, ['member.created']);
  const worker = workerContext(services);
  const statementsFor = async (count: number) => {
    const events = Array.from({ length: count }, () => memberCreated());
    services.statements.length = 0;
    await worker.transaction((tx) => keepEvents(tx, events));
    await makeDeliveries(worker);
    return services.statements.length;
  };
  expect(await statementsFor(50)).toBe(await statementsFor(1));
});
