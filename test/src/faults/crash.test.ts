import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { createMember } from '@loyalty/loyalty-subgraph/member-details/member-details.service';
import { pointsAwarded } from '@loyalty/loyalty-subgraph/points/points.events';
import { job } from '@loyalty/platform/work/jobs';
import { on } from '@loyalty/worker/reactions';
import { startWorker } from '@loyalty/worker/worker';
import { z } from 'zod';
import { eventually } from '../harness/eventually.ts';
import { callerOf, contextOf, useServices } from '../harness/services.ts';
import { compileCache } from '../processes/compile-cache.ts';

const child = fileURLToPath(new URL('./crash.process.ts', import.meta.url));
const ROUNDS = 4;

const { services } = useServices();

/**
 * Starts a process that awards points, and kills it after some time; returns the ids of the answered awards.
 */
async function awardUntilKilled(memberId: string, workspaceId: string, afterMs: number): Promise<string[]> {
  const { dataDir, masterKeys } = services.config;
  const keys = masterKeys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(',');
  const env = {
    PATH: process.env['PATH'],
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    ...compileCache,
    DATABASE_URL: services.url,
    LOYALTY_MASTER_KEYS: keys,
  };
  const running = spawn(process.execPath, [child, memberId, workspaceId, dataDir], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let answered = '';
  running.stdout.on('data', (chunk) => {
    answered += chunk;
  });
  await once(running.stdout, 'data');
  setTimeout(() => running.kill('SIGKILL'), afterMs);
  await once(running, 'close');
  return answered.split('\n').slice(0, -1);
}

test('kill -9 between write and publish loses no event and invents none', async () => {
  const caller = callerOf();
  const ctx = contextOf(services, caller);
  const { id: memberId } = await createMember(ctx, { email: 'crash@example.com' });
  const answered: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    answered.push(...(await awardUntilKilled(memberId, caller.workspaceId!, 40 + 70 * round)));
  }
  const { sql } = services.database;
  const entries = await sql.query<{ id: string; balanceAfter: number; amount: number }>(
    'SELECT id, amount, balance_after FROM loyalty.points_entries WHERE member_id = $1 ORDER BY sequence',
    [memberId],
  );
  const events = await sql.query<{ entry: string }>(
    `SELECT payload->>'transactionId' AS entry FROM platform.outbox WHERE type = 'loyalty.points_awarded'`,
  );
  const written = entries.map(({ id }) => id);
  expect(answered.length).toBeGreaterThan(ROUNDS);
  expect(written).toEqual(expect.arrayContaining(answered));
  expect(events.map(({ entry }) => entry).sort()).toEqual([...written].sort());
  expect(entries.map(({ balanceAfter }) => balanceAfter)).toEqual(written.map((_, index) => index + 1));
});

test('relays whose connections are cut in the middle of their work leave no event unhandled, and none handled twice', async () => {
  const handled: string[] = [];
  const note = job(
    'test.note-award',
    z.object({ transactionId: z.string() }),
    async (_, { transactionId }) => {
      handled.push(transactionId);
    },
  );
  const connected = { ...services, config: { ...services.config, DATABASE_URL: services.url } };
  const tables = { reactions: [on(pointsAwarded, note)], schedule: [] };
  const relays = [await startWorker(connected, tables), await startWorker(connected, tables)];
  // Cuts the connections of the relays again and again while they work.
  for (let cut = 0; cut < 5; cut += 1) {
    await services.database.sql.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name <> 'loyalty-live'`,
    );
  }
  const [{ total } = { total: 0 }] = await services.database.sql.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM platform.outbox WHERE type = 'loyalty.points_awarded'`,
  );
  await eventually(() => expect(new Set(handled).size).toBe(total));
  expect(handled).toHaveLength(total);
  for (const relay of relays) await relay.stop();
});
