import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { enrolMembers } from '@loyalty/engagement-subgraph/members.fixture';
import { addEmailProvider } from '@loyalty/engagement-subgraph/providers/email-providers.service';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { createContext } from '@loyalty/platform/database/create-context';
import { workerOptions } from './bulk/deployment.ts';
import { type BenchProduct, startProduct } from './product.ts';

/**
 * Sends a campaign in two variants, with a hold-out, to many members. One worker renders the messages and
 * posts them to the API of a mail provider on this machine. Prints messages per second from the launch to the
 * last message, and memory. `--members 100000` is the default.
 */
const BAR = 1_000;
/** The most that the memory of the worker may grow from the first tenth of the run to its end, in MiB. */
const GROWTH_MAX = 150;
const { members = '100000' } = Object.fromEntries(
  process.argv.slice(2).map((word, place, all) => [word.replace(/^--/, ''), all[place + 1] ?? '']),
) as { members?: string };
const MEMBERS = Number(members);

const ENROLLING = 6;

const HTML = `<html><body><h1>Hello {{ member.first_name }}</h1>${'<p>You have {{ member.points_balance }} points.</p>'.repeat(
  10,
)}<a href="https://shop.example/news">News</a></body></html>`;

const FIGURES = `query ($id: ID!) { campaign(id: $id) { status
  figures { recipients waiting queued sent failed skipped skips { reason count } } } }`;

const started: ChildProcess[] = [];
const product = await startProduct();
try {
  await measure(product);
} finally {
  for (const each of started) each.stdin?.end();
  await product.close();
}

async function measure({ services, owner, env, run }: BenchProduct): Promise<void> {
  const provider = await start('./mail-provider.process.ts', [], {});
  const host = `127.0.0.1:${provider.line}`;
  const config = { ...services.config, OUTBOUND_ALLOW: [host] };
  const newContext = () => createContext({ ...services, config }, { caller: owner, requestId: 'bench' });
  await addEmailProvider(newContext(), {
    name: 'Local',
    kind: 'RESEND',
    fromAddress: 'shop@example.com',
    config: { endpoint: `http://${host}` },
    secret: { apiKey: 'key' },
  });
  const segmentId = await givenMembers(newContext());
  const variant = (weight: number) => ({ weight, subject: 'News for {{ member.first_name }}', html: HTML });
  const { createCampaign } = await run(
    'mutation ($input: CreateCampaignInput!) { createCampaign(input: $input) { id } }',
    {
      input: {
        name: 'Bench',
        channel: 'EMAIL',
        segmentId,
        holdOutPercent: 5,
        variants: [variant(2), variant(1)],
      },
    },
  );
  const { id } = createCampaign as { id: string };
  const worker = await start('../faults/bulk-worker.process.ts', [services.config.dataDir], {
    ...(env as Record<string, string>),
    OUTBOUND_ALLOW: host,
  });
  const begunAt = performance.now();
  await run('mutation ($id: ID!) { launchCampaign(id: $id) { id } }', { id });
  const { sent, rssMiB } = await untilSent(run, id, worker.pid, begunAt);
  const rate = sent / ((performance.now() - begunAt) / 1_000);
  const growth = rssMiB.at(-1)! - rssMiB[Math.floor(rssMiB.length / 10)]!;
  console.log(`${sent} messages, ${rate.toFixed(0)} a second from launch to the last`);
  console.log(
    `worker: ${Math.max(...rssMiB).toFixed(0)} MiB at most, ${growth.toFixed(0)} MiB more at the end`,
  );
  if (rate < BAR) throw new Error(`There must be at least ${BAR} messages a second.`);
  if (growth > GROWTH_MAX) throw new Error(`The worker must not grow by more than ${GROWTH_MAX} MiB.`);
}

async function untilSent(run: BenchProduct['run'], id: string, worker: number, begunAt: number) {
  const rssMiB: number[] = [];
  for (let tick = 0; ; tick += 1) {
    const { campaign } = (await run(FIGURES, { id })) as {
      campaign: { status: string; figures: { sent: number; failed: number; skipped: number } };
    };
    const { status, figures } = campaign;
    rssMiB.push(rssMiBOf(worker));
    if (tick % 5 === 0)
      console.log(
        `${((performance.now() - begunAt) / 1_000).toFixed(0)} s: ${rssMiB.at(-1)!.toFixed(0)} MiB ` +
          JSON.stringify(figures),
      );
    if (figures.failed + figures.skipped > 0) throw new Error('Nobody may be skipped.');
    if (status === 'SENT') return { sent: figures.sent, rssMiB };
    await delay(1_000);
  }
}

function rssMiBOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1_024;
}

/** Enrols members, with a limited number of calls at once, and makes a segment of all of them. */
async function givenMembers(ctx: Context): Promise<string> {
  const { workspaceId, mode } = ctx.scope;
  const segmentId = newId(ctx.clock);
  const now = ctx.clock.now();
  await ctx.sql.query(
    `INSERT INTO engagement.segments (workspace_id, mode, id, name, definition, aspects, nested_ids,
            computed_version, computed_at, member_count, actor, created_at, updated_at)
     VALUES ($1, $2::platform."Mode", $3, 'All', '{"field":"points_balance","operator":"at_least","value":0}',
             '{POINTS}', '{}', 1, $4, $5, 'user:bench', $4, $4)`,
    [workspaceId, mode, segmentId, now, MEMBERS],
  );
  const emails = Array.from({ length: MEMBERS }, (_, number) => `member-${number}@example.com`);
  const parts = Array.from({ length: ENROLLING }, (_, part) =>
    emails.filter((_each, at) => at % ENROLLING === part),
  );
  const ids = (await Promise.all(parts.map((part) => enrolMembers(ctx, part)))).flat();
  await ctx.sql.query(
    `INSERT INTO engagement.segment_members (workspace_id, mode, segment_id, member_id, is_member, entered_at)
     SELECT $1, $2::platform."Mode", $3, m.id, true, $5 FROM unnest($4::uuid[]) AS m(id)`,
    [workspaceId, mode, segmentId, ids, now],
  );
  for (const table of ['loyalty.members', 'engagement.segment_members'])
    await ctx.sql.query(`ANALYZE ${table}`);
  return segmentId;
}

/** Starts a process from a file beside this one; resolves with the first line that it prints. */
async function start(file: string, args: readonly string[], env: Record<string, string>) {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...workerOptions, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  started.push(child);
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  return { pid: child.pid!, line: String(line).trim() };
}
