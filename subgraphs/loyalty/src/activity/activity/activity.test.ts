import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { DAY_MS } from '@loyalty/platform/clock';
import type { Context, Services } from '@loyalty/platform/context';
import { subscribeSubgraph } from '@loyalty/platform/graph/subgraph';
import { type EventType, event, publish } from '@loyalty/platform/outbox/events';
import { createServices } from '@loyalty/platform/services';
import { eventually } from '@loyalty/test/harness/eventually';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import type { ExecutionResult } from 'graphql';
import pg from 'pg';
import { z } from 'zod';
import { given } from '../../loyalty.given.ts';
import { updateMember } from '../../members/member-details/member-details.service.ts';
import {
  cancelErasure,
  eraseDueMembers,
  requestErasure,
  setMemberStatus,
} from '../../members/member-status/member-status.service.ts';
import { adjustPoints, awardPoints } from '../../points/points/points.service.ts';
import { loyalty } from '../../subgraph.ts';
import { activityKinds, notActivity } from './activity.service.ts';

const { services, beforeClose } = useServices();
/** As another process has them: the same database, connections of its own. */
let elsewhere: Services & { close(): Promise<void> };
beforeAll(async () => {
  const config = { ...services.config, DATABASE_URL: services.url };
  elsewhere = await createServices(config, 'elsewhere', { clock: services.clock });
});
beforeClose(() => elsewhere.close());

type Results = AsyncIterableIterator<ExecutionResult, undefined>;
let open: Results[] = [];
afterEach(async () => {
  await Promise.all(open.map((results) => results.return!()));
  open = [];
});

const document = `subscription ($memberId: ID!) { memberActivity(memberId: $memberId) {
  id kind occurredAt changedFields member { id status email pointsBalance }
  pointsTransaction { amount balanceAfter kind } tier { name } previousTier { name }
} }`;

/** Resolves when all events that this process published before have been delivered. */
async function quiet(): Promise<void> {
  const heard = Promise.withResolvers<string>();
  const stop = services.live.subscribe('quiet', heard.resolve);
  await services.live.publish('quiet', 'quiet');
  await heard.promise;
  stop();
}

async function watch(ctx: Context, memberId: string) {
  await quiet();
  services.clock.advance(1_000);
  const answer = await subscribeSubgraph(loyalty, { query: document, variables: { memberId } }, ctx);
  if (!('next' in answer)) throw Object.assign(new Error('refused'), answer.errors![0]!.extensions);
  open.push(answer);
  return {
    // biome-ignore lint/suspicious/noExplicitAny: tests read answers as a client would
    async next(): Promise<any> {
      const { value } = await answer.next();
      if (value?.errors) throw value.errors[0]!;
      return JSON.parse(JSON.stringify(value!.data!['memberActivity']));
    },
  };
}

const newContext = (from: Services = services, caller = callerOf()) => contextOf(from, caller);

describe('who watches a member', () => {
  test('hears of every kind of thing that happens to it, in order, as it is then', async () => {
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

  test('gets points and tiers as objects, the member masked, and when it happened', async () => {
    const ctx = newContext();
    await given.tiers(ctx, { Bronze: 0, Gold: 100 });
    const { id } = await given.member(ctx, { email: 'ada@example.com' });
    await awardPoints(ctx, id, { amount: 5 });
    const activity = await watch(ctx, id);
    await awardPoints(ctx, id, { amount: 95 });
    const member = { id, status: 'ACTIVE', email: 'a***@e***.com', pointsBalance: 100 };
    const occurredAt = services.clock.now().toISOString();
    const common = { id: expect.any(String), occurredAt, changedFields: [], member };
    expect([await activity.next(), await activity.next()]).toEqual([
      {
        ...common,
        kind: 'TIER_UPGRADED',
        pointsTransaction: null,
        tier: { name: 'Gold' },
        previousTier: { name: 'Bronze' },
      },
      {
        ...common,
        kind: 'POINTS_AWARDED',
        pointsTransaction: { amount: 95, balanceAfter: 100, kind: 'AWARD' },
        tier: null,
        previousTier: null,
      },
    ]);
    await updateMember(ctx, id, { locale: 'pt-PT', fullName: 'Ada' });
    expect((await activity.next()).changedFields.toSorted()).toEqual(['fullName', 'locale']);
  });

  test('hears what another process does, once it is committed and never what is rolled back', async () => {
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
    expect((await activity.next()).pointsTransaction).toMatchObject({ amount: 2, balanceAfter: 2 });
  });

  test('hears nothing of other members, nor of events that are no entry', async () => {
    const ctx = newContext();
    const [{ id }, other] = [await given.member(ctx), await given.member(ctx)];
    const activity = await watch(ctx, id);
    await awardPoints(ctx, other.id, { amount: 1 });
    const odd = event('test.odd', z.object({ memberId: z.uuid() }));
    await ctx.transaction((tx) => publish(tx, odd, { memberId: id }));
    await awardPoints(ctx, id, { amount: 2 });
    expect((await activity.next()).pointsTransaction.amount).toBe(2);
  });

  test('hears once what an interruption of the live events swallowed', async () => {
    const ctx = newContext();
    const { id } = await given.member(ctx);
    const activity = await watch(ctx, id);
    await awardPoints(ctx, id, { amount: 1 });
    expect((await activity.next()).pointsTransaction.amount).toBe(1);
    const gaps: unknown[] = [];
    const offGap = services.live.onGap(() => gaps.push(1));
    // Committed without a word: the message of this one is lost.
    const silent = { ...services, live: { ...services.live, publish: async () => {} } };
    await awardPoints(newContext(silent, ctx.caller), id, { amount: 2 });
    await cutLiveConnections();
    await eventually(() => expect(gaps).toHaveLength(1));
    offGap();
    expect((await activity.next()).pointsTransaction.amount).toBe(2);
    await awardPoints(ctx, id, { amount: 3 });
    expect((await activity.next()).pointsTransaction.amount).toBe(3);
  });
});

async function cutLiveConnections(): Promise<void> {
  const client = new pg.Client(services.url);
  await client.connect();
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'loyalty-live' AND datname = current_database()`,
  );
  await client.end();
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

test('every event of this subgraph that names a member has a kind', async () => {
  const here = import.meta.dirname;
  const directory = here.slice(0, here.lastIndexOf(`${sep}src${sep}`) + 4);
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const missing: string[] = [];
  let found = 0;
  for (const file of files.filter((path) => path.endsWith('.events.ts'))) {
    const words = (await import(join(directory, file))) as Record<string, EventType<unknown>>;
    for (const { type, schema } of Object.values(words)) {
      if (!Object.hasOwn((schema as z.ZodObject).shape, 'memberId') || notActivity.has(type)) continue;
      found += 1;
      if (!activityKinds.has(type)) missing.push(type);
    }
  }
  expect(missing).toEqual([]);
  expect(found).toBeGreaterThanOrEqual(10);
});
