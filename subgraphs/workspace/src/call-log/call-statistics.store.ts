import type { Context } from '@loyalty/platform/context';
import type { DayRange } from '@loyalty/platform/values/day-range';
import { dayOf } from '@loyalty/platform/values/quarter-hours';
import { visible, visibleTo } from './visible-rows.ts';

export interface CallDay {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly calls: number;
  readonly refused: number;
  readonly failed: number;
}

/** Days without calls are missing. */
export const callsByDay = (ctx: Context, { from, to, timeZone }: DayRange): Promise<CallDay[]> =>
  ctx.sql.query(
    `SELECT ${dayOf('starts_at', '$5')} AS date, sum(calls)::int AS calls, sum(refused)::int AS refused,
            sum(failed)::int AS failed
       FROM workspace.call_periods
      WHERE ${visible} AND starts_at >= $3 AND starts_at < $4
      GROUP BY 1`,
    [...visibleTo(ctx), from, to, timeZone],
  );
