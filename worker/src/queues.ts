import type { Config } from '@loyalty/platform/config/config';
import type { Job } from '@loyalty/platform/work/jobs';
import { QueueClient } from '@loyalty/platform/work/queue-client';
import type { ConnectionOptions, PgBoss } from 'pg-boss';

/**
 * Queue of all long jobs of every kind. There is only one, because a workspace may run one long job at a
 * time.
 */
export const LONG_QUEUE = 'worker.long';
/** Queue of jobs whose attempts have all failed, or whose last worker was lost. */
export const EXHAUSTED_QUEUE = 'worker.exhausted';

const RETRY_DELAY_MAX_SECONDS = 3_600;
const HEARTBEAT_SECONDS = 60;

/**
 * Separate connections for the queue, which commit without waiting for the disk. After a crash of PostgreSQL,
 * a job may run again, as after a crash of its worker. The relay uses other connections for jobs that follow
 * from events.
 */
export const queueConnections = (databaseUrl: string) => ({
  connectionString: databaseUrl,
  application_name: 'loyalty-worker',
  options: '-c synchronous_commit=off',
  Client: QueueClient,
});

/** The data of a queued job. */
export interface Envelope {
  /** Name of the task. */
  readonly job: string;
  readonly workspaceId: string | null;
  readonly mode: 'LIVE' | 'TEST';
  readonly requestId: string;
  /** Trace context of the span that published the causing event; missing if it was not traced. */
  readonly traceparent?: string | null;
  readonly data: unknown;
  /** Number of workers that were lost with this job; missing if there are none. */
  readonly losses?: number;
}

/** Creates a queue, or updates its options. */
export async function openQueue(
  boss: PgBoss,
  name: string,
  { retryLimit, expireInSeconds }: Pick<Job, 'retryLimit' | 'expireInSeconds'>,
  { QUEUE_DAYS }: Pick<Config, 'QUEUE_DAYS'>,
): Promise<void> {
  const options = {
    retryLimit,
    expireInSeconds,
    retryBackoff: true,
    retryDelay: 1,
    retryDelayMax: RETRY_DELAY_MAX_SECONDS,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deleteAfterSeconds: QUEUE_DAYS * 86_400,
    notify: true,
    ...(name !== EXHAUSTED_QUEUE && { deadLetter: EXHAUSTED_QUEUE }),
  };
  await boss.createQueue(name, options);
  await boss.updateQueue(name, options);
}

export interface QueuedJob {
  readonly id: string;
  readonly data: Envelope;
}

/** Queues jobs of one kind; a job with a known id is not queued again. */
export async function insertJobs(
  boss: PgBoss,
  job: Job,
  jobs: readonly QueuedJob[],
  connection: ConnectionOptions = {},
): Promise<void> {
  if (!job.isLong) await boss.insert(job.name, [...jobs], connection);
  else
    await boss.insert(
      LONG_QUEUE,
      jobs.map((queued) => longJob(job, queued)),
      connection,
    );
}

/** Both modes share a turn, so that a sandbox does not double the share of a workspace. */
function longJob(job: Job, { id, data }: QueuedJob) {
  const { retryLimit, expireInSeconds } = job;
  const group = data.workspaceId ? { group: { id: data.workspaceId } } : {};
  return { id, data, retryLimit, expireInSeconds, priority: priorityOf(job.size(data.data)), ...group };
}

/** Assumed number of rows of a job of unknown size. */
const SIZE_UNKNOWN = 1_000_000;

/** The priority decreases by one for each factor of ten in rows. */
export const priorityOf = (size: number | null): number =>
  -String(Math.max(0, Math.ceil(size ?? SIZE_UNKNOWN))).length;

/** Minimum priority of small jobs, which have up to 9,999 rows. */
export const SMALL_PRIORITY_MIN = priorityOf(9_999);
