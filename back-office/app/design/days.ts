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
