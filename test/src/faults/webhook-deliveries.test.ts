import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { subgraphs } from '@loyalty/cli/subgraphs';
import {
  givenReceiver,
  type Receiver,
  startReceiver,
} from '@loyalty/engagement-subgraph/webhooks/webhooks.fixture';
import { memberCreated } from '@loyalty/loyalty-subgraph/members/members.events';
import { newId } from '@loyalty/platform/base/ids';
import { loadConfig } from '@loyalty/platform/config/config';
import type { Context } from '@loyalty/platform/context';
import { localPeers } from '@loyalty/platform/graph/peers';
import { createServices } from '@loyalty/platform/services';
import { publish } from '@loyalty/platform/work/events';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@loyalty/prisma/embedded/embedded-postgres';
import { temporaryDataDir } from '@loyalty/prisma/embedded/postgres-data-dir';
import { applyMigrations } from '@loyalty/prisma/migrate/migrate';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../harness/eventually.ts';
import { callerOf, contextOf } from '../harness/services.ts';
import { killed, startedWorker } from './bulk-workers.fixture.ts';

const EVENTS = 1_500;
const masterKeys = `test:${randomBytes(32).toString('base64')}`;
const dataDir = temporaryDataDir('loyalty-webhooks-');
const caller = callerOf();

let directory: string;
let postgres: EmbeddedPostgres;
let receiver: Receiver;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'loyalty-webhooks-'));
  postgres = await startEmbeddedPostgres({ dataDir });
  await applyMigrations(postgres.url);
  receiver = await startReceiver();
});
afterAll(async () => {
  receiver.close();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  await rm(directory, { recursive: true, force: true });
});

/** Opens the product over the database as it runs now. */
async function withProduct<T>(work: (ctx: Context) => Promise<T>): Promise<T> {
  const env = { NODE_ENV: 'test', LOG_LEVEL: 'silent', DATABASE_URL: postgres.url };
  const config = loadConfig({ ...env, LOYALTY_MASTER_KEYS: masterKeys }, directory);
  const services = await createServices({ ...config, DATABASE_URL: postgres.url }, 'test', {
    peers: localPeers(subgraphs),
  });
  try {
    return await work(contextOf(services, caller));
  } finally {
    await services.close();
  }
}

/** Publishes events; returns the number of those whose transaction was committed. */
async function publishUnderLoad(count: number): Promise<number> {
  return withProduct(async (ctx) => {
    let kept = 0;
    for (let number = 0; number < count; number += 1) {
      const done = await ctx
        .transaction((tx) => publish(tx, memberCreated, { memberId: newId(ctx.clock) }))
        .then(
          () => true,
          () => false,
        );
      if (done) kept += 1;
      else await delay(20);
    }
    return kept;
  });
}

/**
 * Ends all leases and makes deliveries due at once. It also resets the counts of claims, so that no delivery
 * is given up because of the kills.
 */
const passLeases = (ctx: Context): Promise<unknown> =>
  ctx.sql.query(
    `WITH events AS (UPDATE engagement.webhook_events SET leased_until = NULL
      WHERE workspace_id = $1 AND due_at IS NOT NULL)
     UPDATE engagement.webhook_deliveries SET leased_until = NULL, due_at = created_at, claims = 0
      WHERE workspace_id = $1 AND due_at IS NOT NULL`,
    [caller.workspaceId],
  );

async function killDatabase(): Promise<void> {
  const { port } = new URL(postgres.url);
  const [postmaster] = readFileSync(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(postmaster), 'SIGKILL');
  await postgres.stop();
  postgres = await startEmbeddedPostgres({ dataDir, port: Number(port) });
}

const received = (count: number) => eventually(() => expect(receiver.received.length).toBeGreaterThan(count));

test('workers and the database are killed under load: every event is delivered and signed', async () => {
  const { secret } = await withProduct((ctx) => givenReceiver(ctx, receiver.url, ['member.created']));
  const settings = { OUTBOUND_ALLOW: receiver.host };
  const start = () => startedWorker({ url: postgres.url, masterKeys, directory, settings });
  const workers = [await start(), await start()];
  // PostgreSQL is killed while transactions are being committed.
  const publishing = publishUnderLoad(EVENTS);
  await received(EVENTS / 10);
  await killed(workers[0]!);
  workers[0] = await start();
  await received(EVENTS / 4);
  await killDatabase();
  await received(EVENTS / 3);
  // One worker is enough for the rest.
  await killed(workers[1]!);
  await publishing;
  await withProduct(async (ctx) => {
    await eventually(async () => {
      await passLeases(ctx);
      const [row] = await ctx.sql.query<{ n: number }>(
        `SELECT ((SELECT count(*) FROM platform.outbox WHERE relayed_at IS NULL)
               + (SELECT count(*) FROM engagement.webhook_events WHERE due_at IS NOT NULL)
               + (SELECT count(*) FROM engagement.webhook_deliveries WHERE due_at IS NOT NULL))::int AS n`,
      );
      expect(row!.n).toBe(0);
    }, 120_000);
    const published = await ctx.sql.query<{ id: string }>(
      `SELECT id FROM platform.outbox WHERE type = 'member.created'`,
    );
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    expect([...ids].toSorted()).toEqual(published.map(({ id }) => id).toSorted());
    const made = await ctx.sql.query<{ status: string; count: number }>(
      'SELECT status, count(*)::int FROM engagement.webhook_deliveries GROUP BY status',
    );
    expect(made).toEqual([{ status: 'DELIVERED', count: published.length }]);
  });
  for (const { body, headers } of receiver.received)
    expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).not.toThrow();
  for (const worker of workers) await killed(worker);
}, 300_000);
