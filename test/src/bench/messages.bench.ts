import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { enrolMembers } from '@loyalty/engagement-subgraph/members.fixture';
import { givenTemplate } from '@loyalty/engagement-subgraph/messages/messages.fixture';
import { queueMessages } from '@loyalty/engagement-subgraph/messages/queue-messages.service';
import { addEmailProvider } from '@loyalty/engagement-subgraph/providers/email-providers.service';
import type { Context } from '@loyalty/platform/context';
import { createContext } from '@loyalty/platform/database/create-context';
import { cpuSecondsOf, postgresCpuSeconds } from './bulk/process-figures.ts';
import { type BenchProduct, startProduct } from './product.ts';

/**
 * Sends messages from a template to members: one worker renders them and posts them to the API of a mail
 * provider on this machine. Prints messages per second and processor time per message.
 */
const BAR = 1_500;
const MEMBERS = 5_000;
const ROUNDS = 4;

/** About as long as a receipt in an e-mail. */
const HTML = `<html><body><h1>Thank you, {{ member.first_name }}</h1>${'<p>Order {{ data.order_number }}.</p>'.repeat(
  20,
)}<p>You have {{ member.points_balance }} points.</p><a href="https://shop.example/orders">Orders</a></body></html>`;

const started: ChildProcess[] = [];
const product = await startProduct();
try {
  await measure(product);
} finally {
  for (const each of started) each.stdin?.end();
  await product.close();
}

async function measure({ services, owner, env }: BenchProduct): Promise<void> {
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
  const emails = Array.from({ length: MEMBERS }, (_, number) => `member-${number}@example.com`);
  const memberIds = await enrolMembers(newContext(), emails);
  const templateId = await givenTemplate(newContext(), { html: HTML });
  const worker = await start('../faults/bulk-worker.process.ts', [services.config.dataDir], {
    ...(env as Record<string, string>),
    OUTBOUND_ALLOW: host,
  });
  for (let round = 0; round <= ROUNDS; round += 1) {
    const before = await cpuOf(newContext(), worker.pid, provider.pid);
    const begunAt = performance.now();
    const data = { order_number: '1001' };
    const source = { kind: 'CAMPAIGN', id: randomUUID(), nodeId: '' } as const;
    await queueMessages(newContext(), {
      ...{ channel: 'EMAIL', category: 'TRANSACTIONAL', templateId, source, data },
      recipients: memberIds.map((memberId) => ({ memberId, key: `campaign:${source.id}:${memberId}` })),
    });
    const queuedMs = performance.now() - begunAt;
    await sent(newContext(), MEMBERS * (round + 1));
    const seconds = (performance.now() - begunAt) / 1_000;
    const after = await cpuOf(newContext(), worker.pid, provider.pid);
    const cpu = Object.entries(after).map(
      ([name, value]) => `${name} ${(((value - before[name]!) * 1e6) / MEMBERS).toFixed(0)}`,
    );
    const rate = MEMBERS / seconds;
    const name = round === 0 ? 'warm-up' : `round ${round}`;
    console.log(
      `${name}: ${rate.toFixed(0)} messages/s (queued in ${queuedMs.toFixed(0)} ms), µs each: ${cpu.join(', ')}`,
    );
    if (round === ROUNDS && rate < BAR) throw new Error(`There must be at least ${BAR} messages/s.`);
  }
}

async function sent(ctx: Context, wanted: number): Promise<void> {
  const { workspaceId } = ctx.scope;
  const isWaiting = async () => {
    const rows = await ctx.sql.query(
      'SELECT FROM engagement.messages WHERE workspace_id = $1 AND due_at IS NOT NULL LIMIT 1',
      [workspaceId],
    );
    return rows.length > 0;
  };
  while (await isWaiting()) await delay(50);
  const [row] = await ctx.sql.query<{ sent: number }>(
    `SELECT count(*)::int AS sent FROM engagement.messages WHERE workspace_id = $1 AND status = 'SENT'`,
    [workspaceId],
  );
  if (row!.sent !== wanted) throw new Error(`Only ${row!.sent} of ${wanted} messages were sent.`);
}

/** Starts a process from a file beside this one; resolves with the first line that it prints. */
async function start(file: string, args: readonly string[], env: Record<string, string>) {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], {
    env: { PATH: process.env['PATH'] ?? '', NODE_OPTIONS: '--max-semi-space-size=16', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  started.push(child);
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  return { pid: child.pid!, line: String(line).trim() };
}

/** The processor time of each process so far, in seconds. */
async function cpuOf(ctx: Context, worker: number, provider: number): Promise<Record<string, number>> {
  const [row] = await ctx.sql.query<{ directory: string }>(
    `SELECT current_setting('data_directory') AS directory`,
  );
  const server = postgresCpuSeconds(join(row!.directory, 'postmaster.pid'));
  return { worker: cpuSecondsOf(worker), provider: cpuSecondsOf(provider), PostgreSQL: server };
}
