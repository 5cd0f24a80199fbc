import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createOrder } from '@loyalty/commerce-subgraph/orders/orders.service';
import { refundOrder } from '@loyalty/commerce-subgraph/orders/refunds.service';
import { engagement } from '@loyalty/engagement-subgraph/subgraph';
import { given } from '@loyalty/loyalty-subgraph/loyalty.fixture';
import { updateMember } from '@loyalty/loyalty-subgraph/member-details/member-details.service';
import {
  cancelErasure,
  eraseDueMembers,
  requestErasure,
  setMemberStatus,
} from '@loyalty/loyalty-subgraph/member-status/member-status.service';
import { adjustPoints, awardPoints } from '@loyalty/loyalty-subgraph/points/points.service';
import { DAY_MS } from '@loyalty/platform/base/clock';
import type { Context, Services } from '@loyalty/platform/context';
import { subscribeSubgraph } from '@loyalty/platform/graph/subgraph';
import { createServices } from '@loyalty/platform/services';
import { event, publish } from '@loyalty/platform/work/events';
import type { ExecutionResult } from 'graphql';
import pg from 'pg';
import { z } from 'zod';
import { eventually } from '../harness/eventually.ts';
import { callerOf, contextOf, useServices } from '../harness/services.ts';

const { services, beforeClose } = useServices();
/** The services of a second process: the same database over its own connections. */
let elsewhere: Services & { close(): Promise<void> };
beforeAll(async () => {
  const config = { ...services.config, DATABASE_URL: services.url };
  const { clock, peers } = services;
  elsewhere = await createServices(config, 'elsewhere', { clock, peers });
});
beforeClose(() => elsewhere.close());

type Results = AsyncIterableIterator<ExecutionResult, undefined>;
let open: Results[] = [];
afterEach(async () => {
  await Promise.all(open.map((results) => results.return!()));
  open = [];
});

const ENTRY = `id kind occurredAt changedFields points leftOut member { id } order { id }
  pointsTransaction { id } tier { id } previousTier { id } store { id }`;
const ofMember = `subscription ($memberId: ID!) { entry: memberActivity(memberId: $memberId) { ${ENTRY} } }`;
const ofWorkspace = `subscription ($kinds: [ActivityKind!]) { entry: workspaceActivity(kinds: $kinds) { ${ENTRY} } }`;

/** Resolves when all events that this process published before have been delivered. */
async function eventsDelivered(): Promise<void> {
  const heard = Promise.withResolvers<string>();
  const stop = services.live.subscribe('quiet', heard.resolve);
  await services.live.publish('quiet', 'quiet');
  await heard.promise;
  stop();
}

async function subscribe(ctx: Context, query: string, variables: Record<string, unknown>) {
  await eventsDelivered();
  services.clock.advance(1_000);
  const answer = await subscribeSubgraph(engagement, { query, variables }, ctx);
  if (!('next' in answer)) throw Object.assign(new Error('refused'), answer.errors![0]!.extensions);
  open.push(answer);
  return {
    // biome-ignore lint/suspicious/noExplicitAny: tests read answers as a client would
    async next(): Promise<any> {
      const { value } = await answer.next();
      if (value?.errors) throw value.errors[0]!;
      return JSON.parse(JSON.stringify(value!.data!['entry']));
    },
  };
}

const watch = (ctx: Context, memberId: string) => subscribe(ctx, ofMember, { memberId });
const watchAll = (ctx: Context, kinds: readonly string[] | null = null) =>
  subscribe(ctx, ofWorkspace, { kinds });

const newContext = (from: Services = services, caller = callerOf()) => contextOf(from, caller);

