import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { subgraphs } from '@loyalty/cli/subgraphs';
import { enrolMembers } from '@loyalty/engagement-subgraph/members.fixture';
import {
  givenProvider,
  type MailApi,
  startMailApi,
} from '@loyalty/engagement-subgraph/messages/messages.fixture';
import { messageCounts } from '@loyalty/engagement-subgraph/messages/source-messages.service';
import { givenMessages, givenSource, messagesOf } from '@loyalty/engagement-subgraph/sending/sending.fixture';
import { loadConfig } from '@loyalty/platform/config/config';
import type { Context } from '@loyalty/platform/context';
import { localPeers } from '@loyalty/platform/graph/peers';
import { createServices } from '@loyalty/platform/services';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@loyalty/prisma/embedded/embedded-postgres';
import { temporaryDataDir } from '@loyalty/prisma/embedded/postgres-data-dir';
import { applyMigrations } from '@loyalty/prisma/migrate/migrate';
import { eventually } from '../harness/eventually.ts';
import { callerOf, contextOf } from '../harness/services.ts';
import { killed, startedWorker } from './bulk-workers.fixture.ts';

const MEMBERS = 800;
const KILLS = 2;
const masterKeys = `test:${randomBytes(32).toString('base64')}`;
const dataDir = temporaryDataDir('loyalty-killed-messages-');
const caller = callerOf();

let directory: string;
let postgres: EmbeddedPostgres;
let api: MailApi;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'loyalty-killed-messages-'));
  api = await startMailApi();
  postgres = await startEmbeddedPostgres({ dataDir });
  await applyMigrations(postgres.url);
});
afterAll(async () => {
  await api.close();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  await rm(directory, { recursive: true, force: true });
});

/** Opens the product over the database as it runs now. */
async function withProduct<T>(work: (ctx: Context) => Promise<T>): Promise<T> {
  const env = { NODE_ENV: 'test', LOG_LEVEL: 'silent', LOYALTY_MASTER_KEYS: masterKeys };
  const config = { ...loadConfig(env, directory), DATABASE_URL: postgres.url, OUTBOUND_ALLOW: [api.host] };
  const services = await createServices(config, 'test', { peers: localPeers(subgraphs) });
  try {
    return await work(contextOf(services, caller));
  } finally {
    await services.close();
  }
}

/** Kills PostgreSQL as the operating system would, and starts it again on the same port. */
async function killDatabase(): Promise<void> {
  const { port } = postgres;
  const [postmaster] = readFileSync(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(postmaster), 'SIGKILL');
  await postgres.stop();
  postgres = await startEmbeddedPostgres({ dataDir, port });
  expect(postgres.port).toBe(port);
}

/** Ends the leases that are older than 15 seconds. Without this a lease ends after three minutes. */
const passLeases = (ctx: Context): Promise<unknown> =>
  ctx.sql.query(
    `UPDATE engagement.messages SET due_at = now(), claims = 0
      WHERE workspace_id = $1 AND due_at > now() AND due_at < now() + interval '165 seconds'`,
    [caller.workspaceId],
  );

test('while the database is killed in the middle of a campaign, no member is lost and none gets it twice', async () => {
  const source = givenSource();
  await withProduct(async (ctx) => {
    await givenProvider(ctx, api);
    const emails = Array.from({ length: MEMBERS }, (_, number) => `m${number}@example.com`);
    await givenMessages(ctx, { memberIds: await enrolMembers(ctx, emails), source });
  });
  const settings = { OUTBOUND_ALLOW: api.host };
  const worker = await startedWorker({ url: postgres.url, masterKeys, directory, settings });
  try {
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await eventually(() => expect(api.mails.length).toBeGreaterThan((kill * MEMBERS) / (KILLS + 2)));
      await killDatabase();
    }
    await withProduct(async (ctx) => {
      await eventually(async () => {
        await passLeases(ctx);
        expect((await messagesOf(ctx)).filter(({ dueAt }) => dueAt !== null)).toEqual([]);
      });
      const messages = await messagesOf(ctx);
      // A provider that honours idempotency keys sends one mail for each key.
      expect(new Set(api.mails.map(({ key }) => key))).toEqual(new Set(messages.map(({ id }) => id)));
      expect(new Set(api.mails.map(({ key, to }) => `${key} ${to}`)).size).toBe(MEMBERS);
      expect(await messageCounts(ctx, [source.id])).toMatchObject([
        { status: 'SENT', reason: '', count: MEMBERS },
      ]);
    });
  } finally {
    await killed(worker);
  }
}, 180_000);
