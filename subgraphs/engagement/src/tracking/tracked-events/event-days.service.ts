import { addMs, DAY_MS } from '@loyalty/platform/clock';
import type { Context, Services } from '@loyalty/platform/context';
import {
  createDayPartition,
  dropDayPartition,
  midnight,
  partitionDays,
} from '@loyalty/platform/operations/day-partitions';

const TABLE = 'engagement.tracking_events';
/** Days that have their partition before they begin. */
const DAYS_AHEAD = 2;

/** The last day that this process knows to have a partition, in ms since 1970. */
const prepared = new WeakMap<Services['live'], number>();

/**
 * Makes sure that events received today can be kept, also where no worker has run for days. Yesterday needs
 * a partition, too: PostgreSQL would look for its repetitions in the only one that there is.
 */
export async function prepareToday(ctx: Context): Promise<void> {
  const today = midnight(ctx.clock.now());
  const { live } = ctx.services;
  if (prepared.get(live) === today.getTime()) return;
  for (const day of [addMs(today, -DAY_MS), today])
    await createDayPartition(ctx.outsideTransaction(), TABLE, day);
  prepared.set(live, today.getTime());
}

/** Creates the partitions of the next days, and drops those that are older than TRACKING_DAYS. */
export async function rotateEventDays(ctx: Context): Promise<void> {
  const today = midnight(ctx.clock.now());
  for (let day = 0; day <= DAYS_AHEAD; day += 1)
    await createDayPartition(ctx, TABLE, addMs(today, day * DAY_MS));
  const oldest = addMs(today, -ctx.services.config.TRACKING_DAYS * DAY_MS);
  const days = await partitionDays(ctx, TABLE);
  for (const day of days.filter((each) => each < oldest)) await dropDayPartition(ctx, TABLE, day);
}