describe('a watcher of a member', () => {
  test('gets every kind of activity of the member, in order, with the data of that moment', async () => {
    const ctx = newContext();
    await given.tiers(ctx, { Bronze: 0, Silver: 40 });
    const { id } = await given.member(ctx, { fullName: 'Ada Lovelace' });
    const activity = await watch(ctx, id);
    const kinds: unknown[] = [];
    const read = async (count: number) => {
      for (let n = 0; n < count; n += 1) kinds.push((await activity.next()).kind);
    };
    await updateMember(ctx, id, { locale: 'pt-PT' });
    await awardPoints(ctx, id, { amount: 40 });
    await adjustPoints(ctx, id, -10, 'Counted twice');
    await setMemberStatus(ctx, id, 'INACTIVE');
    await setMemberStatus(ctx, id, 'ACTIVE');
    await requestErasure(ctx, id);
    await cancelErasure(ctx, id);
    await requestErasure(ctx, id);
    await read(9);
    services.clock.advance(31 * DAY_MS);
    await eraseDueMembers(ctx);
    await read(1);
    expect(kinds).toEqual([
      'MEMBER_UPDATED',
      'TIER_UPGRADED',
      'POINTS_AWARDED',
      'POINTS_ADJUSTED',
      'MEMBER_INACTIVE',
      'MEMBER_UPDATED',
      'ERASURE_REQUESTED',
      'ERASURE_CANCELLED',
      'ERASURE_REQUESTED',
      'MEMBER_ERASED',
    ]);
  });

  test('gets points, tiers and orders by reference, and the time of the activity', async () => {
    const ctx = newContext();
    const tiers = await given.tiers(ctx, { Bronze: 0, Gold: 100 });
    const { id } = await given.member(ctx, { email: 'ada@example.com' });
    await awardPoints(ctx, id, { amount: 5 });
    const activity = await watch(ctx, id);
    const transaction = await awardPoints(ctx, id, { amount: 95 });
    const occurredAt = services.clock.now().toISOString();
    const none = { pointsTransaction: null, points: null, tier: null, previousTier: null, order: null };
    const common = { id: expect.any(String), occurredAt, member: { id }, store: null, ...none };
    const entry = (more: object) => ({ ...common, changedFields: [], leftOut: 0, ...more });
    expect([await activity.next(), await activity.next()]).toEqual([
      entry({ kind: 'TIER_UPGRADED', tier: { id: tiers['Gold'] }, previousTier: { id: tiers['Bronze'] } }),
      entry({ kind: 'POINTS_AWARDED', points: 95, pointsTransaction: { id: transaction.id } }),
    ]);
    await updateMember(ctx, id, { locale: 'pt-PT', fullName: 'Ada' });
    expect((await activity.next()).changedFields.toSorted()).toEqual(['fullName', 'locale']);
    const order = await createOrder(ctx, saleTo(id));
    expect(await activity.next()).toEqual(
      entry({ kind: 'ORDER_CREATED', points: 0, order: { id: order.id } }),
    );
    await refundOrder(ctx, 'a1', {});
    expect(await activity.next()).toMatchObject({ kind: 'ORDER_REFUNDED', order: { id: order.id } });
  });

  test('gets an activity of another process when it is committed, and never one that is rolled back', async () => {
    const caller = callerOf();
    const ctx = newContext(services, caller);
    const { id } = await given.member(ctx);
    const activity = await watch(ctx, id);
    const there = newContext(elsewhere, caller);
    const failing = there.transaction(async (tx) => {
      await awardPoints(tx, id, { amount: 1 });
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    await awardPoints(there, id, { amount: 2 });
    expect((await activity.next()).points).toBe(2);
  });

  test('gets nothing about other members, and no event that is not an activity', async () => {
    const ctx = newContext();
    const [{ id }, other] = [await given.member(ctx), await given.member(ctx)];
    const activity = await watch(ctx, id);
    await awardPoints(ctx, other.id, { amount: 1 });
    const odd = event('test.odd', z.object({ memberId: z.uuid() }));
    await ctx.transaction((tx) => publish(tx, odd, { memberId: id }));
    await awardPoints(ctx, id, { amount: 2 });
    expect((await activity.next()).points).toBe(2);
  });

  test('gets an activity that was missed during an interruption once', async () => {
    const ctx = newContext();
    const { id } = await given.member(ctx);
    const activity = await watch(ctx, id);
    await awardPoints(ctx, id, { amount: 1 });
    expect((await activity.next()).points).toBe(1);
    // The event is committed, but its live message is lost.
    const silent = { ...services, live: { ...services.live, publish: async () => {} } };
    await awardPoints(newContext(silent, ctx.caller), id, { amount: 2 });
    await interrupt();
    expect((await activity.next()).points).toBe(2);
    await awardPoints(ctx, id, { amount: 3 });
    expect((await activity.next()).points).toBe(3);
  });
});

/** Ends the connection that carries live events, and waits until it is restored. */
async function interrupt(): Promise<void> {
  const gaps: unknown[] = [];
  const offGap = services.live.onGap(() => gaps.push(1));
  const client = new pg.Client(services.url);
  await client.connect();
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'loyalty-live' AND datname = current_database()`,
  );
  await client.end();
  await eventually(() => expect(gaps).toHaveLength(1));
  offGap();
}

describe('a member cannot be watched', () => {
  test.each([
    ['by another workspace', {}, 'MEMBER_NOT_FOUND'],
    ['in the other mode', { mode: 'TEST' }, 'MEMBER_NOT_FOUND'],
    ['without the scope', { kind: 'KEY', scopes: ['points:write'] }, 'SCOPE_MISSING'],
    ['by a member', { kind: 'MEMBER' }, 'CALLER_REFUSED'],
  ] as const)('%s', async (how, change, reason) => {
    const ctx = newContext();
    const { id } = await given.member(ctx);
    const caller = how === 'by another workspace' ? callerOf() : { ...ctx.caller, ...change };
    await expect(watch(newContext(services, caller), id)).rejects.toMatchObject({ reason });
  });
});

describe('a watcher of the workspace', () => {
  test('gets the activities of all members and guests, and nothing of another workspace or mode', async () => {
    const ctx = newContext();
    const all = await watchAll(ctx);
    const sandbox = newContext(services, callerOf({ ...ctx.caller, mode: 'TEST' }));
    for (const other of [sandbox, newContext()]) await given.member(other);
    const [ada, bo] = [await given.member(ctx), await given.member(ctx)];
    const guest = await createOrder(ctx, saleTo(null));
    const heard = [await all.next(), await all.next(), await all.next()];
    expect(heard).toMatchObject([
      { kind: 'MEMBER_CREATED', member: { id: ada.id } },
      { kind: 'MEMBER_CREATED', member: { id: bo.id } },
      { kind: 'ORDER_CREATED', member: null, order: { id: guest.id } },
    ]);
  });

  test('gets only the kinds that it asked for', async () => {
    const ctx = newContext();
    const awards = await watchAll(ctx, ['POINTS_AWARDED']);
    const { id } = await given.member(ctx);
    await createOrder(ctx, saleTo(id));
    await awardPoints(ctx, id, { amount: 7 });
    expect(await awards.next()).toMatchObject({ kind: 'POINTS_AWARDED', points: 7, leftOut: 0 });
  });

  test('is protected from floods: of each second 100 events are examined and the others are counted', async () => {
    const ctx = newContext();
    const { id } = await given.member(ctx);
    const all = await watchAll(ctx, ['STORE_VISITED', 'MEMBER_UPDATED']);
    const odd = event('test.odd', z.object({}));
    await ctx.transaction(async (tx) => {
      for (let each = 0; each < 99; each += 1) await publish(tx, odd, {});
    });
    await updateMember(ctx, id, { locale: 'pt-PT' });
    await updateMember(ctx, id, { locale: 'en-GB' });
    await updateMember(ctx, id, { locale: 'fr-FR' });
    await eventsDelivered();
    services.clock.advance(1_000);
    await updateMember(ctx, id, { locale: 'de-DE' });
    const heard = [await all.next(), await all.next()];
    expect(heard[0].leftOut + heard[1].leftOut).toBe(2);
  });

  test('gets an activity that was missed during an interruption once', async () => {
    const ctx = newContext();
    const { id } = await given.member(ctx);
    const all = await watchAll(ctx);
    const silent = { ...services, live: { ...services.live, publish: async () => {} } };
    await awardPoints(newContext(silent, ctx.caller), id, { amount: 2 });
    await interrupt();
    expect((await all.next()).points).toBe(2);
    await awardPoints(ctx, id, { amount: 3 });
    expect((await all.next()).points).toBe(3);
  });

  test('needs the scope', async () => {
    const key = callerOf({ kind: 'KEY', role: null, scopes: ['points:write'] });
    await expect(watchAll(newContext(services, key))).rejects.toMatchObject({ reason: 'SCOPE_MISSING' });
  });
});

let sales = 0;

function saleTo(memberId: string | null) {
  sales += 1;
  return {
    externalOrderId: `a${sales}`,
    memberId,
    occurredAt: services.clock.now(),
    currency: 'EUR',
    total: 10_000n,
  };
}
