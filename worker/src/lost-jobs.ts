import type { Services } from '@loyalty/platform/context';
import type { Job as Task } from '@loyalty/platform/work/jobs';
import { CLAIMS_MAX, WORKER_LOST } from '@loyalty/platform/work/lost-workers';
import type { Job, JobResult } from 'pg-boss';
import { countLoss, hasLostWorker } from './lost-jobs.store.ts';
import type { Envelope } from './queues.ts';
import { runJob } from './run-job.ts';

/** The last of the jobs that wait for their turn in this process. */
const turns = new WeakMap<Services, Promise<unknown>>();

/**
 * Runs a job. Those that lost a worker run one after the other, so that one that ends its process again is
 * blamed alone; one that lost two is given up.
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

/** It is given up at once, whatever attempts are left. */
const givenUp = ({ id }: Job): JobResult => ({ id, status: 'deadletter', output: { error: WORKER_LOST } });

/**
 * Counts a worker that a long job lost; a job that waits for its workspace's other one is queued anew, with
 * what was counted.
 *
 * @returns the job to run; how it ended where it is given up
 */
export async function countLongLoss<Long extends Job<Envelope>>(
  services: Services,
  job: Long,
): Promise<{ readonly job: Long } | { readonly result: JobResult }> {
  const losses = (await hasLostWorker(services, job)) ? await countLoss(services, job) : 0;
  if (losses >= CLAIMS_MAX) return { result: givenUp(job) };
  return { job: losses > 0 ? { ...job, data: { ...job.data, losses } } : job };
}
