import { beforeAll, expect, test } from '@jest/globals';
import { event, publish } from '@loyalty/platform/work/events';
import { type Job, job } from '@loyalty/platform/work/jobs';
import { eventually } from '@loyalty/test/harness/eventually';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import { z } from 'zod';
import { on } from './reactions.ts';
import type { Tables } from './tasks.ts';
import { startWorker, type Worker } from './worker.ts';

const payload = z.object({ number: z.number() });
const counted = event('test.counted', payload);
const ran: { job: string; number: number; workspaceId: string | null }[] = [];
let failures = 0;

const note = job('test.note', payload, async (ctx, { number }) => {
  ran.push({ job: 'note', number, workspaceId: ctx.caller.workspaceId });
});
const second = job('test.second', payload, async (ctx, { number }) => {
  ran.push({ job: 'second', number, workspaceId: ctx.caller.workspaceId });
});
const flaky = job('test.flaky', payload, async (_, { number }) => {
  failures += 1;
  if (failures < 2) throw new Error('not yet');
  ran.push({ job: 'flaky', number, workspaceId: null });
});
const ticked: Date[] = [];
const tick: Job = job('test.tick', z.object({}), async (ctx) => {
  ticked.push(ctx.clock.now());
});

const flakyCounted = event('test.flaky_counted', payload);
const tables: Tables = {
  reactions: [on(counted, note, second), on(flakyCounted, flaky)],
  schedule: [{ job: tick, everyMs: 60_000 }],
};

const { services, newContext, beforeClose } = useServices();
let workers: Worker[];

beforeAll(async () => {
  const connected = { ...services, config: { ...services.config, DATABASE_URL: services.url } };
  workers = [await startWorker(connected, tables), await startWorker(connected, tables)];
});
beforeClose(async () => {
  for (const worker of workers) await worker.stop();
});

test('every event reaches each of its reactions once, with two workers relaying', async () => {
  const caller = callerOf();
  const ctx = contextOf(services, caller);
  for (let number = 0; number < 30; number += 1) {
    await ctx.transaction((tx) => publish(tx, counted, { number }));
  }
  await eventually(() => expect(ran.filter(({ job: name }) => name !== 'flaky')).toHaveLength(60));
  for (const name of ['note', 'second']) {
    const numbers = ran.filter((entry) => entry.job === name).map((entry) => entry.number);
    expect(new Set(numbers).size).toBe(30);
  }
  expect(new Set(ran.map(({ workspaceId }) => workspaceId))).toEqual(new Set([caller.workspaceId]));
});

test('an event of a transaction that is rolled back is never passed on', async () => {
  const ctx = newContext();
  const rolledBack = ctx.transaction(async (tx) => {
    await publish(tx, counted, { number: 666 });
    throw new Error('rolled back');
  });
  await expect(rolledBack).rejects.toThrow('rolled back');
  await workers[0]!.relay();
  const [left] = await services.database.sql.query<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM platform.outbox WHERE payload->>'number' = '666'`,
  );
  expect(left!.waiting).toBe(0);
  expect(ran.some(({ number }) => number === 666)).toBe(false);
});

test('a job that fails is tried again', async () => {
  const ctx = newContext();
  await ctx.transaction((tx) => publish(tx, flakyCounted, { number: 7 }));
  await eventually(() => expect(ran).toContainEqual({ job: 'flaky', number: 7, workspaceId: null }));
  expect(failures).toBe(2);
});

test('a schedule entry runs once per period, however many workers there are', async () => {
  await eventually(() => expect(ticked).toHaveLength(1));
  services.clock.advance(61_000);
  await eventually(() => expect(ticked).toHaveLength(2));
});
