import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const fixture = fileURLToPath(new URL('./watchdog.fixture.ts', import.meta.url));

/** Starts a watched process that blocks its event loop for each of the times, in ms. */
function watched(seconds: number, ...blocks: readonly number[]) {
  const child = spawn(process.execPath, [fixture, ...[seconds, ...blocks].map(String)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { child, closed: once(child, 'close'), log: text(child.stderr) };
}

test('a process whose event loop hangs ends, so that SIGTERM is not in vain, and says why', async () => {
  const { child, closed, log } = watched(2, 600_000);
  await once(child.stdout, 'data');
  // The process has a handler, but a blocked event loop never calls it.
  child.kill('SIGTERM');
  await closed;
  expect(child.signalCode).toBe('SIGKILL');
  expect(JSON.parse(await log)).toMatchObject({
    level: 'fatal',
    msg: 'the event loop has not turned for 2 s: the process ends',
  });
});

test('a process that holds its event loop for shorter times goes on, and is not kept alive', async () => {
  const { child, closed, log } = watched(5, 2_000, 2_000, 2_000);
  child.stdout.resume();
  expect(await closed).toEqual([0, null]);
  expect(await log).toBe('');
});
