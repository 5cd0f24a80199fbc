import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedPostgres } from '@loyalty/prisma/embedded/embedded-postgres';
import { applyMigrations } from '@loyalty/prisma/migrate/migrate';
import pg from 'pg';
import { type JobProgress, runBulkJob } from './bulk/bulk-job.ts';
import { type Deployment, deploymentEnvironment, startDeployment } from './bulk/deployment.ts';
import { generateMembers } from './bulk/generate-members.ts';
import { type BulkBenchOptions, help, OptionError, readOptions } from './bulk/options.ts';
import { makePlainTables, refreshByPlainSql } from './bulk/plain-sql.ts';
import { cpuSecondsOf, memoryOf, postgresCpuSeconds, postgresMemory } from './bulk/process-figures.ts';
import { type Latencies, percentile, startTraffic } from './bulk/traffic.ts';
import { type BulkWorkspace, openWorkspace } from './bulk/workspace.ts';

/** How long points are read and awarded while no job runs. */
const QUIET_MS = 30_000;
const WARM_UP_MS = 15_000;
const TRAFFIC_MEMBERS = 1_000;

const say = (line: string): void => console.log(line);
const count = (value: number): string => Math.round(value).toLocaleString('en');

/** The values that every part of the bench needs. */
interface Bench {
  readonly options: BulkBenchOptions;
  readonly databaseUrl: string;
  readonly pidFile: string;
  readonly client: pg.Client;
  readonly deployment: Deployment;
  readonly workspace: BulkWorkspace;
}

async function main(options: BulkBenchOptions): Promise<void> {
  // The data is on a disk, which has room; the directory for temporary data may be in memory.
  const dataDir = options.keep ?? (await mkdtemp(join(tmpdir(), 'loyalty-bulk-')));
  // PostgreSQL may run as another user, who must be able to enter the directory.
  if (!options.keep) await chmod(dataDir, 0o755);
  const postgres = await startEmbeddedPostgres({ dataDir, fsync: false });
  const client = new pg.Client({ connectionString: postgres.url });
  let deployment: Deployment | undefined;
  try {
    await applyMigrations(postgres.url);
    await client.connect();
    deployment = await startDeployment(environment(postgres.url, options), options.workers);
    const workspace = await openWorkspace(deployment.url, options.members * options.runs);
    const pidFile = join(dataDir, 'cluster', 'postmaster.pid');
    await measure({ options, databaseUrl: postgres.url, pidFile, client, deployment, workspace });
  } finally {
    await deployment?.close();
    await client.end();
    await postgres.stop();
    if (!options.keep) await rm(dataDir, { recursive: true, force: true });
  }
}

const environment = (databaseUrl: string, { callsPerSecond }: BulkBenchOptions) => ({
  ...deploymentEnvironment(databaseUrl),
  BULK_CALLS_PER_SECOND: String(callsPerSecond),
});

async function measure(bench: Bench): Promise<void> {
  const { options, client, deployment, workspace } = bench;
  await populate(bench);
  await makePlainTables(client);
  await client.query('TRUNCATE model.member_states, model.bulk_results, model.bulk_chunks, model.bulk_jobs');
  const to = { secret: workspace.secret, memberIds: await someMembers(bench) };
  let quiet: Latencies | undefined;
  if (options.hasReads) {
    // The first seconds are not measured: code is compiled and caches fill.
    await trafficFor(WARM_UP_MS, () => startTraffic(deployment.url, to));
    quiet = await trafficFor(QUIET_MS, () => startTraffic(deployment.url, to));
  }
  for (let run = 1; run <= options.runs; run += 1) {
    say(`Refresh ${run}, ${options.workers} workers, ${options.callsPerSecond} calls a second:`);
    const traffic = quiet && startTraffic(deployment.url, to);
    const begun = cpuSeconds(bench);
    const { job, seconds } = await refresh(bench);
    sayCpu(begun, cpuSeconds(bench), job.processed);
    if (quiet) sayLatencies(quiet, await traffic!.stop());
    const product = job.processed / seconds;
    await client.query('CHECKPOINT');
    const plainBegun = postgresCpuSeconds(bench.pidFile);
    const plain = await refreshByPlainSql(bench.databaseUrl, workspace.id, job.id);
    const plainCpu = new Map([['plain SQL', postgresCpuSeconds(bench.pidFile) - plainBegun]]);
    sayCpu(new Map(), plainCpu, plain.members);
    if (plain.members !== job.processed) throw new Error(`plain SQL refreshed ${plain.members} members`);
    const limit = plain.members / plain.seconds;
    say(`  product:   ${count(product)} members/s (${seconds.toFixed(1)} s)`);
    say(
      `  plain SQL: ${count(limit)} members/s (${plain.seconds.toFixed(1)} s), ratio ${(product / limit).toFixed(3)}`,
    );
  }
  sayMemory(bench);
  await saySizes(bench);
}

async function trafficFor(ms: number, start: () => ReturnType<typeof startTraffic>): Promise<Latencies> {
  const traffic = start();
  await delay(ms);
  return traffic.stop();
}

