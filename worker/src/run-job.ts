import { systemCaller } from '@loyalty/platform/base/caller';
import { AppError } from '@loyalty/platform/base/errors';
import type { Services } from '@loyalty/platform/context';
import { createContext } from '@loyalty/platform/database/create-context';
import { messagingAttributes, span, withRemoteTrace } from '@loyalty/platform/observe/spans';
import type { Job } from '@loyalty/platform/work/jobs';
import type { Job as BossJob, JobResult } from 'pg-boss';
import type { Envelope } from './queues.ts';

/** Runs one job and returns its result. A failed job is retried according to its queue. */
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

/** Returns the name only, because the message may contain personal data. */
function nameOf(error: unknown): string {
  if (error instanceof AppError) return error.code;
  return error instanceof Error ? error.name : 'unknown';
}

/**
 * Makes the span of a job a child of the span that published its event, so that one trace shows a request and
 * all of its effects. OpenTelemetry's conventions allow this if messages are processed one by one.
 */
async function runMeasured(
  services: Services,
  task: Job,
  id: string,
  envelope: Envelope,
  signal: AbortSignal,
): Promise<void> {
  const { workspaceId, mode, requestId, data, traceparent } = envelope;
  const caller = systemCaller(task.name, workspaceId ? { workspaceId, mode } : undefined);
  const end = services.metrics.jobSeconds.startTimer({ job: task.name });
  try {
    const ctx = createContext(services, { caller, requestId, signal });
    const attributes = { ...messagingAttributes('process', task.name), 'messaging.message.id': id };
    await withRemoteTrace(traceparent, () =>
      span(`process ${task.name}`, { kind: 'CONSUMER', attributes }, () => task.run(ctx, data)),
    );
    services.metrics.jobsTotal.inc({ job: task.name, outcome: 'succeeded' });
  } catch (error) {
    services.metrics.jobsTotal.inc({ job: task.name, outcome: 'failed' });
    services.log.warn({ err: error, job: task.name, jobId: id, requestId }, 'job failed');
    throw error;
  } finally {
    end();
  }
}
