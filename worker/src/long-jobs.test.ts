import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { event, publish } from '@loyalty/platform/work/events';
import { job } from '@loyalty/platform/work/jobs';
import { eventually } from '@loyalty/test/harness/eventually';
import { callerOf, contextOf, createTestServices, type TestServices } from '@loyalty/test/harness/services';
import { z } from 'zod';
import { priorityOf } from './queues.ts';
import { on } from './reactions.ts';
import type { Tables } from './tasks.ts';
import { startWorker, type Worker } from './worker.ts';

const payload = z.object({ number: z.int(), rows: z.int() });
const wanted = event('test.long_wanted', payload);
const otherWanted = event('test.other_long_wanted', payload);

/** Running jobs by workspace, and the results of jobs. */
let running: Map<string, number>;
let atOnceMax: number;
let inParallelMax: number;
let done: number[];
/** Gates by number of the job; a job ends when its gate opens. */
let gates: Map<number, { readonly opened: Promise<void>; open(): void }>;

function gate(number: number): void {
  const { promise, resolve } = Promise.withResolvers<void>();
  gates.set(number, { opened: promise, open: resolve });
}

const long = (name: string) =>
  job(
    name,
    payload,
    async (ctx, { number }) => {
      const { workspaceId } = ctx.scope;
      running.set(workspaceId, (running.get(workspaceId) ?? 0) + 1);
      atOnceMax = Math.max(atOnceMax, running.get(workspaceId)!);
      inParallelMax = Math.max(
        inParallelMax,
        [...running.values()].reduce((sum, count) => sum + count, 0),
      );
      await gates.get(number)?.opened;
      // A short wait in the database, so that jobs overlap if they can.
      await ctx.sql.query('SELECT pg_sleep(0.02)', []);
      running.set(workspaceId, running.get(workspaceId)! - 1);
      done.push(number);
    },
    { isLong: true, size: ({ rows }) => rows },
  );

const failures: { number: number; failure: string; workspaceId: string }[] = [];
const failing = job('test.failing', payload, async () => Promise.reject(new TypeError('secret detail')), {
  retryLimit: 1,
  isLong: true,
  onExhausted: async (ctx, { number }, failure) => {
    failures.push({ number, failure, workspaceId: ctx.scope.workspaceId });
  },
});
const failingShort = job('test.failing-short', payload, async () => Promise.reject(new Error('no')), {
  retryLimit: 0,
  onExhausted: async (ctx, { number }, failure) => {
    failures.push({ number, failure, workspaceId: ctx.scope.workspaceId });
  },
});
const failingWanted = event('test.failing_wanted', payload);
const failingShortWanted = event('test.failing_short_wanted', payload);

const [first, second] = [long('test.long'), long('test.other-long')];
const tables: Tables = {
  reactions: [
    on(wanted, first),
    on(otherWanted, second),
    on(failingWanted, failing),
    on(failingShortWanted, failingShort),
  ],
  schedule: [],
};

let services: TestServices;
let workers: Worker[];

beforeEach(async () => {
  [running, atOnceMax, inParallelMax, done, gates] = [new Map(), 0, 0, [], new Map()];
  services = await createTestServices();
  const connected = { ...services, config: { ...services.config, DATABASE_URL: services.url } };
  workers = await Promise.all([0, 1, 2].map(() => startWorker(connected, tables)));
});
afterEach(async () => {
  for (const { open } of gates.values()) open();
  for (const worker of workers) await worker.stop();
  await services.close();
});

async function want(
  caller: ReturnType<typeof callerOf>,
  number: number,
  rows: number,
  type = wanted,
): Promise<void> {
  await contextOf(services, caller).transaction((tx) => publish(tx, type, { number, rows }));
}

test('a workspace has one long job at a time, of whatever kind, mode and size, over three workers', async () => {
  const one = callerOf();
  const callers = [one, { ...one, mode: 'TEST' as const }, callerOf(), callerOf()];
  const ctx = contextOf(services, one);
  await ctx.transaction(async (tx) => {
    for (let number = 0; number < 60; number += 1) {
      const as = tx.as(callers[number % callers.length]!);
      await publish(as, number % 3 === 0 ? otherWanted : wanted, { number, rows: 10 ** (number % 7) });
    }
  });
  await eventually(() => expect(done).toHaveLength(60));
  expect(new Set(done).size).toBe(60);
  expect(atOnceMax).toBe(1);
  expect(inParallelMax).toBeGreaterThan(1);
});

test('a small job does not wait for large ones of other workspaces, however many run', async () => {
  for (let number = 0; number < 10; number += 1) {
    gate(number);
    await want(callerOf(), number, 100_000);
  }
  await eventually(() => expect([...running.values()].reduce((sum, count) => sum + count, 0)).toBe(6));
  await want(callerOf(), 100, 60);
  await eventually(() => expect(done).toEqual([100]));
});

test('of a workspace that waits for itself, the small job comes before the large one', async () => {
  const caller = callerOf();
  gate(0);
  await want(caller, 0, 10);
  await eventually(() => expect(running.get(caller.workspaceId!)).toBe(1));
  for (const [number, rows] of [
    [1, 9_000],
    [2, 50],
    [3, 900],
  ] as const)
    await want(caller, number, rows);
  await workers[0]!.relay();
  gates.get(0)!.open();
  await eventually(() => expect(done).toEqual([0, 2, 3, 1]));
});

test('smaller jobs have the higher priority, and one of unknown size counts as large', () => {
  expect([0, 60, 9_999, 10_000, 100_000, null].map(priorityOf)).toEqual([-1, -2, -4, -5, -6, -7]);
});

test('a job whose attempts are exhausted is given up once, with a reason without details', async () => {
  const caller = callerOf();
  failures.length = 0;
  await want(caller, 1, 1, failingWanted);
  await want(caller, 2, 1, failingShortWanted);
  await eventually(() => expect(failures).toHaveLength(2));
  const { workspaceId } = caller;
  expect(failures.sort((one, other) => one.number - other.number)).toEqual([
    { number: 1, workspaceId, failure: 'Given up after 2 attempts; the last one failed with TypeError.' },
    { number: 2, workspaceId, failure: 'Given up after 1 attempt; the last one failed with Error.' },
  ]);
});
