import type { ClientsTask, Compared } from './clients.process.ts';
import type { Committed, JobTask } from './job.process.ts';
import { type Memory, startBenchProcess } from './processes.ts';
import type { ServerTask, Started, Statements } from './server.process.ts';

/**
 * Measures thousands of clients that watch one running job, each over a WebSocket of its own: how soon they
 * receive what was committed, whether any client misses the end, and the cost. `--quick` does a tenth of it.
 */
const isQuick = process.argv.includes('--quick');
const WATCHERS = isQuick ? 200 : 2_000;
const SECONDS = isQuick ? 5 : 30;
const CHANGES_PER_SECOND = 10;
/** One credential may have 200 open sockets. */
const PER_KEY = 200;

const server = startBenchProcess<ServerTask>('./server.process.ts');
const job = startBenchProcess<JobTask>('./job.process.ts');
const clients = startBenchProcess<ClientsTask>('./clients.process.ts');
const processes = { server, job, clients };
try {
  const started = await server.do<Started>({ kind: 'start', keys: WATCHERS / PER_KEY });
  const { url, keys, env, owner, foreignKey } = started;
  const id = await job.do<string>({ kind: 'start', env, caller: owner });
  await clients.do({ kind: 'watch', url, keys, id, watchers: WATCHERS });
  const refused = await clients.do<string>({ kind: 'try', url, key: foreignKey, id });
  if (!refused.includes('NOT_FOUND')) throw new Error(`Another workspace was answered with ${refused}`);
  await server.do({ kind: 'count' });
  const before = await memories();
  const startedAt = performance.now();
  const committed = await job.do<Committed[]>({
    kind: 'run',
    changesPerSecond: CHANGES_PER_SECOND,
    seconds: SECONDS,
  });
  const compared = await clients.do<Compared>({ kind: 'compare', committed });
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = await memories();
  const { reads, all } = await server.do<Statements>({ kind: 'count' });
  report(compared, { committed: committed.length, reads, all });
  for (const name of Object.keys(processes) as (keyof typeof processes)[]) {
    console.log(`  ${name}: ${used(before[name], after[name], seconds)}`);
  }
  if (compared.lost > 0 || compared.disordered > 0) process.exitCode = 1;
} finally {
  await Promise.all(Object.values(processes).map((each) => each.stop()));
}

async function memories(): Promise<Record<keyof typeof processes, Memory>> {
  const [first, second, third] = await Promise.all([server.memory(), job.memory(), clients.memory()]);
  return { server: first, job: second, clients: third };
}

function report(
  { messages, medianMs, p99Ms, maxMs, lost, disordered }: Compared,
  counted: Statements & { committed: number },
): void {
  const { committed, reads, all } = counted;
  const ms = (value: number) => value.toFixed(0);
  console.log(
    [
      `${WATCHERS} watchers, ${committed} changes in ${SECONDS} s: ${messages} messages`,
      `  from commit to message: median ${ms(medianMs)} ms, p99 ${ms(p99Ms)} ms, longest ${ms(maxMs)} ms`,
      `  watchers that missed the end: ${lost}; messages out of order: ${disordered}`,
      `  database reads of the job: ${reads}, ${(reads / committed).toFixed(2)} for each change (${all} statements in all)`,
      '  a watcher of another workspace: NOT_FOUND',
    ].join('\n'),
  );
}

function used(before: Memory, after: Memory, seconds: number): string {
  const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0);
  const cores = (after.cpuMs - before.cpuMs) / 1_000 / seconds;
  return (
    `resident ${megabytes(before.rssBytes)} MB, then ${megabytes(after.rssBytes)} MB; ` +
    `heap ${megabytes(before.heapBytes)} MB, then ${megabytes(after.heapBytes)} MB; ${cores.toFixed(2)} cores`
  );
}
