import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { applyMigrations } from '@loyalty/prisma/migrate/migrate';
import pg from 'pg';
import type { Deployment } from '../bulk/deployment.ts';
import { postgresCpuSeconds } from '../bulk/process-figures.ts';
import { percentile } from '../bulk/traffic.ts';
import { type BenchProcess, startBenchProcess } from '../watchers/processes.ts';
import type { Arrivals, ReceiverTask } from '../webhooks/receiver.process.ts';
import {
  type DatabaseFigures,
  growth,
  readFigures,
  slowest,
  startCounting,
  waitUntilFinished,
} from './database-figures.ts';
import { brokenInvariants } from './invariants.ts';
import type { LoadTask } from './load.process.ts';
import { cpuSeconds, memory, startMixedProduct, waiting } from './mixed-product.ts';
import { classes } from './mixture.ts';
import type { StepResult, StepTask } from './open-load.ts';
import { help, type MixOptions, readMixOptions } from './options.ts';
import { openWorkspaces } from './workspaces.ts';

/** Reads of members that take longer count as slow. The knee is the last step before reads are slow. */
const SLOW_MS = 250;
/** The load of a run with one class of requests alone. */
const ALONE = { rate: 10, seconds: 10 };
const FINISHED_SECONDS = 300;
const SLOWEST = 12;

const say = (line: string): void => console.log(line);

/** The figures of the database, and the processor time of the product and of PostgreSQL. */
interface Figures extends DatabaseFigures {
  readonly productMs: number;
  readonly postgresMs: number;
}

interface Bench {
  readonly options: MixOptions;
  readonly product: Deployment;
  readonly load: BenchProcess<LoadTask>;
  /** The process that receives webhooks. */
  readonly receiver: BenchProcess<ReceiverTask>;
  readonly client: pg.Client;
  readonly pidFile: string;
}

