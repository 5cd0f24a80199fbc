// A Redis for tests.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { provide } from './programs.mjs';

const START_MS = 10_000;

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const answers = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });

/** Returns the server at REDIS_URL, or starts one without persistence that runs until `stop`. */
export async function provideRedis() {
  if (process.env.REDIS_URL) return { url: process.env.REDIS_URL, stop: () => {} };
  provide(
    'redis-server',
    ['redis-server'],
    'These tests need Redis: put redis-server on the PATH, or set REDIS_URL to one that runs.',
  );
  const port = await freePort();
  const directory = mkdtempSync(join(tmpdir(), 'loyalty-redis-'));
  const options = [
    '--bind',
    '127.0.0.1',
    '--port',
    `${port}`,
    '--dir',
    directory,
    '--save',
    '',
    '--appendonly',
    'no',
  ];
  const server = spawn('redis-server', options, { stdio: 'ignore' });
  const stop = () => {
    server.kill('SIGTERM');
    rmSync(directory, { recursive: true, force: true });
  };
  const deadline = Date.now() + START_MS;
  while (!(await answers(port))) {
    if (server.exitCode !== null || Date.now() > deadline) {
      stop();
      console.error(
        'redis-server did not start: run it by hand to see why, or set REDIS_URL to one that runs.',
      );
      process.exit(1);
    }
    await delay(50);
  }
  return { url: `redis://127.0.0.1:${port}`, stop };
}
