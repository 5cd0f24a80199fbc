import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { WatchedLoop } from './watchdog.ts';

const CHECK_MS = 1_000;
const STDERR = 2;

const { turns, seconds } = workerData as WatchedLoop;
let seen = Atomics.load(turns, 0);
let missed = 0;

function check(): void {
  const now = Atomics.load(turns, 0);
  const isDebugged = Atomics.load(turns, 1) === 1;
  missed = now === seen && !isDebugged ? missed + 1 : 0;
  seen = now;
  if (missed >= seconds) end();
}

/** The log belongs to the event loop; so this writes by itself, in the same form. */
function end(): void {
  const msg = `the event loop has not turned for ${seconds} s: the process ends`;
  try {
    writeSync(STDERR, `${JSON.stringify({ level: 60, time: Date.now(), pid: process.pid, msg })}\n`);
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}

setInterval(check, CHECK_MS);
