import { dayStartsIn } from '@loyalty/platform/base/zoned-days';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Is the text a day in the format of native inputs and addresses, YYYY-MM-DD? */
export const isDay = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

const instant = (utcMidnight: number, timeZone: string): string =>
  new Date(dayStartsIn(timeZone)(utcMidnight)).toISOString();

/** The first instant of a day in a time zone. */
export const startOfDay = (day: string, timeZone: string): string => instant(Date.parse(day), timeZone);

/** The first instant after a day in a time zone. */
export const endOfDay = (day: string, timeZone: string): string =>
  instant(Date.parse(day) + DAY_MS, timeZone);

/** Formatters by time zone. They are kept, because making one takes a millisecond. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** The day in a time zone, YYYY-MM-DD, at an instant in milliseconds since 1970. */
export function dayAt(at: number, timeZone: string): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone });
  formats.set(timeZone, format);
  return format.format(at);
}

/** The day in a time zone that contains the last millisecond before an instant. */
export const dayEndingAt = (at: string, timeZone: string): string => dayAt(Date.parse(at) - 1, timeZone);

/** The days of a filter, YYYY-MM-DD, both inclusive. */
export interface ChosenDays {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The periods that can be chosen by name. */
export const PERIODS = ['today', 'yesterday', 'week', 'days30', 'month', 'lastMonth'] as const;
type PresetDays = (typeof PERIODS)[number];

/** Is the last day before the first day? */
export const isReversed = ({ from, to }: ChosenDays): boolean => isDay(from) && isDay(to) && to < from;

/** The days of an address, for a query. Invalid days are left out; so is a last day before the first one. */
export const daysIn = ({ from, to }: ChosenDays) => ({
  from: isDay(from) ? from : null,
  to: isDay(to) && !isReversed({ from, to }) ? to : null,
});

/** Returns the days of a period in a time zone, relative to now. */
export function daysOf(period: PresetDays, timeZone: string, now = Date.now()): Required<ChosenDays> {
  const today = dayAt(now, timeZone);
  const [year, month, day] = today.split('-').map(Number) as [number, number, number];
  // Day 0 of a month is the last day of the previous month.
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

/** Returns the period that has exactly these days now. */
export const periodOf = (days: ChosenDays, timeZone: string, now = Date.now()): PresetDays | undefined =>
  PERIODS.find((period) => {
    const { from, to } = daysOf(period, timeZone, now);
    return from === days.from && to === days.to;
  });

/** The local time of an instant in a time zone, in the format of native inputs: YYYY-MM-DDTHH:MM. */
export function wallClockOf(at: string, timeZone: string): string {
  const shown = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return shown.format(Date.parse(at)).replace(' ', 'T');
}

/** The instant of a local time in a time zone. A time in a skipped hour is moved one hour later. */
export function instantOf(wallClock: string, timeZone: string): string {
  const asUtc = Date.parse(`${wallClock}Z`);
  const aheadAt = (at: number): number =>
    Date.parse(`${wallClockOf(new Date(at).toISOString(), timeZone)}Z`) - at;
  const near = asUtc - aheadAt(asUtc);
  return new Date(asUtc - aheadAt(near)).toISOString();
}
