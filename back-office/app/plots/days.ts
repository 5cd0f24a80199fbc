import { dayAt } from '../design/days.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

interface Comparison {
  readonly sum: number;
  readonly former: number;
  /** Relative change: 0.1 means 10% more than before. */
  readonly change: number;
}

/** Compares the last days of a series with the days before them. */
export function compared(values: readonly number[], days: number): Comparison {
  const total = (part: readonly number[]) => part.reduce((sum, value) => sum + value, 0);
  const sum = total(values.slice(-days));
  const former = total(values.slice(0, -days));
  return { sum, former, change: former === 0 ? 0 : sum / former - 1 };
}

/** The first of the last days in a time zone, including today, as YYYY-MM-DD. */
export const lastDays = (days: number, timeZone: string, now = Date.now()): string => {
  const today = dayAt(now, timeZone);
  return new Date(Date.parse(today) - (days - 1) * DAY_MS).toISOString().slice(0, 10);
};

/** Returns about `count` evenly spaced indexes of a series, including the first and the last. */
export function marksOf(length: number, count: number): number[] {
  const last = length - 1;
  const marks = Array.from({ length: count }, (_, at) => Math.round((at * last) / (count - 1)));
  return [...new Set(marks)];
}
