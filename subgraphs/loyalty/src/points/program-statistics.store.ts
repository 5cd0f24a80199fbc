import type { Scope } from '@loyalty/platform/base/caller';
import { dayOf, quarterHourOf } from '@loyalty/platform/base/quarter-hours';
import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/database/array-parameters';
import type { DayRange } from '@loyalty/platform/database/day-range';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

/** Counts of members and points at one time. */
export interface ProgramCounts {
  readonly joined: number;
  readonly issued: number;
  readonly spent: number;
  readonly expired: number;
  readonly withdrawn: number;
}

export interface ProgramDay {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly joined: number;
  readonly issued: bigint;
  readonly spent: bigint;
  readonly expired: bigint;
  readonly withdrawn: bigint;
}

/** Adds counts to their quarters of an hour, sorted, so that two writers cannot deadlock. */
export async function addCounts(
  tx: Context,
  counted: readonly (Scope & ProgramCounts & { readonly at: Date })[],
): Promise<void> {
  await tx.sql.query(
    `INSERT INTO loyalty.program_periods AS p
            (workspace_id, mode, starts_at, joined, issued, spent, expired, withdrawn)
     SELECT c.workspace_id, c.mode, ${quarterHourOf('c.at')}, sum(c.joined), sum(c.issued), sum(c.spent),
            sum(c.expired), sum(c.withdrawn)
       FROM unnest($1::uuid[], $2::platform."Mode"[], $3::timestamptz[], $4::int[], $5::int[], $6::int[],
              $7::int[], $8::int[])
              AS c(workspace_id, mode, at, joined, issued, spent, expired, withdrawn)
      GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
     ON CONFLICT (workspace_id, mode, starts_at) DO UPDATE
        SET joined = p.joined + excluded.joined, issued = p.issued + excluded.issued,
            spent = p.spent + excluded.spent, expired = p.expired + excluded.expired,
            withdrawn = p.withdrawn + excluded.withdrawn`,
    [...arraysOf(counted, 'workspaceId', 'mode', 'at', 'joined', 'issued', 'spent', 'expired', 'withdrawn')],
  );
}

/** Returns counts by day; days without members and points are missing. */
export const countsByDay = (ctx: Context, { from, to, timeZone }: DayRange): Promise<ProgramDay[]> =>
  ctx.sql.query(
    `SELECT ${dayOf('p.starts_at', '$5')} AS date, sum(p.joined)::int AS joined,
            sum(p.issued)::int8 AS issued, sum(p.spent)::int8 AS spent,
            sum(p.expired)::int8 AS expired, sum(p.withdrawn)::int8 AS withdrawn
       FROM loyalty.program_periods AS p
      WHERE ${inScope('p')} AND p.starts_at >= $3 AND p.starts_at < $4
      GROUP BY 1`,
    [...scopeOf(ctx), from, to, timeZone],
  );
