import { dayAt, isDay } from './days.ts';

/** Days of a filter, YYYY-MM-DD; both are part of it. */
export interface ChosenDays {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** What is often asked for. */
export const PERIODS = ['today', 'yesterday', 'week', 'days30', 'month', 'lastMonth'] as const;
export type PresetDays = (typeof PERIODS)[number];

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
