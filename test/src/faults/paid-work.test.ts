import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { expireReservations } from '@loyalty/model-subgraph/credits/reservations.service';
import { checkLedger } from '@loyalty/model-subgraph/credits/wallet.fixture';
import { openWallet } from '@loyalty/model-subgraph/credits/wallet.service';
import { MINUTE_MS } from '@loyalty/platform/base/clock';
import { eventually } from '../harness/eventually.ts';
import { callerOf, contextOf, useServices } from '../harness/services.ts';
import { compileCache } from '../processes/compile-cache.ts';

const child = fileURLToPath(new URL('./paid-work.process.ts', import.meta.url));
const ROUNDS = 4;
const CALLERS = 12;
/** The credits that the child charges of the 30 that it reserves for each call. */
const CHARGE = 7n;

const { services } = useServices({ at: new Date().toISOString() });

/**
 * Starts a process that answers paid calls, and kills it after some time; returns the credits of the answers
 * that arrived.
 */
async function workUntilKilled(workspaceId: string, afterMs: number): Promise<bigint> {
  const { dataDir, masterKeys } = services.config;
  const env = {
    PATH: process.env['PATH'],
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    ...compileCache,
    DATABASE_URL: services.url,
    LOYALTY_MASTER_KEYS: masterKeys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
  };
  const running = spawn(process.execPath, [child, workspaceId, dataDir, String(CALLERS)], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let received = '';
  running.stdout.on('data', (chunk) => {
    received += chunk;
  });
  await once(running.stdout, 'data');
  setTimeout(() => running.kill('SIGKILL'), afterMs);
  await once(running, 'close');
  return received
    .split('\n')
    .slice(0, -1)
    .reduce((sum, credits) => sum + BigInt(credits), 0n);
}

test('kill -9 in the middle of paid work charges what was answered, and what it held returns', async () => {
  const caller = callerOf();
  const workspaceId = caller.workspaceId!;
  const ctx = contextOf(services, caller);
  await openWallet(ctx, workspaceId);
  const { sql } = services.database;
  let received = 0n;
  for (let round = 1; round <= ROUNDS; round += 1) {
    received += await workUntilKilled(workspaceId, 40 + 70 * round);
    const { reserved } = await checkLedger(sql, workspaceId);
    expect(reserved).toBeLessThanOrEqual(BigInt(round * CALLERS) * 30n);
  }
  // PostgreSQL ends a connection only after it has run all statements that the killed process had sent.
  // Between two of them the connection is idle.
  await eventually(async () => {
    const left = await sql.query(
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'loyalty-crash'`,
    );
    expect(left).toEqual([]);
  });
  const { used, reserved } = await checkLedger(sql, workspaceId);
  expect(reserved).toBeGreaterThan(0n);
  expect(received).toBeGreaterThan(BigInt(ROUNDS) * CHARGE);
  // Every received answer is charged. At most the calls in flight are charged without a received answer.
  expect(used).toBeGreaterThanOrEqual(received);
  expect(used - received).toBeLessThanOrEqual(BigInt(ROUNDS * CALLERS) * CHARGE);

  services.clock.advance(20 * MINUTE_MS);
  expect(await expireReservations(ctx)).toBe(Number(reserved / 30n));
  expect(await checkLedger(sql, workspaceId)).toMatchObject({ reserved: 0n, used, balance: 50_000n - used });
});
