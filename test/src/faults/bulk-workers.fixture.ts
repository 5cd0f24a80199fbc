import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Context } from '@loyalty/platform/context';
import type { UsedServices } from '../harness/services.ts';
import { compileCache } from '../processes/compile-cache.ts';

const child = fileURLToPath(new URL('./bulk-worker.process.ts', import.meta.url));

/** The database and settings that a worker process needs. */
export interface WorkerPlace {
  readonly url: string;
  readonly masterKeys: string;
  readonly directory: string;
  /** Additional settings. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Starts a worker in a process of its own; resolves when it is ready. */
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
      // A low rate, so that the test can act in the middle of the job on any machine.
      BULK_CALLS_PER_SECOND: '1',
      ...settings,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(running.stdout!, 'data');
  return running;
}

/** Starts workers over the database of a test file, and kills them after its tests. */
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
    /**
     * The worker that an earlier test kept, or a new one. The start of a worker may take longer than its
     * work.
     */
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

/** The number of chunks that a worker has claimed and not yet written. */
export async function claims(ctx: Context): Promise<number> {
  const [row] = await ctx.sql.query<{ claims: number }>(
    `SELECT count(*)::int AS claims FROM model.bulk_chunks
      WHERE workspace_id = $1 AND is_open AND due_at > now() + interval '60 seconds'`,
    [ctx.scope.workspaceId],
  );
  return row!.claims;
}

/**
 * Ends all leases, as two minutes would. It also resets the counts of claims, so that no chunk is given up
 * because of the kills.
 */
export const passLeases = (ctx: Context): Promise<unknown> =>
  ctx.sql.query(
    `WITH scan AS (UPDATE model.bulk_jobs SET scan_due_at = now() - interval '1 second', scan_claims = 0
      WHERE workspace_id = $1)
     UPDATE model.bulk_chunks SET due_at = now() - interval '1 second', claims = 0 WHERE workspace_id = $1 AND is_open`,
    [ctx.scope.workspaceId],
  );
