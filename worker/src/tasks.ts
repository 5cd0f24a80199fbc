import type { EventConsumer } from '@loyalty/platform/work/event-consumer';
import type { Job } from '@loyalty/platform/work/jobs';
import type { Loop } from '@loyalty/platform/work/loops';
import { type Reaction, reactions } from './reactions.ts';
import { type ScheduleEntry, schedule } from './schedule.ts';

/** The work of a worker; tests use their own tables. */
export interface Tables {
  readonly reactions: readonly Reaction[];
  readonly schedule: readonly ScheduleEntry[];
  readonly loops?: readonly Loop[];
  readonly consumers?: readonly EventConsumer[];
}

/** Returns all jobs of these tables, each once. */
export function tasksOf(tables: Tables): readonly Job[] {
  const jobs = [
    ...tables.reactions.flatMap((reaction) => reaction.jobs),
    ...tables.schedule.map(({ job }) => job),
  ];
  return [...new Map(jobs.map((job) => [job.name, job])).values()];
}

/** All jobs of the product. */
export const tasks: readonly Job[] = tasksOf({ reactions, schedule });
