import { systemCaller } from '@loyalty/platform/base/caller';
import type { Services } from '@loyalty/platform/context';
import { createContext } from '@loyalty/platform/database/create-context';
import type { Job } from '@loyalty/platform/work/jobs';
import { WORKER_LOST, WORKER_LOST_SENTENCE } from '@loyalty/platform/work/lost-workers';
import type { JobResult, JobWithMetadata, PgBoss } from 'pg-boss';
import { type Envelope, EXHAUSTED_QUEUE, openQueue } from './queues.ts';

const RETRY_LIMIT = 20;
const EXPIRE_SECONDS = 300;
const BATCH = 8;

/**
 * Calls `onExhausted` of each job whose attempts have all failed, by an error or by the loss of the worker.
 * pg-boss moves both kinds to the same queue.
 */
export async function workExhausted(services: Services, boss: PgBoss, tasks: readonly Job[]): Promise<void> {
  await openQueue(
    boss,
    EXHAUSTED_QUEUE,
    { retryLimit: RETRY_LIMIT, expireInSeconds: EXPIRE_SECONDS },
    services.config,
  );
  const work = {
    batchSize: BATCH,
    includeMetadata: true,
    perJobResults: true,
    pollingIntervalSeconds: 1,
    notifyPollingIntervalSeconds: 5,
  } as const;
  await boss.work(EXHAUSTED_QUEUE, work, (jobs: JobWithMetadata<Envelope>[]) =>
    Promise.all(jobs.map((job) => giveUp(services, tasks, job))),
  );
}

async function giveUp(
  services: Services,
  tasks: readonly Job[],
  job: JobWithMetadata<Envelope>,
): Promise<JobResult> {
  const { id, data: envelope } = job;
  const { workspaceId, mode, requestId, data } = envelope;
  const task = tasks.find(({ name }) => name === envelope.job);
  const failure = failureOf(job);
  services.log.error(
    { job: envelope.job, jobId: job.sourceId, workspaceId, requestId, failure },
    'job given up',
  );
  services.metrics.jobsTotal.inc({ job: envelope.job, outcome: 'exhausted' });
  try {
    const caller = systemCaller(envelope.job, workspaceId ? { workspaceId, mode } : undefined);
    await task?.onExhausted?.(createContext(services, { caller, requestId }), data, failure);
    return { id, status: 'completed' };
  } catch (error) {
    services.log.warn({ err: error, job: envelope.job, requestId }, 'giving a job up failed');
    return { id, status: 'failed' };
  }
}

/** Returns names of errors only, because messages may contain personal data. */
function failureOf({ sourceRetryCount, sourceOutput }: JobWithMetadata<Envelope>): string {
  const attempts = (sourceRetryCount ?? 0) + 1;
  const error = (sourceOutput as { error?: unknown } | null)?.error;
  if (error === WORKER_LOST) return `Given up (${WORKER_LOST}): ${WORKER_LOST_SENTENCE}`;
  const ending = typeof error === 'string' ? `failed with ${error}` : 'did not end in time';
  return `Given up after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}; the last one ${ending}.`;
}
