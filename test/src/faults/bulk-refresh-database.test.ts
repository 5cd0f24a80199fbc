import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { subgraphs } from '@loyalty/cli/subgraphs';
import { expectSound } from '@loyalty/model-subgraph/bulk-jobs/bulk-faults.fixture';
import {
  givenJob,
  givenMembers,
  jobOf,
  resultRows,
  stateRows,
} from '@loyalty/model-subgraph/bulk-jobs/bulk-jobs.fixture';
import { loadConfig } from '@loyalty/platform/config/config';
import type { Context } from '@loyalty/platform/context';
import { localPeers } from '@loyalty/platform/graph/peers';
import { createServices } from '@loyalty/platform/services';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@loyalty/prisma/embedded/embedded-postgres';
import { temporaryDataDir } from '@loyalty/prisma/embedded/postgres-data-dir';
import { applyMigrations } from '@loyalty/prisma/migrate/migrate';
import { eventually } from '../harness/eventually.ts';
import { callerOf, contextOf } from '../harness/services.ts';
import { killed, passLeases, startedWorker } from './bulk-workers.fixture.ts';

const MEMBERS = 10_000;
const masterKeys = `test:${randomBytes(32).toString('base64')}`;
const dataDir = temporaryDataDir('loyalty-refresh-');
const caller = callerOf({ mode: 'TEST' });

let directory: string;
let postgres: EmbeddedPostgres;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'loyalty-refresh-'));
  postgres = await startEmbeddedPostgres({ dataDir });
  await applyMigrations(postgres.url);
});
afterAll(async () => {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  await rm(directory, { recursive: true, force: true });
});

/** Opens the product over the database as it runs now. */
async function withProduct<T>(work: (ctx: Context) => Promise<T>): Promise<T> {
  const env = { NODE_ENV: 'test', LOG_LEVEL: 'silent', DATABASE_URL: postgres.url };
  const config = { ...loadConfig({ ...env, LOYALTY_MASTER_KEYS: masterKeys }, directory) };
  const services = await createServices({ ...config, DATABASE_URL: postgres.url }, 'test', {
    peers: localPeers(subgraphs),
  });
  try {
    return await work(contextOf(services, caller));
  } finally {
    await services.close();
  }
}

test('a database that is killed in the middle of a refresh, and starts again, loses and doubles nothing', async () => {
  const { id, ids } = await withProduct(async (ctx) => {
    const members = await givenMembers(ctx, MEMBERS);
    return { id: await givenJob(ctx), ids: members };
  });
  const place = { url: postgres.url, masterKeys, directory };
  const workers = [await startedWorker(place), await startedWorker(place)];
  const { port } = new URL(postgres.url);
  await withProduct((ctx) =>
    eventually(async () => expect((await jobOf(ctx, id)).processed).toBeGreaterThan(MEMBERS / 10)),
  );
  const [postmaster] = readFileSync(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(postmaster), 'SIGKILL');
  // The workers are suspended until the job was read, however long the database takes to start.
  for (const worker of workers) worker.kill('SIGSTOP');
  await postgres.stop();
  postgres = await startEmbeddedPostgres({ dataDir, port: Number(port) });
  expect(postgres.url).toBe(place.url);
  const left = await withProduct((ctx) => jobOf(ctx, id));
  expect(left.processed).toBeLessThan(MEMBERS);
  for (const worker of workers) worker.kill('SIGCONT');
  // The same workers continue. The chunks that they had claimed are due when their leases end.
  await withProduct(async (ctx) => {
    await eventually(async () => {
      await passLeases(ctx);
      expect((await jobOf(ctx, id)).status).toBe('COMPLETED');
    }, 120_000);
    await expectSound(ctx, id);
    expect(await jobOf(ctx, id)).toMatchObject({ processed: MEMBERS, succeeded: MEMBERS, failed: 0 });
    expect([...(await resultRows(ctx, id)).keys()].sort()).toEqual(ids);
    expect((await stateRows(ctx)).size).toBe(MEMBERS);
  });
  for (const worker of workers) await killed(worker);
}, 300_000);
