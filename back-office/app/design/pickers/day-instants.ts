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

/** The day in a time zone that ends at an instant, or in which the instant is. */
export const dayEndingAt = (at: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone }).format(Date.parse(at) - 1);
