import type { Services } from '@loyalty/platform/context';
import type { Job as Task } from '@loyalty/platform/work/jobs';
import { CLAIMS_MAX, WORKER_LOST } from '@loyalty/platform/work/lost-workers';
import type { Job, JobResult } from 'pg-boss';
import { countLoss, hasLostWorker } from './lost-jobs.store.ts';
import type { Envelope } from './queues.ts';
import { runJob } from './run-job.ts';

/** The last job of the chain of jobs that wait in this process. */
const turns = new WeakMap<Services, Promise<unknown>>();

/**
 * Runs a job. Jobs that have lost a worker run one after the other, so that only one is suspected if the
 * process ends again. A job that has lost two workers is given up.
 */
export async function runUnlessLost(services: Services, task: Task, job: Job<Envelope>): Promise<JobResult> {
  if (!(await hasLostWorker(services, job))) return runJob(services, task, job);
  const before = turns.get(services) ?? Promise.resolve();
  const mine = before.then(async () => {
    const losses = await countLoss(services, job);
    return losses < CLAIMS_MAX ? runJob(services, task, job) : givenUp(job);
  });
  turns.set(
    services,
    mine.catch(() => undefined),
  );
  return mine;
}

/** The result of a job that is given up at once, even if attempts are left. */
const givenUp = ({ id }: Job): JobResult => ({ id, status: 'deadletter', output: { error: WORKER_LOST } });

/**
 * Counts the worker that a long job has lost. A job that waits for another one of its workspace is queued
 * again with this count.
 *
 * @returns the job to run, or its result if it is given up
 */
export async function countLongLoss<Long extends Job<Envelope>>(
  services: Services,
  job: Long,
): Promise<{ readonly job: Long } | { readonly result: JobResult }> {
  const losses = (await hasLostWorker(services, job)) ? await countLoss(services, job) : 0;
  if (losses >= CLAIMS_MAX) return { result: givenUp(job) };
  return { job: losses > 0 ? { ...job, data: { ...job.data, losses } } : job };
}