/** Generates the members, unless a kept database has them already. */
async function populate({ options, databaseUrl, client, workspace }: Bench): Promise<void> {
  const { rows } = await client.query<{ members: number }>(
    'SELECT count(*)::int AS members FROM loyalty.members WHERE workspace_id = $1',
    [workspace.id],
  );
  const found = rows[0]!.members;
  if (found === options.members) return say(`${count(found)} members are there already.`);
  if (found > 0) throw new Error(`The database holds ${found} members: choose another folder.`);
  const { id: workspaceId, timeZone } = workspace;
  await generateMembers({ ...options, databaseUrl, workspaceId, timeZone }, say);
}

async function someMembers({ client, workspace }: Bench): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM loyalty.members WHERE workspace_id = $1 AND mode = 'LIVE' AND status = 'ACTIVE'
      ORDER BY external_id LIMIT $2`,
    [workspace.id, TRAFFIC_MEMBERS],
  );
  return rows.map(({ id }) => id);
}

/** Runs one job from beginning to end, and prints the memory at every tenth of it. */
async function refresh(bench: Bench): Promise<{ job: JobProgress; seconds: number }> {
  const { client, deployment, workspace, options } = bench;
  await client.query('CHECKPOINT');
  let tenth = 0;
  const { job, seconds } = await runBulkJob(deployment.url, workspace.secret, ({ processed }) => {
    const reached = Math.floor((processed / options.members) * 10);
    if (reached > tenth) say(`  ${String(reached * 10).padStart(3)}%  ${memoryNow(bench)}`);
    tenth = Math.max(tenth, reached);
  });
  const { rows } = await client.query<{ states: number }>(
    'SELECT count(*)::int AS states FROM model.member_states WHERE job_id = $1',
    [job.id],
  );
  if (job.status !== 'COMPLETED' || job.processed !== rows[0]!.states)
    throw new Error(`${rows[0]!.states} states, and the job ended as ${JSON.stringify(job)}`);
  say(`  ${count(job.processed)} members, ${count(job.unavailable)} of them without enough data;`);
  say(`  ${count(job.creditsCharged)} credits`);
  return { job, seconds };
}

function memoryNow({ deployment, pidFile }: Bench): string {
  const shown = [...deployment.processes].map(([name, { pid }]) => `${name} ${count(memoryOf(pid).now)}`);
  return `${shown.join(', ')}, PostgreSQL ${count(postgresMemory(pidFile))} MiB`;
}

/** Processor time by process. Unlike elapsed time, it hardly depends on other work of the machine. */
const cpuSeconds = ({ deployment, pidFile }: Bench): ReadonlyMap<string, number> =>
  new Map([
    ...[...deployment.processes].map(([name, { pid }]) => [name, cpuSecondsOf(pid)] as const),
    ['PostgreSQL', postgresCpuSeconds(pidFile)],
  ]);

function sayCpu(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  members: number,
): void {
  const micros = [...after].map(
    ([name, seconds]) => [name, ((seconds - (before.get(name) ?? 0)) * 1e6) / members] as const,
  );
  const shown = micros.filter(([, each]) => each >= 0.5).map(([name, each]) => `${name} ${each.toFixed(0)}`);
  const all = micros.reduce((sum, [, each]) => sum + each, 0);
  say(`  processor time for each member, µs: ${all.toFixed(0)} (${shown.join(', ')})`);
}

function sayMemory({ deployment }: Bench): void {
  const peaks = [...deployment.processes].map(([name, { pid }]) => `${name} ${count(memoryOf(pid).peak)}`);
  say(`Peak memory, MiB: ${peaks.join(', ')}, this bench ${count(memoryOf(process.pid).peak)}`);
}

async function saySizes({ client, options }: Bench): Promise<void> {
  const { rows } = await client.query<{ database: string; states: string; results: string }>(
    `SELECT pg_database_size(current_database()) - (
              SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class AS c
               WHERE c.relnamespace = 'bench'::regnamespace AND c.relkind = 'r') AS database,
            pg_total_relation_size('model.member_states') AS states,
            (SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('model.bulk_results')) AS results`,
  );
  const { database, states, results } = rows[0]!;
  const each = (bytes: string) => count(Number(bytes) / options.members);
  say(`Database: ${count(Number(database) / 1024 ** 2)} MiB, ${each(database)} bytes a member;`);
  say(`  of them ${each(states)} for the state and ${each(results)} for results`);
}

function sayLatencies(before: Latencies, during: Latencies): void {
  for (const kind of ['reads', 'awards'] as const) {
    const shown = [0.5, 0.99].map((share) => {
      const [quiet, busy] = [percentile(before[kind], share), percentile(during[kind], share)];
      return `p${share * 100} ${quiet.toFixed(1)} → ${busy.toFixed(1)} ms (${(busy / quiet).toFixed(2)}x)`;
    });
    say(`  ${kind} before → during: ${shown.join(', ')}`);
  }
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));
try {
  const options = readOptions(process.argv.slice(2));
  if (options) await main(options);
  else say(help);
} catch (error) {
  console.error(error instanceof OptionError ? error.message : error);
  process.exitCode = 1;
}