async function main(options: MixOptions): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'loyalty-mix-'));
  // PostgreSQL may run as another user, who must be able to enter the directory.
  await chmod(dataDir, 0o755);
  const postgres = await startCounting(dataDir);
  const client = new pg.Client({ connectionString: postgres.url });
  const load = startBenchProcess<LoadTask>('./load.process.ts');
  const receiver = startBenchProcess<ReceiverTask>('../webhooks/receiver.process.ts');
  let product: Deployment | undefined;
  try {
    await applyMigrations(postgres.url);
    await client.connect();
    const host = await receiver.do<string>({ kind: 'listen' });
    product = await startMixedProduct(postgres.url, options.isSeven, host);
    say(`Idle: ${memory(product).toFixed(0)} MiB of ${product.processes.size} processes.`);
    const target = { url: product.url, databaseUrl: postgres.url, receiverUrl: `http://${host}/0` };
    const workspaces = await openWorkspaces(target, options.members, say);
    await load.do({ kind: 'open', url: product.url, workspaces });
    const pidFile = join(dataDir, 'cluster', 'postmaster.pid');
    await measure({ options, product, load, receiver, client, pidFile });
  } finally {
    await load.stop();
    await receiver.stop();
    await product?.close();
    await client.end();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measure(bench: Bench): Promise<void> {
  const { options, client } = bench;
  await sayAlone(bench);
  await client.query('SELECT pg_stat_statements_reset()');
  const knee = await ramp(bench);
  say(`The knee: ${knee} requests a second.`);
  say(`What the database spent its time on:\n  ${(await slowest(client, SLOWEST)).join('\n  ')}`);
  await waitUntilFinished(client, FINISHED_SECONDS);
  if (knee > 0) {
    say('Half of the knee:');
    await step(bench, { rate: Math.ceil(knee / 2), seconds: options.seconds });
    if (options.hold > 0) {
      say(`${options.hold} minutes at 80% of the knee:`);
      await step(bench, { rate: Math.ceil(0.8 * knee), seconds: 60 * options.hold });
    }
  }
  await waitUntilFinished(client, FINISHED_SECONDS);
  const broken = await brokenInvariants(client);
  say(broken.length === 0 ? 'Every invariant holds.' : `BROKEN: ${broken.join('; ')}`);
  if (broken.length > 0) process.exitCode = 1;
}

/**
 * Prints statements, commits and processor time of each class of requests, including the work that follows,
 * and without what the idle product uses.
 */
async function sayAlone(bench: Bench): Promise<void> {
  const { load, client, options } = bench;
  await waitUntilFinished(client, FINISHED_SECONDS);
  const idle = await grown(bench, () => delay(1_000 * ALONE.seconds));
  for (const only of options.only ? [options.only] : classes) {
    const began = performance.now();
    let requests = 0;
    const caused = await grown(bench, async () => {
      const { sent, unexpected } = await load.do<StepResult>({ kind: 'step', ...ALONE, only });
      requests = sent;
      for (const each of unexpected) say(`  UNEXPECTED ${each}`);
      await waitUntilFinished(client, FINISHED_SECONDS);
    });
    const idling = (performance.now() - began) / 1_000 / ALONE.seconds;
    const each = (name: keyof Figures) =>
      ((caused[name] - idling * idle[name]) / requests).toFixed(1).padStart(6);
    say(
      `${each('statements')} statements, ${each('commits')} commits, processor ${each('productMs')} ms of the ` +
        `product and ${each('postgresMs')} ms of PostgreSQL a request of class ${only}`,
    );
  }
}

async function grown(bench: Bench, act: () => Promise<unknown>): Promise<Figures> {
  const before = await figuresOf(bench);
  await act();
  return growth(before, await figuresOf(bench));
}

const figuresOf = async ({ client, product, pidFile }: Bench): Promise<Figures> => ({
  ...(await readFigures(client)),
  productMs: 1_000 * cpuSeconds(product),
  postgresMs: 1_000 * postgresCpuSeconds(pidFile),
});

/** Raises the rate until reads of members are slow. */
async function ramp(bench: Bench): Promise<number> {
  const { options } = bench;
  let knee = 0;
  for (let rate = options.rate; rate <= options.most; rate += options.step) {
    const isFast = await step(bench, { rate, seconds: options.seconds });
    if (!isFast) break;
    knee = rate;
  }
  return knee;
}

/** Runs a step, and returns whether reads of members were fast enough. */
async function step(bench: Bench, task: StepTask): Promise<boolean> {
  const { product, load, receiver, options } = bench;
  await receiver.do({ kind: 'reset' });
  const began = performance.now();
  const { cpuMs: loadBefore } = await load.memory();
  let waits = 0;
  const sampling = setInterval(async () => {
    waits = Math.max(waits, await waiting(product).catch(() => 0));
  }, 1_000);
  let result!: StepResult;
  const caused = await grown(bench, async () => {
    result = await load.do<StepResult>({ kind: 'step', only: options.only, ...task });
  });
  clearInterval(sampling);
  const seconds = (performance.now() - began) / 1_000;
  const percent = (spent: number) => `${((100 * spent) / seconds).toFixed(0)}%`;
  const cpu = [
    `product ${percent(caused.productMs / 1_000)}`,
    `PostgreSQL ${percent(caused.postgresMs / 1_000)}`,
    `load ${percent(((await load.memory()).cpuMs - loadBefore) / 1_000)}`,
  ];
  const reads = result.latencies[options.only ?? 'member read'];
  const [half, most] = [percentile(reads, 0.5), percentile(reads, 0.99)];
  const webhooks = await receiver.do<Arrivals>({ kind: 'wait', count: 0, seconds: 0 });
  const per = (bytes: number) => (bytes / 2 ** 20 / (result.sent / 1_000)).toFixed(1);
  say(
    `${String(task.rate).padStart(5)}/s  reads p50 ${half.toFixed(0)} p99 ${most.toFixed(0)} ms` +
      `  processors: ${cpu.join(', ')}  waiting for a connection: ${waits}` +
      `  ${(caused.statements / result.sent).toFixed(1)} statements, ` +
      `${(caused.commits / result.sent).toFixed(1)} commits a request` +
      `  of 1,000 requests: ${per(caused.walBytes)} MiB of log, ${per(caused.sizeBytes)} MiB of tables` +
      `  memory ${memory(product).toFixed(0)} MiB` +
      `  ${webhooks.count} webhooks` +
      (webhooks.count > 0 ? `, half of them ${webhooks.p50Ms.toFixed(0)} ms after their events` : ''),
  );
  for (const kind of options.only ? [] : classes) {
    const all = result.latencies[kind];
    say(
      `         ${kind.padEnd(17)} p50 ${percentile(all, 0.5).toFixed(0)} p99 ${percentile(all, 0.99).toFixed(0)} ms`,
    );
  }
  for (const each of result.unexpected) say(`  UNEXPECTED ${each}`);
  if (result.unexpectedCount > 0) {
    say(`  ${result.unexpectedCount} of ${result.received} answers are not as they must be.`);
    process.exitCode = 1;
  }
  return most <= SLOW_MS && !result.isOverloaded;
}

try {
  const options = readMixOptions(process.argv.slice(2));
  if (options) await main(options);
  else say(help);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
