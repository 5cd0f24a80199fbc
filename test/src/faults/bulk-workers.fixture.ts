import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Context } from '@loyalty/platform/context';
import type { UsedServices } from '../harness/services.ts';
import { compileCache } from '../processes/compile-cache.ts';

const child = fileURLToPath(new URL('./bulk-worker.process.ts', import.meta.url));

/** What a worker process needs to know. */
export interface WorkerPlace {
  readonly url: string;
  readonly masterKeys: string;
  readonly directory: string;
  /** More settings. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A worker in a process of its own; resolves once it works. */
export async function startedWorker(place: WorkerPlace): Promise<ChildProcess> {
  const { url, masterKeys, directory, settings } = place;
  const running = spawn(process.execPath, [child, directory], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      ...compileCache,
      DATABASE_URL: url,
      LOYALTY_MASTER_KEYS: masterKeys,
      // Slow enough for something to happen in the middle, on any machine.
      BULK_CALLS_PER_SECOND: '1',
      ...settings,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(running.stdout!, 'data');
  return running;
}

/** Workers over the database of a test file; those that still run at its end are killed. */
export function useWorkers(
  used: Pick<UsedServices, 'services' | 'beforeClose'>,
  settings: () => Readonly<Record<string, string>> = () => ({}),
) {
  let kept: ChildProcess | undefined;
  async function newWorker(): Promise<ChildProcess> {
    const { config, url } = used.services;
    const masterKeys = config.masterKeys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(',');
    const worker = await startedWorker({ url, masterKeys, directory: config.dataDir, settings: settings() });
    used.beforeClose(() => killed(worker));
    return worker;
  }
  return {
    newWorker,
    /** The worker that an earlier test has kept, or a new one: its start may cost more than its work. */
    async worker(): Promise<ChildProcess> {
      const worker = kept ?? (await newWorker());
      kept = undefined;
      return worker;
    },
    keep(worker: ChildProcess): void {
      kept = worker;
    },
  };
}

export async function killed(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  const closed = once(worker, 'close');
  worker.kill('SIGKILL');
  await closed;
}

/** Chunks that a worker has claimed and not written. */
export async function claims(ctx: Context): Promise<number> {
  const [row] = await ctx.sql.query<{ claims: number }>(
    `SELECT count(*)::int AS claims FROM model.bulk_chunks
      WHERE workspace_id = $1 AND is_open AND due_at > now() + interval '60 seconds'`,
    [ctx.scope.workspaceId],
  );
  return row!.claims;
}

/** Leases of workers that are gone are over, as after two minutes; nobody is blamed for the kills. */
export const passLeases = (ctx: Context): Promise<unknown> =>
  ctx.sql.query(
    `WITH scan AS (UPDATE model.bulk_jobs SET scan_due_at = now() - interval '1 second', scan_claims = 0
      WHERE workspace_id = $1)
     UPDATE model.bulk_chunks SET due_at = now() - interval '1 second', claims = 0 WHERE workspace_id = $1 AND is_open`,
    [ctx.scope.workspaceId],
  );
