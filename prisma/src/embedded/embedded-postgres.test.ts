import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import {
  children,
  cleanUp,
  here,
  killAndWait,
  leftovers,
  newDir,
  postmasterPid,
  query,
  servers,
  start,
  startElsewhere,
} from './embedded-postgres.fixture.ts';
import { EmbeddedPostgresError } from './postgres-error.ts';
import { processIdentity, waitForEnd } from './postgres-process.ts';
import { isRoot } from './postgres-user.ts';

afterAll(cleanUp);

describe('an embedded database', () => {
  const dir = newDir();

  test('is UTF-8, in UTC, on 127.0.0.1 only, and behind a password that nobody else can read', async () => {
    const server = await start(dir);
    const settings = `SELECT current_database() AS name,
      getdatabaseencoding() AS encoding, lower('É') AS lower,
      current_setting('TimeZone') AS zone, current_setting('listen_addresses') AS address,
      current_setting('unix_socket_directories') AS sockets,
      current_setting('max_connections') AS connections`;
    expect(await query(server.url, settings)).toEqual([
      {
        name: 'loyalty',
        encoding: 'UTF8',
        lower: 'é',
        zone: 'UTC',
        address: '127.0.0.1',
        sockets: '',
        connections: '200',
      },
    ]);
    const wrong = server.url.replace(/:[0-9a-f]{48}@/, ':wrong@');
    await expect(query(wrong, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    expect(statSync(join(dir, 'password')).mode & 0o777).toBe(0o600);
    await query(server.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  });

  test('refuses a second start by the same process while it runs', async () => {
    await expect(start(dir)).rejects.toThrow(/in use by process \d+; stop that process/);
  });

  test('keeps its data over a stop and a start, and stops twice without harm', async () => {
    const [server] = servers;
    await Promise.all([server?.stop(), server?.stop()]);
    expect(leftovers(dir)).toEqual([]);
    const again = await start(dir);
    expect(await query(again.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    await again.stop();
  });

  test('takes another port when the wanted one is in use', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const address = blocker.address();
    const wanted = typeof address === 'object' && address !== null ? address.port : 0;
    const server = await start(dir, { port: wanted });
    expect(server.port).not.toBe(wanted);
    await server.stop();
    blocker.close();
    await once(blocker, 'close');
    const free = await start(dir, { port: wanted });
    expect(free.port).toBe(wanted);
    await free.stop();
  });

  test('starts although the pid in its old lock file now belongs to another program', async () => {
    const lockFile = join(dir, 'cluster', 'postmaster.pid');
    const { uid, gid } = statSync(join(dir, 'cluster'));
    const other = spawn('sleep', ['60'], isRoot() ? { uid, gid } : {});
    children.push(other);
    writeFileSync(
      lockFile,
      `${other.pid}\n${join(dir, 'cluster')}\n1700000000\n5432\n\n127.0.0.1\n\nready\n`,
    );
    chownSync(lockFile, uid, gid);
    const server = await start(dir);
    expect(await query(server.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    expect(other.exitCode).toBeNull();
    await server.stop();
  });

  test('says what to do with the data of another major version', async () => {
    const versionFile = join(dir, 'cluster', 'PG_VERSION');
    const version = readFileSync(versionFile, 'utf8');
    writeFileSync(versionFile, '12\n');
    const failure = start(dir);
    await expect(failure).rejects.toBeInstanceOf(EmbeddedPostgresError);
    await expect(failure).rejects.toThrow(/made by PostgreSQL 12 .* brings PostgreSQL 18; dump it/);
    writeFileSync(versionFile, version);
    expect(leftovers(dir)).toEqual([]);
  });
});

describe('processes that die or get a signal to stop', () => {
  test('a live process keeps the database; once it is killed, the next start takes over', async () => {
    const dir = newDir();
    const { child, said } = startElsewhere(dir);
    const url = await said(/^ready /);
    await expect(start(dir)).rejects.toThrow(`in use by process ${child.pid}; stop that process`);
    await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const orphan = postmasterPid(dir) ?? 0;
    await killAndWait(child);
    expect(processIdentity(orphan)).not.toBeNull();
    const server = await start(dir);
    expect(processIdentity(orphan)).toBeNull();
    expect(await query(server.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    process.kill(postmasterPid(dir) ?? 0, 'SIGKILL'); // then the server itself is killed
    await server.stop();
    const again = await start(dir);
    expect(await query(again.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    await again.stop();
  });

  test('a process that ends by process.exit takes its database with it', async () => {
    const dir = newDir();
    const code = `
      const { startEmbeddedPostgres } = await import(${JSON.stringify(`${here}/embedded-postgres.ts`)});
      await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dir)}, fsync: false });
      process.exit(3);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' });
    children.push(child);
    await once(child, 'exit');
    const pid = postmasterPid(dir);
    expect(pid === null || (await waitForEnd(pid, 60_000))).toBe(true);
  });

  /** Returns the files at any depth that exist. */
  const filesIn = (dir: string): string[] => {
    try {
      return readdirSync(dir, { recursive: true, encoding: 'utf8' });
    } catch {
      return [];
    }
  };

  test('a start killed while it makes the database leaves nothing in the way of the next', async () => {
    const dir = newDir();
    const { child, said } = startElsewhere(dir);
    await said(/^begin/);
    while (!filesIn(dir).some((name) => /^draft-cluster.*global.pg_control$/.test(name))) await delay(5);
    await killAndWait(child);
    expect(existsSync(join(dir, 'cluster'))).toBe(false);
    const server = await start(dir);
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await server.stop();
  });

  test.each([
    [
      'makes the database',
      (dir: string) => readdirSync(dir).some((name) => name.startsWith('draft-cluster')),
    ],
    ['starts the server', (dir: string) => postmasterPid(dir) !== null],
  ])('a start given up while it %s ends its processes and the next start works', async (_, isThere) => {
    const dir = newDir();
    const controller = new AbortController();
    const failure = start(dir, { signal: controller.signal }).then(
      () => null,
      (error: unknown) => error,
    );
    while (!existsSync(dir) || !isThere(dir)) await delay(1);
    const server = postmasterPid(dir);
    controller.abort();
    const error = await failure;
    expect(error).toBeInstanceOf(EmbeddedPostgresError);
    expect(error).toMatchObject({ message: expect.stringContaining('interrupted') });
    expect(leftovers(dir)).toEqual([]);
    expect(server === null || processIdentity(server) === null).toBe(true);
    const again = await start(dir);
    expect(await query(again.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await again.stop();
  });
});
