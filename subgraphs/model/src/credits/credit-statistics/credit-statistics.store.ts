import type { Context } from '@loyalty/platform/context';
import type { DayRange } from '@loyalty/platform/values/day-range';
import { dayOf } from '@loyalty/platform/values/quarter-hours';

export interface CreditDay {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly used: bigint;
}

/** Days on which none were used are missing. */
export const creditsByDay = (ctx: Context, { from, to, timeZone }: DayRange): Promise<CreditDay[]> =>
  ctx.sql.query(
    `SELECT ${dayOf('starts_at', '$4')} AS date, sum(used)::int8 AS used
       FROM model.credit_periods
      WHERE workspace_id = $1 AND starts_at >= $2 AND starts_at < $3
      GROUP BY 1`,
    [ctx.scope.workspaceId, from, to, timeZone],
  );
