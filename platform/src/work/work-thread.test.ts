import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import type { FixtureJob, FixtureResult } from './work-thread.fixture.ts';
import { createWorkThread } from './work-thread.ts';

const MODULE = new URL('./work-thread.fixture.ts', import.meta.url);
const open = (idleMs?: number) =>
  createWorkThread<FixtureJob, FixtureResult>(MODULE, { memoryMb: 64, ...(idleMs && { idleMs }) });
const short = { kind: 'work', ms: 5 } as const;
const endless = { kind: 'work', ms: 3_600_000 } as const;

test('jobs are done one after the other, and others of the process have their turns meanwhile', async () => {
  const thread = open();
  await thread.run(short);
  let turns = 0;
  const turn = setInterval(() => (turns += 1), 5);
  const results = await Promise.all([200, 5, 50].map((ms) => thread.run({ kind: 'work', ms })));
  clearInterval(turn);
  // The event loop also turns while a job runs.
  expect(turns).toBeGreaterThan(3);
  expect(new Set(results.map((result) => result.thread)).size).toBe(1);
  for (const [at, { began }] of results.entries())
    expect(began).toBeGreaterThanOrEqual(results[at - 1]?.ended ?? 0);
});

test('what the module throws fails its job only', async () => {
  const thread = open();
  const failed = thread.run({ kind: 'fail', message: 'too long' });
  const next = thread.run(short);
  await expect(failed).rejects.toMatchObject({ name: 'RangeError', message: 'too long' });
  expect(await next).toMatchObject({ thread: expect.any(Number) });
});

test('a job that is given up fails with the reason, and those that wait are done', async () => {
  const thread = open();
  const before = await thread.run(short);
  const [running, waiting] = [new AbortController(), new AbortController()];
  const jobs = [thread.run(endless, running.signal), thread.run(endless, waiting.signal), thread.run(short)];
  waiting.abort(new Error('no longer wanted'));
  await delay(50);
  running.abort(new Error('too slow'));
  const [first, second, third] = await Promise.allSettled(jobs);
  expect(first).toMatchObject({ status: 'rejected', reason: { message: 'too slow' } });
  expect(second).toMatchObject({ status: 'rejected', reason: { message: 'no longer wanted' } });
  expect(third).toMatchObject({ status: 'fulfilled' });
  expect(third).not.toMatchObject({ value: { thread: before.thread } });
});

test('a job that needs too much memory fails, and so does no other', async () => {
  const thread = open();
  const jobs = [thread.run({ kind: 'fill memory' }), thread.run(short)];
  const [filled, next] = await Promise.allSettled(jobs);
  expect(filled).toMatchObject({ status: 'rejected', reason: { code: 'ERR_WORKER_OUT_OF_MEMORY' } });
  expect(next).toMatchObject({ status: 'fulfilled' });
});

test('a thread without jobs ends, and the next job starts one', async () => {
  const thread = open(50);
  const { thread: ended } = await thread.run(short);
  await delay(500);
  expect((await thread.run(short)).thread).not.toBe(ended);
});

test('an idle thread does not keep its process', async () => {
  const script = `
    import { createWorkThread } from ${JSON.stringify(new URL('./work-thread.ts', import.meta.url).href)};
    const thread = createWorkThread(new URL(${JSON.stringify(MODULE.href)}), { memoryMb: 64 });
    await thread.run({ kind: 'work', ms: 1 });
    console.log('done');`;
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  const args = ['--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, timeout: 30_000 });
  expect(stdout).toBe('done\n');
});
