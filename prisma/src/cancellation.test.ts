import { randomUUID } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestDatabase } from '@loyalty/test/harness/database/database';
import { eventually } from '@loyalty/test/harness/eventually';
import pg from 'pg';
import { type Cancel, lease, type Taker } from './cancellation.ts';
import { type Connections, createDatabase, type Database } from './client.ts';

const POOL_SIZE = 4;
const statements: string[] = [];
let made: { url: string; drop(): Promise<void> };
let database: Database;
/** A client outside of the pool, for queries and locks. */
let outside: pg.Client;

beforeAll(async () => {
  made = await createTestDatabase();
  database = createDatabase({
    url: made.url,
    poolSize: POOL_SIZE,
    // A statement that is not cancelled must run until its test has failed.
    statementTimeoutMs: 600_000,
    lockTimeoutMs: 20_000,
    onStatement: (text) => statements.push(text),
  });
  outside = new pg.Client({ connectionString: made.url });
  await outside.connect();
  await database.sql.query('CREATE TABLE public.kept (who text)');
  await database.sql.query(`CREATE FUNCTION public.sleep() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_sleep(NEW.name::float8); RETURN NEW; END $$`);
  await database.sql.query(
    'CREATE TRIGGER sleep BEFORE INSERT ON commerce.brands FOR EACH ROW EXECUTE FUNCTION public.sleep()',
  );
});
beforeEach(() => {
  statements.length = 0;
});
afterAll(async () => {
  await database?.close();
  await outside?.end();
  await made?.drop();
});

/** Returns the statements that clients of the pool are running or have left open. */
async function activity(pattern = ''): Promise<string[]> {
  const { rows } = await outside.query<{ query: string }>(
    `SELECT query FROM pg_stat_activity
      WHERE application_name = 'loyalty' AND state <> 'idle' AND query ~ $1`,
    [pattern],
  );
  return rows.map(({ query }) => query);
}

const running = (pattern: string) => eventually(async () => expect(await activity(pattern)).toHaveLength(1));
const quiet = () => eventually(async () => expect(await activity()).toEqual([]));
const cancelled = { code: '57014' };

/** Locks the table of stores while `work` runs. */
async function withStoresLocked(work: () => Promise<void>): Promise<void> {
  const blocker = new pg.Client({ connectionString: made.url });
  await blocker.connect();
  try {
    await blocker.query('BEGIN');
    await blocker.query('LOCK TABLE commerce.stores');
    await work();
  } finally {
    await blocker.end();
  }
}

/** Starts an operation of Prisma, which would otherwise start only with `await`, and returns its failure. */
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'answered',
    (error: unknown) => error,
  );

const scope = { workspaceId: randomUUID(), mode: 'LIVE' } as const;

/** A statement of Prisma that takes this many seconds. */
const sleepByPrisma = ({ prismaIn }: Connections, seconds: number): Promise<unknown> =>
  prismaIn({ ...scope, workspaceId: randomUUID() }).brand.createMany({
    data: [{ id: randomUUID(), name: String(seconds), createdAt: new Date() }],
  });
const sleeps = 'SELECT pg_sleep(600)::text';
/** Pattern of statements that run for 600 s. */
const SLEEPING = '(pg_sleep\\(600\\)|"brands")';
const ways: Record<string, (connections: Connections, signal: AbortSignal) => Promise<unknown>> = {
  'SQL by hand': ({ sql }) => sql.query(sleeps),
  'SQL by hand, of one tick': ({ sql }) =>
    Promise.all([sql.query(sleeps), sql.query("SELECT 'behind' FROM pg_sleep(600)")]),
  Prisma: (connections) => sleepByPrisma(connections, 600),
  'SQL by hand in a transaction': (_, signal) =>
    database.transaction(
      async ({ sql }) => {
        await sql.query("INSERT INTO public.kept VALUES ('by hand')");
        await sql.query(sleeps);
      },
      { signal },
    ),
  'Prisma in a transaction': (_, signal) =>
    database.transaction(
      async (tx) => {
        await tx.sql.query("INSERT INTO public.kept VALUES ('before Prisma')");
        await sleepByPrisma(tx, 600);
      },
      { signal },
    ),
};

