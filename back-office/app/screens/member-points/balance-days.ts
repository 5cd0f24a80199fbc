import { dayAt } from '../../design/days.ts';

interface BalanceEntry {
  readonly amount: number;
  readonly balanceAfter: number;
  readonly createdAt: string;
}

interface BalanceDays {
  /** Consecutive days, YYYY-MM-DD. */
  readonly dates: readonly string[];
  /** The balance at the end of each day, in points. */
  readonly values: readonly number[];
}

interface Range {
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
  /** Are older entries missing? */
  readonly isCut: boolean;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Returns the balance at the end of each day, computed from entries of the ledger, the newest first. If older
 * entries are missing, the days begin with the oldest known entry.
 */
export function balanceByDay(entries: readonly BalanceEntry[], range: Range): BalanceDays {
  const { from, to, timeZone, isCut } = range;
  const dayOf = ({ createdAt }: BalanceEntry): string => dayAt(Date.parse(createdAt), timeZone);
  const oldest = entries.at(-1);
  const last = new Map<string, number>();
  // The entries are the newest first, so the first entry of a day is its last one.
  for (const entry of entries) {
    const day = dayOf(entry);
    if (!last.has(day)) last.set(day, entry.balanceAfter);
  }
  const first = isCut && oldest ? dayOf(oldest) : from;
  let balance = oldest ? oldest.balanceAfter - oldest.amount : 0;
  for (const [day, value] of [...last].reverse()) if (day < from) balance = value;
  const dates = daysBetween([first, from].sort().at(-1)!, to);
  const values = dates.map((day) => {
    balance = last.get(day) ?? balance;
    return balance;
  });
  return { dates, values };
}

function daysBetween(from: string, to: string): string[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  return Array.from({ length: Math.max(count, 1) }, (_, day) =>
    new Date(Date.parse(from) + day * DAY_MS).toISOString().slice(0, 10),
  );
}
