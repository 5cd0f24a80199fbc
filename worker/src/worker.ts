import { systemCaller } from '@loyalty/platform/caller';
import { createContext, type Services } from '@loyalty/platform/context';
import { OUTBOX_CHANNEL } from '@loyalty/platform/events';
import type { Job } from '@loyalty/platform/jobs';
import { span } from '@loyalty/platform/telemetry';
import { type Job as BossJob, type JobResult, PgBoss } from 'pg-boss';
import { prepareSchedule, queueDue } from './clockwork.ts';
import { type Reaction, reactions } from './reactions.ts';
import { type Envelope, RELAY_BATCH, relayBatch } from './relay.ts';
import { type ScheduleEntry, schedule } from './schedule.ts';
import { tasks } from './tasks.ts';

const RELAY_POLL_MS = 1_000;
const CLOCK_POLL_MS = 1_000;
const STOP_MS = 20_000;
const RETRY_DELAY_MAX_SECONDS = 3_600;
const HEARTBEAT_SECONDS = 60;
/** Jobs of one kind that a worker runs at the same time. */
const BATCH = 8;
/** Long jobs of one kind that a worker runs at the same time. */
const LONG_AT_ONCE = 2;

/** The three tables; tests bring their own. */
export interface Tables {
  readonly tasks: readonly Job[];
  readonly reactions: readonly Reaction[];
  readonly schedule: readonly ScheduleEntry[];
}

export interface Worker {
  /** Hands on every event that waits now; for tests and for a last turn before the end. */
  relay(): Promise<void>;
  /** Takes no new job, finishes the running ones (at most 20 s) and disconnects. */
  stop(): Promise<void>;
}

/** Starts the asynchronous side: relays the outbox, runs jobs, keeps the clockwork. Any number may run. */
export async function startWorker(
  services: Services & { readonly config: { readonly DATABASE_URL: string } },
  tables: Tables = { tasks, reactions, schedule },
): Promise<Worker> {
  const boss = new PgBoss({
    connectionString: services.config.DATABASE_URL,
    max: 4,
    schedule: false,
    useListenNotify: true,
    application_name: 'loyalty-worker',
  });
  boss.on('error', (error) => services.log.error({ err: error }, 'queue error'));
  await boss.start();
  for (const task of tables.tasks) await open(services, boss, task);
  await prepareSchedule(services, tables.schedule);

  const relay = loop(services, RELAY_POLL_MS, async () => {
    while ((await relayBatch(services, boss, tables.reactions)) === RELAY_BATCH);
  });
  const clock = loop(services, CLOCK_POLL_MS, () => queueDue(services, boss, tables.schedule));
  const unsubscribe = services.live.subscribe(OUTBOX_CHANNEL, relay.wake);
  return {
    relay: relay.run,
    async stop() {
      unsubscribe();
      await Promise.all([relay.stop(), clock.stop()]);
      await boss.stop({ graceful: true, timeout: STOP_MS });
    },
  };
}

async function open(services: Services, boss: PgBoss, task: Job): Promise<void> {
  const options = {
    retryLimit: task.retryLimit,
    retryBackoff: true,
    retryDelay: 1,
    retryDelayMax: RETRY_DELAY_MAX_SECONDS,
    expireInSeconds: task.expireInSeconds,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    notify: true,
  };
  await boss.createQueue(task.name, options);
  await boss.updateQueue(task.name, options);
  // A full batch is followed by the next at once, so a backlog does not wait for the poll; each job is
  // settled alone.
  const work = {
    ...(task.isLong ? { batchSize: 1, localConcurrency: LONG_AT_ONCE } : { batchSize: BATCH }),
    perJobResults: true,
    burstWhenBatchFull: true,
    pollingIntervalSeconds: 1,
    notifyPollingIntervalSeconds: 5,
  } as const;
  await boss.work<Envelope>(task.name, work, (jobs) =>
    Promise.all(jobs.map((job) => settle(services, task, job))),
  );
}

/** How one job of a batch ended; one that failed is tried again as its queue says. */
async function settle(
  services: Services,
  task: Job,
  { id, data, signal }: BossJob<Envelope>,
): Promise<JobResult> {
  try {
    await run(services, task, id, data, signal);
    return { id, status: 'completed' };
  } catch (error) {
    return { id, status: 'failed', output: { error: error instanceof Error ? error.name : 'unknown' } };
  }
}

async function run(
  services: Services,
  task: Job,
  id: string,
  envelope: Envelope,
  signal: AbortSignal,
): Promise<void> {
  const { workspaceId, mode, requestId, data } = envelope;
  const caller = systemCaller(task.name, workspaceId ? { workspaceId, mode } : undefined);
  const end = services.metrics.jobSeconds.startTimer({ job: task.name });
  try {
    const ctx = createContext(services, { caller, requestId, signal });
    await span(`job ${task.name}`, { 'job.id': id }, async () => task.run(ctx, data));
    services.metrics.jobsTotal.inc({ job: task.name, outcome: 'succeeded' });
  } catch (error) {
    services.metrics.jobsTotal.inc({ job: task.name, outcome: 'failed' });
    services.log.warn({ err: error, job: task.name, jobId: id, requestId }, 'job failed');
    throw error;
  } finally {
    end();
  }
}

/**
 * Runs `act` every `everyMs`, at once when woken, never twice at a time; a failure is logged and tried again.
 */
function loop(services: Services, everyMs: number, act: () => Promise<void>) {
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  const run = async (): Promise<void> => {
    do {
      again = false;
      await act();
    } while (again && !stopped);
  };
  const wake = (): void => {
    if (stopped) return;
    if (running !== null) again = true;
    else {
      running = run()
        .catch((error: unknown) => services.log.error({ err: error }, 'worker loop failed'))
        .finally(() => {
          running = null;
        });
    }
  };
  const timer = setInterval(wake, everyMs);
  wake();
  return {
    wake,
    async run() {
      await running;
      await act();
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
