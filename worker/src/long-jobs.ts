import { newId } from '@loyalty/platform/base/ids';
import type { Services } from '@loyalty/platform/context';
import type { Job } from '@loyalty/platform/work/jobs';
import type { JobResult, JobWithMetadata, PgBoss } from 'pg-boss';
import { hasOther } from './long-jobs.store.ts';
import { countLongLoss } from './lost-jobs.ts';
import { type Envelope, LONG_QUEUE, openQueue, SMALL_PRIORITY_MIN } from './queues.ts';
import { runJob } from './run-job.ts';

/** Places per worker for small jobs, and for other jobs, so that neither kind blocks the other. */
const PLACES = 2;
const RETRY_LIMIT = 5;
const EXPIRE_SECONDS = 12 * 3_600;

/** Each range of priorities has its own places. */
const priorityRanges = [
  { minPriority: SMALL_PRIORITY_MIN },
  { maxPriority: SMALL_PRIORITY_MIN - 1 },
] as const;

/** Runs long jobs: one per workspace at a time, for any number of workers, small ones first. */
export async function workLong(services: Services, boss: PgBoss, tasks: readonly Job[]): Promise<void> {
  await openQueue(
    boss,
    LONG_QUEUE,
    { retryLimit: RETRY_LIMIT, expireInSeconds: EXPIRE_SECONDS },
    services.config,
  );
  for (const range of priorityRanges)
    for (let place = 0; place < PLACES; place += 1) await openPlace(services, boss, tasks, range);
}

async function openPlace(
  services: Services,
  boss: PgBoss,
  tasks: readonly Job[],
  range: (typeof priorityRanges)[number],
): Promise<void> {
  const work = {
    ...range,
    batchSize: 1,
    groupConcurrency: 1,
    includeMetadata: true,
    perJobResults: true,
    pollingIntervalSeconds: 1,
    // The end of a workspace's job, after which its next one may begin, sends no notification.
    notifyPollingIntervalSeconds: 1,
  } as const;
  const place = await boss.work(LONG_QUEUE, work, async (jobs: JobWithMetadata<Envelope>[]) => {
    const results: JobResult[] = [];
    for (const fetched of jobs) {
      const counted = await countLongLoss(services, fetched);
      if ('result' in counted) {
        results.push(counted.result);
        continue;
      }
      const { job } = counted;
      const task = tasks.find(({ name }) => name === job.data.job);
      if (!task) results.push({ id: job.id, status: 'failed', output: { error: 'UNKNOWN_JOB' } });
      else if (await hasOther(services, LONG_QUEUE, job)) results.push(await putBack(services, boss, job));
      else results.push(await runJob(services, task, job));
    }
    // Polls for the next job at once.
    boss.notifyWorker(place);
    return results;
  });
}

const WAIT_SECONDS_MAX = 3;

/** Queues a job again after a moment. It was not tried yet, so no attempt is counted. */
async function putBack(
  { clock }: Services,
  boss: PgBoss,
  { id, data, groupId, priority, retryLimit, expireInSeconds }: JobWithMetadata<Envelope>,
): Promise<JobResult> {
  const startAfter = Math.ceil(Math.random() * WAIT_SECONDS_MAX);
  const group = { id: groupId! };
  const again = { id: newId(clock), data, group, priority, retryLimit, expireInSeconds, startAfter };
  await boss.insert(LONG_QUEUE, [again]);
  return { id, status: 'completed' };
}
