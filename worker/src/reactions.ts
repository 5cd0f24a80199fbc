import type { EventType } from '@loyalty/platform/events';
import type { Job, JobType } from '@loyalty/platform/jobs';

/** What happens because of an event: one line, one job, once per event. */
export interface Reaction {
  readonly event: string;
  readonly job: Job;
}

/** The job gets the event's payload as its data, so the payload must hold what the job asks for. */
export const on = <T, P extends T>(event: EventType<P>, job: JobType<T>): Reaction => ({
  event: event.type,
  job,
});

export const reactions: readonly Reaction[] = [];
