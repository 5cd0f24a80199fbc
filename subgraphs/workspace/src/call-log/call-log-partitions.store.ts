import type { Context } from '@loyalty/platform/context';
import {
  createDayPartition,
  dropDayPartition,
  partitionDays,
} from '@loyalty/platform/operations/day-partitions';
import { failedWith } from '@loyalty/prisma/sqlstate';

const TABLE = 'workspace.call_log';

/** Did an insert fail because the day has no partition yet? */
export const isPartitionMissing = (error: unknown): boolean => failedWith(error, 'CHECK_VIOLATION');

/** Makes the partition of a day, given by its midnight in UTC, unless there is one for it. */
export const createPartition = (ctx: Context, day: Date): Promise<void> =>
  createDayPartition(ctx, TABLE, day);

/** Drops the partitions whose last call is from before `before`, which is midnight of a day in UTC. */
export async function dropPartitionsBefore(ctx: Context, before: Date): Promise<void> {
  const days = await partitionDays(ctx, TABLE);
  for (const day of days.filter((each) => each < before)) await dropDayPartition(ctx, TABLE, day);
}
