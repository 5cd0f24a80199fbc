import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { subgraphs } from '@loyalty/cli/subgraphs';
import { campaignFigures } from '@loyalty/engagement-subgraph/campaign-results/campaign-figures.service';
import {
  givenCampaign,
  givenSegmentOf,
  recipientsOfCampaign,
} from '@loyalty/engagement-subgraph/campaigns/campaigns.fixture';
import { getCampaign } from '@loyalty/engagement-subgraph/campaigns/campaigns.service';
import {
  launchCampaign,
  pauseCampaign,
  resumeCampaign,
} from '@loyalty/engagement-subgraph/campaigns/launching.service';
import { enrolMembers } from '@loyalty/engagement-subgraph/members.fixture';
import {
  givenProvider,
  type MailApi,
  startMailApi,
} from '@loyalty/engagement-subgraph/messages/messages.fixture';
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

const MEMBERS = 1_200;
const key = `test:${randomBytes(32).toString('base64')}`;
const dataDir = temporaryDataDir('loyalty-campaign-');

let directory: string;
let postgres: EmbeddedPostgres;
let api: MailApi;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'loyalty-campaign-'));
  postgres = await startEmbeddedPostgres({ dataDir });
  await applyMigrations(postgres.url);
  api = await startMailApi();
  // A slow provider, so that the test can act in the middle of the campaign on any machine.
  api.answerWith(async () => {
    await delay(20);
    return 200;
  });
});
afterAll(async () => {
  if (kept) await killed(kept);
  await api.close();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  await rm(directory, { recursive: true, force: true });
});

type Product = () => Context;

/** Opens the product over the database as it runs now; each call is a new request of the same owner. */
async function withProduct<T>(
  caller: ReturnType<typeof callerOf>,
  work: (fresh: Product) => Promise<T>,
): Promise<T> {
  const env = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    DATABASE_URL: postgres.url,
    LOYALTY_MASTER_KEYS: key,
    OUTBOUND_ALLOW: api.host,
  };
  const config = { ...loadConfig(env, directory), DATABASE_URL: postgres.url };
  const services = await createServices(config, 'test', { peers: localPeers(subgraphs) });
  try {
    return await work(() => contextOf(services, caller));
  } finally {
    await services.close();
  }
}

let kept: ChildProcess | undefined;
const newWorker = () =>
  startedWorker({ url: postgres.url, masterKeys: key, directory, settings: { OUTBOUND_ALLOW: api.host } });

/** Launches a campaign to all members, in two variants and with a hold-out; returns its id. */
async function launched(fresh: Product): Promise<string> {
  await givenProvider(fresh(), api);
  const emails = Array.from({ length: MEMBERS }, (_, number) => `m${number}@example.com`);
  const segmentId = await givenSegmentOf(fresh(), await enrolMembers(fresh(), emails));
  const variants = ['one', 'two'].map((subject) => ({ subject, html: `<p>${subject}</p>` }));
  const id = await givenCampaign(fresh(), { segmentId, variants, holdOutPercent: 10 });
  await launchCampaign(fresh(), id);
  return id;
}

/** Ends all leases, as some minutes would. */
const passLeases = (ctx: Context): Promise<unknown> =>
  ctx.sql.query(
    `WITH steps AS (UPDATE engagement.campaigns SET due_at = now() WHERE due_at > now())
     UPDATE engagement.messages SET due_at = now(), claims = 0 WHERE due_at > now()`,
  );

const reached = (count: number): Promise<void> =>
  eventually(() => expect(api.mails.length).toBeGreaterThan(count));

/** Expects exactly one mail for every member who is not held out, and correct counts. */
async function expectExact(fresh: Product, id: string): Promise<void> {
  const recipients = await recipientsOfCampaign(fresh(), id);
  expect(recipients).toHaveLength(MEMBERS);
  const heldOut = recipients.filter(({ state }) => state === 'HELD_OUT').length;
  const sent = MEMBERS - heldOut;
  // This provider honours idempotency keys, so it sends one mail for each key.
  expect(new Set(api.mails.map(({ key: one }) => one)).size).toBe(sent);
  expect(new Set(api.mails.map(({ to }) => to)).size).toBe(sent);
  expect(new Set(api.mails.map(({ key: one, to }) => `${one} ${to}`)).size).toBe(sent);
  const campaign = await getCampaign(fresh(), id);
  const byKind = Map.groupBy(recipients, ({ variant, state }) => `${variant} ${state}`);
  expect(
    campaign.recipientCounts.map(({ variant, state, count }) => [`${variant} ${state}`, count]).sort(),
  ).toEqual([...byKind].map(([kind, { length }]) => [kind, length]).sort());
  const figures = await campaignFigures(fresh(), campaign);
  expect(figures).toMatchObject({
    recipients: MEMBERS,
    heldOut,
    sent,
    queued: 0,
    waiting: 0,
    skipped: 0,
    failed: 0,
  });
}

const isSent = (fresh: Product, id: string): Promise<void> =>
  eventually(async () => expect(await getCampaign(fresh(), id)).toMatchObject({ status: 'SENT' }), 90_000);

test('worker and database killed in the middle of a send: nobody is lost, nobody gets two, counts are exact', async () => {
  const caller = callerOf();
  api.mails.length = 0;
  const id = await withProduct(caller, launched);
  for (const kill of [1, 2]) {
    const worker = await newWorker();
    await reached((kill * MEMBERS) / 4);
    if (kill === 2) {
      const [postmaster] = readFileSync(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(postmaster), 'SIGKILL');
    }
    await killed(worker);
    if (kill === 2) {
      await postgres.stop();
      postgres = await startEmbeddedPostgres({ dataDir });
    }
    await withProduct(caller, async (fresh) => {
      expect(await getCampaign(fresh(), id)).toMatchObject({ status: 'SENDING' });
      await passLeases(fresh());
    });
  }
  const last = await newWorker();
  await withProduct(caller, async (fresh) => {
    await isSent(fresh, id);
    await expectExact(fresh, id);
  });
  kept = last;
}, 240_000);

test('once a pause has answered nothing leaves, and afterwards everybody else gets the message', async () => {
  const caller = callerOf();
  api.mails.length = 0;
  // Reuses the worker of the test before.
  const worker = kept ?? (await newWorker());
  await withProduct(caller, async (fresh) => {
    const id = await launched(fresh);
    for (const part of [1, 2]) {
      await reached((part * MEMBERS) / 4);
      await pauseCampaign(fresh(), id);
      const left = api.mails.length;
      await delay(2_000);
      expect(api.mails.length).toBe(left);
      await resumeCampaign(fresh(), id);
    }
    await isSent(fresh, id);
    await expectExact(fresh, id);
    expect(api.mails).toHaveLength(new Set(api.mails.map(({ key: one }) => one)).size);
  });
  await killed(worker);
}, 240_000);
