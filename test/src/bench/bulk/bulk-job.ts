import { setTimeout as delay } from 'node:timers/promises';
import { clientOf } from '../../harness/client.ts';

const POLL_MS = 500;

/** The fields of a job that are read while it runs. */
export interface JobProgress {
  readonly id: string;
  readonly status: string;
  readonly pauseReason: string | null;
  readonly processed: number;
  readonly unavailable: number;
  readonly failed: number;
  readonly total: number | null;
  readonly creditsCharged: number;
  readonly finishedAt: string | null;
}

const PROGRESS = 'id status pauseReason processed unavailable failed total creditsCharged finishedAt';
const CREATE = `mutation ($input: CreateBulkJobInput!) { createBulkJob(input: $input) { bulkJob { ${PROGRESS} } } }`;

/**
 * Creates a job and polls its progress until it has ended.
 *
 * @param onProgress - is called with every poll
 * @returns the job as it ended, and the seconds since it was created
 */
export async function runBulkJob(
  url: string,
  secret: string,
  onProgress: (job: JobProgress) => void,
): Promise<{ readonly job: JobProgress; readonly seconds: number }> {
  const { graph } = clientOf(url);
  const startedAt = performance.now();
  const input = { name: 'Bench', idempotencyKey: `bench-${Date.now()}` };
  const { data, errors } = await graph<{ createBulkJob: { bulkJob: JobProgress } }>(
    CREATE,
    { input },
    secret,
  );
  if (errors) throw new Error(errors[0]?.message);
  let job = data.createBulkJob.bulkJob;
  while (!job.finishedAt) {
    await delay(POLL_MS);
    const query = `query ($id: ID!) { bulkJob(id: $id) { ${PROGRESS} } }`;
    const answer = await graph<{ bulkJob: JobProgress }>(query, { id: job.id }, secret);
    if (answer.errors) throw new Error(answer.errors[0]?.message);
    job = answer.data.bulkJob;
    if (job.status === 'PAUSED') throw new Error(`The job was paused: ${job.pauseReason}.`);
    onProgress(job);
  }
  return { job, seconds: (performance.now() - startedAt) / 1_000 };
}
