import { dayStartsIn } from '@loyalty/platform/values/zoned-days';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Is it a day, as native inputs and addresses write it: YYYY-MM-DD? */
export const isDay = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

const instant = (utcMidnight: number, timeZone: string): string =>
  new Date(dayStartsIn(timeZone)(utcMidnight)).toISOString();

/** The first instant of a day in a time zone. */
export const startOfDay = (day: string, timeZone: string): string => instant(Date.parse(day), timeZone);

/** The first instant after a day in a time zone. */
export const endOfDay = (day: string, timeZone: string): string =>
  instant(Date.parse(day) + DAY_MS, timeZone);

/** By time zone: one takes a millisecond to make. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** The day in a time zone, YYYY-MM-DD, at an instant in milliseconds since 1970. */
export function dayAt(at: number, timeZone: string): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone });
  formats.set(timeZone, format);
  return format.format(at);
}

/** The day in a time zone that ends at an instant, or in which the instant is. */
export const dayEndingAt = (at: string, timeZone: string): string => dayAt(Date.parse(at) - 1, timeZone);

/** Days of a filter, YYYY-MM-DD; both are part of it. */
export interface ChosenDays {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** What is often asked for. */
export const PERIODS = ['today', 'yesterday', 'week', 'days30', 'month', 'lastMonth'] as const;
type PresetDays = (typeof PERIODS)[number];

/** Do the days end before they begin? */
export const isTurned = ({ from, to }: ChosenDays): boolean => isDay(from) && isDay(to) && to < from;

/** The days of a period, as they are now in a time zone. */
export function daysOf(period: PresetDays, timeZone: string, now = Date.now()): Required<ChosenDays> {
  const today = dayAt(now, timeZone);
  const [year, month, day] = today.split('-').map(Number) as [number, number, number];
  // The day 0 of a month is the last one of the month before.
  const at = (months: number, date: number) =>
    new Date(Date.UTC(year, month - 1 + months, date)).toISOString().slice(0, 10);
  const ranges: Record<PresetDays, [from: string, to: string]> = {
    today: [today, today],
    yesterday: [at(0, day - 1), at(0, day - 1)],
    week: [at(0, day - 6), today],
    days30: [at(0, day - 29), today],
    month: [at(0, 1), today],
    lastMonth: [at(-1, 1), at(0, 0)],
  };
  const [from, to] = ranges[period];
  return { from, to };
}

/** The period that has exactly these days now. */
export const periodOf = (days: ChosenDays, timeZone: string, now = Date.now()): PresetDays | undefined =>
  PERIODS.find((period) => {
    const { from, to } = daysOf(period, timeZone, now);
    return from === days.from && to === days.to;
  });

/** What a clock in a time zone shows at an instant, as native inputs hold it: YYYY-MM-DDTHH:MM. */
export function wallClockOf(at: string, timeZone: string): string {
  const shown = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return shown.format(Date.parse(at)).replace(' ', 'T');
}

/** The instant at which a clock in a time zone shows that; of an hour that is skipped, the one after it. */
export function instantOf(wallClock: string, timeZone: string): string {
  const asUtc = Date.parse(`${wallClock}Z`);
  const aheadAt = (at: number): number =>
    Date.parse(`${wallClockOf(new Date(at).toISOString(), timeZone)}Z`) - at;
  const near = asUtc - aheadAt(asUtc);
  return new Date(asUtc - aheadAt(near)).toISOString();
}
