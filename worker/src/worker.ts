import type { Services } from '@loyalty/platform/context';
import { outsideTrace } from '@loyalty/platform/observe/spans';
import { OUTBOX_CHANNEL } from '@loyalty/platform/work/events';
import { jobServices } from '@loyalty/platform/work/job-services';
import type { Job } from '@loyalty/platform/work/jobs';
import { PgBoss } from 'pg-boss';
import { createErrorDigest } from './error-digest.ts';
import { workExhausted } from './exhausted-jobs.ts';
import { workLong } from './long-jobs.ts';
import { loops } from './loops.ts';
import { runUnlessLost } from './lost-jobs.ts';
import { type Envelope, openQueue, queueConnections } from './queues.ts';
import { consumers, reactions } from './reactions.ts';
import { RELAY_BATCH, relayBatch } from './relay.ts';
import { repeatedly } from './repeatedly.ts';
import { runLoops } from './run-loops.ts';
import { schedule } from './schedule.ts';
import { prepareSchedule, queueDue } from './scheduler.ts';
import { type Tables, tasksOf } from './tasks.ts';

/** Events of a tenth of a second are passed on together, because each turn costs about thirty statements. */
const RELAY_INTERVALS = { everyMs: 1_000, restMs: 100 };
const SCHEDULER_INTERVALS = { everyMs: 1_000 };
/**
 * Shorter than the time limit for ending the process: jobs that run longer are returned to the queue first,
 * so that they lose no worker.
 */
const STOP_MS = 15_000;
/** Maximum of jobs of one kind that a worker runs at the same time. */
const BATCH = 8;

export interface Worker {
  /** Passes on every event that waits now; for tests and for a last turn before the end. */
  relay(): Promise<void>;
  /**
   * Takes no new jobs, finishes the running ones (at most 15 s), returns the others to the queue and
   * disconnects.
   */
  stop(): Promise<void>;
}

/**
 * Starts a worker, which relays the outbox and runs the scheduler and the jobs. Any number of workers may
 * run.
 */
export async function startWorker(
  given: Services & { readonly config: { readonly DATABASE_URL: string } },
  tables: Tables = { reactions, schedule, loops, consumers },
): Promise<Worker> {
  const { services, close } = jobServices(given);
  const boss = new PgBoss({
    ...queueConnections(given.config.DATABASE_URL),
    max: 4,
    schedule: false,
    // Finished jobs are deleted by one statement; it runs often, so that it is short.
    maintenanceIntervalSeconds: 60,
    useListenNotify: true,
  });
  const queueErrors = createErrorDigest(services.log, 'queue error');
  const loopErrors = createErrorDigest(services.log, 'worker loop failed');
  boss.on('error', queueErrors.report);
  await boss.start();
  const tasks = tasksOf(tables);
  await workExhausted(services, boss, tasks);
  await workLong(services, boss, tasks);
  for (const task of tasks) if (!task.isLong) await open(services, boss, task);
  await prepareSchedule(services, tables.schedule);

  const relay = repeatedly(loopErrors, RELAY_INTERVALS, async () => {
    while ((await relayBatch(services, boss, tables.reactions, tables.consumers)) === RELAY_BATCH);
  });
  const scheduler = repeatedly(loopErrors, SCHEDULER_INTERVALS, () =>
    queueDue(services, boss, tables.schedule),
  );
  const running = runLoops(services, loopErrors, tables.loops ?? []);
  const unsubscribe = services.live.subscribe(OUTBOX_CHANNEL, () => outsideTrace(relay.wake));
  return {
    relay: relay.run,
    async stop() {
      unsubscribe();
      await Promise.all([relay.stop(), scheduler.stop()]);
      await Promise.all([running.stop(), boss.stop({ graceful: true, timeout: STOP_MS })]);
      await close();
      queueErrors.close();
      loopErrors.close();
    },
  };
}

async function open(services: Services, boss: PgBoss, task: Job): Promise<void> {
  await openQueue(boss, task.name, task, services.config);
  // The next batch follows a full one at once, so that a backlog does not wait for the poll. Each job has its
  // own result.
  const work = {
    ...(task.atOnce ? { batchSize: 1, localConcurrency: task.atOnce } : { batchSize: BATCH }),
    perJobResults: true,
    burstWhenBatchFull: true,
    pollingIntervalSeconds: 1,
    notifyPollingIntervalSeconds: 5,
  } as const;
  await boss.work<Envelope>(task.name, work, (jobs) =>
    Promise.all(jobs.map((job) => runUnlessLost(services, task, job))),
  );
}
