import { tmpdir } from 'node:os';
import type { Caller } from '@loyalty/platform/base/caller';
import { loadConfig } from '@loyalty/platform/config/config';
import { createContext } from '@loyalty/platform/database/create-context';
import { createServices } from '@loyalty/platform/services';
import { serveTasks } from './processes.ts';
import { type RunningJob, watchedImport } from './watched-job.ts';

/** Runs the watched job in a process of its own, as a worker does. */
export type JobTask =
  | { readonly kind: 'start'; readonly env: NodeJS.ProcessEnv; readonly caller: Caller }
  | { readonly kind: 'run'; readonly changesPerSecond: number; readonly seconds: number };

/** A committed state: rows processed, and milliseconds of the machine's monotonic clock. */
export type Committed = readonly [processed: number, atMs: number];

let running: RunningJob;

serveTasks<JobTask>(async (task) => {
  if (task.kind === 'run') return run(task.changesPerSecond, task.seconds);
  const config = loadConfig(task.env, tmpdir());
  const url = { DATABASE_URL: task.env['DATABASE_URL']! };
  const services = await createServices({ ...config, ...url }, 'bench-job');
  running = await watchedImport.start(createContext(services, { caller: task.caller, requestId: 'bench' }));
  return running.id;
});

async function run(changesPerSecond: number, seconds: number): Promise<Committed[]> {
  const committed: Committed[] = [];
  const startedAt = performance.now();
  for (let change = 1; change <= changesPerSecond * seconds; change += 1) {
    const waitMs = startedAt + (change * 1_000) / changesPerSecond - performance.now();
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, waitMs)));
    await running.change();
    committed.push([change, Number(process.hrtime.bigint()) / 1e6]);
  }
  await running.end();
  return committed;
}
