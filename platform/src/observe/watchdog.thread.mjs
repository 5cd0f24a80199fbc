// JavaScript, because each process has this thread; reading TypeScript would need 10 MB more.
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

const CHECK_MS = 1_000;
const STDERR = 2;

/** @type {import('./watchdog.ts').WatchedLoop} */
const { turns, seconds } = workerData;
let seen = Atomics.load(turns, 0);
let missed = 0;

function check() {
  const now = Atomics.load(turns, 0);
  const isDebugged = Atomics.load(turns, 1) === 1;
  missed = now === seen && !isDebugged ? missed + 1 : 0;
  seen = now;
  if (missed >= seconds) end();
}

/** Writes in the same form as the log, directly, because the log needs the event loop. */
function end() {
  const msg = `the event loop has not turned for ${seconds} s: the process ends`;
  try {
    writeSync(STDERR, `${JSON.stringify({ level: 'fatal', time: new Date(), pid: process.pid, msg })}\n`);
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}

setInterval(check, CHECK_MS);
