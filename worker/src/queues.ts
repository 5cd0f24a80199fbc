import type { Config } from '@loyalty/platform/config/config';
import type { Job } from '@loyalty/platform/work/jobs';
import { QueueClient } from '@loyalty/platform/work/queue-client';
import type { ConnectionOptions, PgBoss } from 'pg-boss';

/** Every long job of every kind: one queue, because a workspace has one of them at a time. */
export const LONG_QUEUE = 'worker.long';
/** Jobs whose attempts have all failed, or whose last worker never answered. */
export const EXHAUSTED_QUEUE = 'worker.exhausted';

const RETRY_DELAY_MAX_SECONDS = 3_600;
const HEARTBEAT_SECONDS = 60;

/**
 * Connections of the queue's own: they do not wait for the disk. After a crash of PostgreSQL a job may be run
 * once more, as after a crash of its worker; the relay queues jobs that follow from events over other ones.
 */
export const queueConnections = (databaseUrl: string) => ({
  connectionString: databaseUrl,
  application_name: 'loyalty-worker',
  options: '-c synchronous_commit=off',
  Client: QueueClient,
});

/** What a queued job carries. */
export interface Envelope {
  /** The task's name. */
  readonly job: string;
  readonly workspaceId: string | null;
  readonly mode: 'LIVE' | 'TEST';
  readonly requestId: string;
  /** Of the span that published the event that led to the job; absent where nothing was traced. */
  readonly traceparent?: string | null;
  readonly data: unknown;
  /** Workers that were lost while they had it; absent where none was. */
  readonly losses?: number;
}

/** Makes a queue, or gives it the options of today. */
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

/** Queues jobs of one kind; a job whose id is known is not queued again. */
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

/** Modes share a turn: a sandbox must not double what a workspace takes of the workers. */
function longJob(job: Job, { id, data }: QueuedJob) {
  const { retryLimit, expireInSeconds } = job;
  const group = data.workspaceId ? { group: { id: data.workspaceId } } : {};
  return { id, data, retryLimit, expireInSeconds, priority: priorityOf(job.size(data.data)), ...group };
}

/** Rows that a job of unknown size is taken for. */
const SIZE_UNKNOWN = 1_000_000;

/** Ten times the rows is one step later in line. */
export const priorityOf = (size: number | null): number =>
  -String(Math.max(0, Math.ceil(size ?? SIZE_UNKNOWN))).length;

/** Jobs of up to 9,999 rows are small. */
export const SMALL_PRIORITY_MIN = priorityOf(9_999);
