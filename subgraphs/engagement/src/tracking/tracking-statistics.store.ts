import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import { firstIdAt } from '@loyalty/platform/base/ids';
import { dayOf } from '@loyalty/platform/base/quarter-hours';
import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

export interface EventCount {
  readonly event: string;
  readonly count: number;
  readonly uniqueMembers: number;
}

export interface DayCount {
  readonly date: string;
  readonly count: number;
}

interface Filter {
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
  readonly event: string | null;
}

const EVENTS_MAX = 500;

/**
 * Range of the time of receipt: events are received up to 7 days after they happened, or some minutes before.
 */
const RECEIVED_BEFORE_MS = DAY_MS;
const RECEIVED_AFTER_MS = 8 * DAY_MS;

/** The conditions on the id exclude the partitions of other days. */
const wanted = `FROM engagement.tracking_events AS e
      WHERE ${inScope('e')} AND e.occurred_at >= $3 AND e.occurred_at < $4
        AND e.id >= $5 AND e.id < $6 AND ($7::text IS NULL OR e.event = $7)`;

const paramsOf = (ctx: Context, { from, to, event }: Filter): unknown[] => [
  ...scopeOf(ctx),
  from,
  to,
  firstIdAt(addMs(from, -RECEIVED_BEFORE_MS)),
  firstIdAt(addMs(to, RECEIVED_AFTER_MS)),
  event,
];

export const countsByEvent = (ctx: Context, filter: Filter): Promise<EventCount[]> =>
  ctx.sql.query(
    `SELECT e.event, count(*)::int AS count, count(DISTINCT e.member_id)::int AS unique_members
       ${wanted}
      GROUP BY e.event ORDER BY count(*) DESC, e.event LIMIT ${EVENTS_MAX}`,
    paramsOf(ctx, filter),
  );

/** Counts by day (YYYY-MM-DD) of the time zone. Days without events are omitted. */
export const countsByDay = (ctx: Context, filter: Filter, timeZone: string): Promise<DayCount[]> =>
  ctx.sql.query(
    `SELECT ${dayOf('e.occurred_at', '$8')} AS date, count(*)::int AS count
       ${wanted}
      GROUP BY 1`,
    [...paramsOf(ctx, filter), timeZone],
  );
