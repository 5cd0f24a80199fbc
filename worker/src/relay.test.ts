import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { event, publish } from '@loyalty/platform/work/events';
import { job } from '@loyalty/platform/work/jobs';
import { useServices } from '@loyalty/test/harness/services';
import { PgBoss } from 'pg-boss';
import { z } from 'zod';
import { on } from './reactions.ts';
import { RELAY_BATCH, relayBatch } from './relay.ts';

const payload = z.object({ number: z.number() });
const counted = event('test.counted', payload);
const note = job('test.note', payload, async () => undefined);
const reactions = [on(counted, note)];

const { services, ctx, beforeClose } = useServices({ isWorkspaceShared: true });
let boss: PgBoss;

beforeAll(async () => {
  boss = new PgBoss({ connectionString: services.url, max: 2, schedule: false, supervise: false });
  boss.on('error', () => undefined);
  await boss.start();
  await boss.createQueue(note.name);
});
beforeEach(async () => {
  await services.database.sql.query('TRUNCATE platform.outbox');
  await boss.deleteAllJobs(note.name);
});
beforeClose(() => boss.stop({ graceful: false }));

async function publishAll(...numbers: number[]): Promise<void> {
  for (const number of numbers) {
    await ctx.transaction((tx) => publish(tx, counted, { number }));
    services.clock.advance(1);
  }
}

/** Returns the numbers of the queued jobs, in order. */
async function queued(): Promise<number[]> {
  const rows = await services.database.sql.query<{ number: number }>(
    `SELECT (data->'data'->>'number')::int AS number FROM pgboss.job WHERE name = $1 ORDER BY 1`,
    [note.name],
  );
  return rows.map(({ number }) => number);
}

const waiting = async (): Promise<number> => {
  const [row] = await services.database.sql.query<{ waiting: number }>(
    'SELECT count(*)::int AS waiting FROM platform.outbox WHERE relayed_at IS NULL',
  );
  return row!.waiting;
};

/** A queue that calls `before` before each insert and records its jobs. */
function queueThat(before: () => Promise<void>) {
  const given: number[] = [];
  const insert: PgBoss['insert'] = async (name, jobs, options) => {
    given.push(...jobs.map(({ data }) => (data as { data: { number: number } }).data.number));
    await before();
    return boss.insert(name, jobs, options);
  };
  return { given, queue: { insert } as PgBoss };
}

describe('each guard of the relay by itself:', () => {
  test('an event that was passed on is not claimed again', async () => {
    await publishAll(1, 2, 3);
    const { given, queue } = queueThat(async () => undefined);
    expect(await relayBatch(services, queue, reactions)).toBe(3);
    expect(await relayBatch(services, queue, reactions)).toBe(0);
    expect(given.sort()).toEqual([1, 2, 3]);
  });

  test('the batch does not wait for the disk', async () => {
    await publishAll(1);
    const settings: unknown[] = [];
    const insert: PgBoss['insert'] = async (name, jobs, options) => {
      const { rows } = await options!.db!.executeSql(
        `SELECT setting, source FROM pg_settings WHERE name = 'synchronous_commit'`,
      );
      settings.push(...rows);
      return boss.insert(name, jobs, options);
    };
    expect(await relayBatch(services, { insert } as PgBoss, reactions)).toBe(1);
    expect(settings).toEqual([{ setting: 'off', source: 'session' }]);
  });

  test('rows that another holds are passed over, and nobody waits for them', async () => {
    await publishAll(1, 2, 3);
    const { given, queue } = queueThat(async () => undefined);
    await services.database.transaction(async ({ sql }) => {
      await sql.query(
        `SELECT id FROM platform.outbox WHERE (payload->>'number')::int < 3 ORDER BY id FOR UPDATE`,
      );
      // A relay that waited would fail with lock_timeout.
      expect(await relayBatch(services, queue, reactions)).toBe(1);
    });
    expect(given).toEqual([3]);
    expect(await relayBatch(services, queue, reactions)).toBe(2);
    expect(await queued()).toEqual([1, 2, 3]);
  });

  test('while one relay queues its batch, another gets other events and never the same', async () => {
    await publishAll(1, 2, 3);
    const reached = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const slow = queueThat(async () => {
      reached.resolve();
      await gate.promise;
    });
    const first = relayBatch(services, slow.queue, reactions);
    await reached.promise;
    await publishAll(4);
    const fast = queueThat(async () => undefined);
    const second = relayBatch(services, fast.queue, reactions);
    // A claim without SKIP LOCKED would wait for the same rows and fail with lock_timeout.
    const others = await second;
    gate.resolve();
    expect(await first).toBe(3);
    expect(others).toBe(1);
    expect([slow.given.sort(), fast.given]).toEqual([[1, 2, 3], [4]]);
    expect(await queued()).toEqual([1, 2, 3, 4]);
  });

  test('a batch that cannot be queued is wholly left to the next', async () => {
    await publishAll(1, 2);
    const failing = queueThat(() => Promise.reject(new Error('no queue')));
    await expect(relayBatch(services, failing.queue, reactions)).rejects.toThrow('no queue');
    expect(await waiting()).toBe(2);
    expect(await relayBatch(services, boss, reactions)).toBe(2);
    expect(await queued()).toEqual([1, 2]);
  });

  test('a batch that was queued but not kept leaves no job behind', async () => {
    await publishAll(1, 2);
    const insert: PgBoss['insert'] = async (...call) => {
      await boss.insert(...call);
      throw new Error('cut');
    };
    await expect(relayBatch(services, { insert } as PgBoss, reactions)).rejects.toThrow('cut');
    expect(await queued()).toEqual([]);
  });

  test('the same event passed on twice is one job', async () => {
    await publishAll(1);
    await relayBatch(services, boss, reactions);
    await services.database.sql.query('UPDATE platform.outbox SET relayed_at = NULL');
    expect(await relayBatch(services, boss, reactions)).toBe(1);
    expect(await queued()).toEqual([1]);
  });

  test('a batch is bounded, and takes the oldest events first', async () => {
    await services.database.sql.query(
      `INSERT INTO platform.outbox (id, workspace_id, mode, type, payload, created_at)
       SELECT gen_random_uuid(), $1, 'LIVE', $2, jsonb_build_object('number', n), $3::timestamptz - n * interval '1 s'
         FROM generate_series(1, ${RELAY_BATCH + 5}) AS n`,
      [ctx.scope.workspaceId, counted.type, services.clock.now()],
    );
    expect(await relayBatch(services, boss, reactions)).toBe(RELAY_BATCH);
    expect((await queued())[0]).toBe(6);
    expect(await relayBatch(services, boss, reactions)).toBe(5);
  });
});