describe.each(Object.entries(ways))('%s', (_, run) => {
  test('a statement is gone from PostgreSQL soon after the abort, and nothing stays behind', async () => {
    const controller = new AbortController();
    const failure = failureOf(run(database.cancellable(controller.signal), controller.signal));
    await running(SLEEPING);
    controller.abort();
    expect(await failure).toMatchObject(cancelled);
    await quiet();
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    expect(await database.sql.query('SELECT who FROM public.kept')).toEqual([]);
  });

  test('after the abort nothing is sent', async () => {
    const signal = AbortSignal.abort();
    await expect(run(database.cancellable(signal), signal)).rejects.toMatchObject(cancelled);
    expect(statements).toEqual([]);
  });

  test('whoever waits for a connection fails at once, and their statement is never sent', async () => {
    const free = Promise.withResolvers<void>();
    const blockers = Array.from({ length: POOL_SIZE }, () => database.connection(() => free.promise));
    const controller = new AbortController();
    const failure = failureOf(run(database.cancellable(controller.signal), controller.signal));
    await delay(0);
    controller.abort();
    expect(await failure).toMatchObject(cancelled);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    free.resolve();
    await Promise.all(blockers);
    await database.sql.query('SELECT 1');
    expect(statements).toEqual(['SELECT 1']);
  });

  test('work that has ended takes its listeners along', async () => {
    const { signal } = new AbortController();
    const { sql, prismaIn } = database.cancellable(signal);
    for (let round = 0; round < 20; round += 1) {
      await Promise.all([sql.query('SELECT 1'), prismaIn(scope).store.count({ where: {} })]);
      await database.transaction(({ sql: tx }) => tx.query('SELECT 3'), { signal });
    }
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

test("a read by Prisma's own words is cancelled, too", async () => {
  await withStoresLocked(async () => {
    const controller = new AbortController();
    const { store } = database.cancellable(controller.signal).prismaIn(scope);
    const failure = failureOf(store.count({ where: { name: 'Ribeira' } }));
    await running('"stores"');
    controller.abort();
    expect(await failure).toMatchObject(cancelled);
    await quiet();
  });
});

test('what is asked from a callback of a cancelled request is not cancelled with it', async () => {
  const controller = new AbortController();
  const { store } = database.cancellable(controller.signal).prismaIn(scope);
  await outside.query('SELECT pg_advisory_lock(1)');
  const chained = store
    .count({ where: {} })
    .then(() => database.sql.query("SELECT 'ours' FROM pg_advisory_xact_lock(1)"));
  await running("^SELECT 'ours'");
  controller.abort();
  await outside.query('SELECT pg_advisory_unlock(1)');
  expect(await chained).toHaveLength(1);
});

describe('one connection', () => {
  let pool: pg.Pool;
  beforeEach(() => {
    pool = new pg.Pool({ connectionString: made.url, max: 1 });
    pool.on('error', () => undefined); // the database is dropped while its connections still end
  });
  afterEach(() => pool.end());

  const borrow = (signal: AbortSignal, cancel: Cancel): Promise<pg.PoolClient> =>
    new Promise((resolve, reject) => {
      const taker: Taker = (error, client) => (client ? resolve(client) : reject(error));
      lease((each) => pool.connect(each), { signal, cancel, manyStatements: true }, taker);
    });
  const pidOf = async (client: pg.Pool | pg.PoolClient): Promise<number> =>
    (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid;

  test('has its next owner only after the cancel for the last one was answered', async () => {
    const controller = new AbortController();
    const answer = Promise.withResolvers<void>();
    const client = await borrow(controller.signal, () => answer.promise);
    const ended = client.query('SELECT pg_sleep(0.05)');
    controller.abort();
    await ended;
    client.release();
    let isServed = false;
    const next = pool.query('SELECT 1').then(() => {
      isServed = true;
    });
    await delay(50);
    expect(isServed).toBe(false);
    answer.resolve();
    await next;
  });

  test('is closed when nobody knows whether a cancel is still on its way', async () => {
    const controller = new AbortController();
    const client = await borrow(controller.signal, () => Promise.reject(new Error('cut')));
    const pid = await pidOf(client);
    const ended = client.query('SELECT pg_sleep(0.05)');
    controller.abort();
    await ended;
    client.release();
    expect(await pidOf(pool)).not.toBe(pid);
  });

  test('is cancelled again when the first cancel overtook the statement', async () => {
    const controller = new AbortController();
    let sent = 0;
    const cancel: Cancel = async (pid) => {
      sent += 1;
      if (sent > 1) await outside.query('SELECT pg_cancel_backend($1)', [pid]);
    };
    const client = await borrow(controller.signal, cancel);
    const ended = client.query('SELECT pg_sleep(15)');
    controller.abort();
    await expect(ended).rejects.toMatchObject(cancelled);
    client.release();
    expect(sent).toBe(2);
  });
});

/** Runs 600 requests over four connections; a third of them are aborted at random moments. */
test('an abort never hits a neighbour, whenever it comes', async () => {
  const request = async (number: number): Promise<string> => {
    const isDropped = number % 3 === 0;
    const controller = new AbortController();
    const { signal } = controller;
    const connections = number % 3 === 1 ? database : database.cancellable(signal);
    const { sql } = connections;
    const text = `SELECT ${number} AS number FROM pg_sleep(${Math.random() * 0.004})`;
    const ways = [
      () => sql.query(text),
      () => Promise.all([sql.query(text), sql.query('SELECT pg_sleep(0.001)')]).then(([rows]) => rows),
      () => sleepByPrisma(connections, Math.random() * 0.004).then(() => [{ number }]),
      () =>
        connections
          .prismaIn(scope)
          .store.count({ where: {} })
          .then(() => [{ number }]),
      () => database.transaction((tx) => tx.sql.query(text), isDropped ? { signal } : {}),
      () =>
        database
          .transaction((tx) => sleepByPrisma(tx, 0.002), isDropped ? { signal } : {})
          .then(() => [{ number }]),
    ];
    const answer = ways[Math.floor(number / 3) % ways.length]!();
    if (isDropped) setTimeout(() => controller.abort(), Math.random() * 12);
    try {
      expect(await answer).toEqual([{ number }]);
      return 'answered';
    } catch (error) {
      expect(error).toMatchObject(cancelled);
      expect(isDropped).toBe(true);
      return 'cancelled';
    } finally {
      expect(getEventListeners(signal, 'abort')).toEqual([]);
    }
  };
  const outcomes: string[] = [];
  for (let wave = 0; wave < 50; wave += 1) {
    outcomes.push(...(await Promise.all(Array.from({ length: 12 }, (_, each) => request(wave * 12 + each)))));
  }
  expect(outcomes.filter((outcome) => outcome === 'cancelled').length).toBeGreaterThan(20);
  await quiet();
  await Promise.all(
    Array.from({ length: POOL_SIZE }, () => database.sql.query('SELECT 1 FROM pg_sleep(0.01)')),
  );
});
