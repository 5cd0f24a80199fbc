import { systemCaller } from '@loyalty/platform/caller/caller';
import { createContext } from '@loyalty/platform/caller/create-context';
import type { Services } from '@loyalty/platform/context';
import { AppError } from '@loyalty/platform/errors';
import { span } from '@loyalty/platform/operations/telemetry';
import type { Job } from '@loyalty/platform/outbox/jobs';
import type { Job as BossJob, JobResult } from 'pg-boss';
import type { Envelope } from './queues.ts';

/** Runs one job and says how it ended; one that failed is tried again as its queue says. */
export async function runJob(
  services: Services,
  task: Job,
  { id, data, signal }: BossJob<Envelope>,
): Promise<JobResult> {
  try {
    await runMeasured(services, task, id, data, signal);
    return { id, status: 'completed' };
  } catch (error) {
    return { id, status: 'failed', output: { error: nameOf(error) } };
  }
}

/** Never the message, which may hold personal data. */
function nameOf(error: unknown): string {
  if (error instanceof AppError) return error.code;
  return error instanceof Error ? error.name : 'unknown';
}

async function runMeasured(
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
