// Runs the tests that need Redis, `*.redis.test.ts`: against REDIS_URL, or against a server that lives as
// long as they do. The arguments are the command that runs Jest, and further arguments for Jest.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const [command, ...args] = process.argv.slice(2);
const START_MS = 10_000;

const has = (program) => !spawnSync(program, ['--version'], { stdio: 'ignore' }).error;

/** Sees to it that there is a redis-server. */
function provideRedis() {
  if (has('redis-server')) return;
  const isRoot = process.getuid?.() === 0;
  if (isRoot && has('apt-get')) {
    console.log('Installing redis-server …');
    const options = {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    };
    spawnSync('apt-get', ['update', '-qq'], options);
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'redis-server'], options);
    if (has('redis-server')) return;
  }
  console.error(
    'The Redis tests need a server: put redis-server on the PATH, or set REDIS_URL to one that runs.',
  );
  process.exit(1);
}

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

/** A server with nothing to remember. */
async function startRedis() {
  provideRedis();
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

const redis = process.env.REDIS_URL ? { url: process.env.REDIS_URL, stop: () => {} } : await startRedis();
const select = ['--testMatch=**/*.redis.test.ts', '--testPathIgnorePatterns=/node_modules/', '--runInBand'];
const env = { ...process.env, REDIS_URL: redis.url };
const tests = spawn(command, [...args, ...select], { stdio: 'inherit', env });
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => tests.kill(signal));
tests.on('close', (code) => {
  redis.stop();
  process.exit(code ?? 1);
});
