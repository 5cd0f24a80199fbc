import { DAY_MS } from '../base/clock.ts';
import { invalid } from '../base/errors.ts';
import { inputRule } from '../base/input-rules.ts';
import { dayStartsIn, offsetsOf } from '../base/zoned-days.ts';
import type { Context } from '../context.ts';
import { timeZoneOf } from './time-zone.ts';

/** A range of whole days in the workspace's time zone. */
export interface DayRange {
  /** First instant of the range. */
  readonly from: Date;
  /** First instant after the range. */
  readonly to: Date;
  /** YYYY-MM-DD, in order. */
  readonly dates: readonly string[];
  /** IANA name. */
  readonly timeZone: string;
}

const DAYS_MAX = 400;
const DAYS_DEFAULT = 30;

/**
 * Returns the days of a report: at most 400, by default the last 30.
 *
 * @param wanted.from - YYYY-MM-DD, like `to`; both days are included
 * @throws AppError VALIDATION_FAILED (400) naming `from` or `to`, PEER_UNAVAILABLE (503)
 */
export async function dayRange(
  ctx: Context,
  wanted: { readonly from?: string | null | undefined; readonly to?: string | null | undefined },
): Promise<DayRange> {
  const timeZone = await timeZoneOf(ctx);
  const now = ctx.clock.now().getTime();
  const today = now + offsetsOf(timeZone)(now);
  const last = wanted.to ? Date.parse(wanted.to) : today - (today % DAY_MS);
  const first = wanted.from ? Date.parse(wanted.from) : last - (DAYS_DEFAULT - 1) * DAY_MS;
  if (first > last) throw invalid('from', inputRule('END_BEFORE_START', 'must not be after to'));
  const days = Math.round((last - first) / DAY_MS) + 1;
  if (days > DAYS_MAX) throw invalid('to', `must be at most ${DAYS_MAX - 1} days after from`);
  const startOf = dayStartsIn(timeZone);
  const dates = Array.from({ length: days }, (_, day) =>
    new Date(first + day * DAY_MS).toISOString().slice(0, 10),
  );
  return { from: new Date(startOf(first)), to: new Date(startOf(last + DAY_MS)), dates, timeZone };
}

/** Bounds of a filter as instants; null means no bound. `to` is exclusive. */
export interface Instants {
  readonly from: Date | null;
  readonly to: Date | null;
}

/**
 * Converts days of the workspace's time zone to instants: from the start of the first day to the end of the
 * last.
 *
 * @param field - name of the argument of the first day, for errors
 * @param from - YYYY-MM-DD, like `to`; both days are included, and either may be missing
 * @throws AppError VALIDATION_FAILED (400), PEER_UNAVAILABLE (503)
 */
export async function instantsOf(
  ctx: Context,
  field: string,
  from: string | null | undefined,
  to: string | null | undefined,
): Promise<Instants> {
  if (!from && !to) return { from: null, to: null };
  if (from && to && from > to)
    throw invalid(field, inputRule('END_BEFORE_START', 'must not be after the last day'));
  const startOf = dayStartsIn(await timeZoneOf(ctx));
  return {
    from: from ? new Date(startOf(Date.parse(from))) : null,
    to: to ? new Date(startOf(Date.parse(to) + DAY_MS)) : null,
  };
}

/** Returns one row for each day of the range, in order: the given row, or an empty one. */
export function everyDay<Row extends { readonly date: string }>(
  { dates }: DayRange,
  rows: readonly Row[],
  empty: Omit<Row, 'date'>,
): Row[] {
  const byDate = new Map(rows.map((row) => [row.date, row]));
  return dates.map((date) => byDate.get(date) ?? ({ ...empty, date } as Row));
}
