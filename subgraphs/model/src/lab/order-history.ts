import { DAY_MS } from '@loyalty/platform/base/clock';
import type { MemberHistory } from '../alignment/member-history.ts';
import { seededRandom } from '../numerics/seeded-random.ts';
import { columnIn, PurchaseFileError, readDay, readTable } from './purchase-file.ts';

/** A customer of a file. */
export interface CustomerHistory extends MemberHistory {
  readonly customer: string;
  /** Sum of the amounts of each purchase day, in the order of the days; 0 if the file has none. */
  readonly amounts: readonly number[];
}

const columns = {
  customer: ['customer', 'customer_id', 'member_id', 'sample_id', 'external_id', 'user_id', 'id'],
  date: ['date', 'occurred_at', 'ordered_at', 'order_date', 'invoice_date', 'day', 'timestamp'],
  amount: ['amount', 'total', 'order_total', 'revenue', 'dollars', 'price'],
  type: ['type', 'event_type', 'event', 'action'],
} as const;

/** Names of the columns in a file of orders. */
export interface NamedColumns {
  readonly id?: string | undefined;
  readonly date?: string | undefined;
  readonly amount?: string | undefined;
}

/**
 * Reads customers from a file of orders and, if given, a file of events. Orders on one day are one purchase.
 *
 * @param named - columns of the file of orders with unusual names
 * @throws PurchaseFileError naming the file, and the row or the column
 */
export function readHistories(
  orders: string,
  events: string | null,
  named: NamedColumns = {},
): CustomerHistory[] {
  const days = readOrders(orders, named);
  const happened = events === null ? new Map<string, MemberHistory['events']>() : readEvents(events);
  return Array.from(days, ([customer, amounts]) => {
    const ascending = [...amounts].sort(([one], [other]) => one - other);
    return {
      customer,
      purchaseDays: ascending.map(([day]) => day),
      amounts: ascending.map(([, amount]) => amount),
      events: happened.get(customer) ?? [],
    };
  });
}

/** Reads the amounts of each customer by day. */
function readOrders(path: string, named: NamedColumns): Map<string, Map<number, number>> {
  const { header, rows } = readTable(path);
  if (rows.length === 0) throw new PurchaseFileError(`${path} is empty: give it a header and rows.`);
  const namesOf = (own: string | undefined, usual: readonly string[]) => (own === undefined ? usual : [own]);
  const customerAt = columnIn(path, header, namesOf(named.id, columns.customer));
  const dateAt = columnIn(path, header, namesOf(named.date, columns.date));
  const hasAmount = named.amount !== undefined || columns.amount.some((name) => header.includes(name));
  const amountAt = hasAmount ? columnIn(path, header, namesOf(named.amount, columns.amount)) : undefined;
  const found = new Map<string, Map<number, number>>();
  for (const { row, cells } of rows) {
    const [customer, date] = [cells[customerAt] ?? '', cells[dateAt] ?? ''];
    const day = readDay(date);
    if (day === null || customer === '') throw wrongRow(path, row, header[dateAt]!);
    const amount = amountAt === undefined ? 0 : Number(cells[amountAt] ?? '');
    if (!Number.isFinite(amount))
      throw new PurchaseFileError(`${path}, row ${row}: ${header[amountAt!]} must be a number.`);
    const own = found.get(customer) ?? new Map<number, number>();
    own.set(day, (own.get(day) ?? 0) + amount);
    found.set(customer, own);
  }
  return found;
}

/** Reads the events of each customer, sorted by time. */
function readEvents(path: string): Map<string, MemberHistory['events']> {
  const { header, rows } = readTable(path);
  const customerAt = columnIn(path, header, columns.customer);
  const timeAt = columnIn(path, header, [...columns.date, 'time', 'event_time']);
  const typeAt = columnIn(path, header, columns.type);
  const found = new Map<string, { ms: number; type: string }[]>();
  for (const { row, cells } of rows) {
    const [customer, time] = [cells[customerAt] ?? '', cells[timeAt] ?? ''];
    const day = readDay(time);
    const instant = Date.parse(time);
    if (day === null || customer === '') throw wrongRow(path, row, header[timeAt]!);
    const own = found.get(customer) ?? [];
    own.push({ ms: Number.isNaN(instant) ? day * DAY_MS : instant, type: cells[typeAt] ?? '' });
    found.set(customer, own);
  }
  for (const own of found.values()) own.sort((one, other) => one.ms - other.ms);
  return found;
}

const wrongRow = (path: string, row: number, column: string): PurchaseFileError =>
  new PurchaseFileError(`${path}, row ${row}: give a customer, and a date such as 2026-01-31 in ${column}.`);

const CUSTOMERS = 1_500;

const FIRST_DAY = 19_723;

const DAYS = 540;

const SEED = 7;

/** Chance that a customer leaves after a purchase. */
const LEAVING = 0.06;

/** Standard deviation of the logarithm of intervals. */
const DEVIATION = 0.35;

/**
 * Returns orders of a known process as CSV: each customer buys at individual intervals of 10 to 90 days,
 * which vary by a third, and leaves for good after any purchase with a chance of 6%. The same text each time.
 */
export function exampleOrders(): string {
  const random = seededRandom(SEED);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const rows: string[] = [];
  for (let customer = 1; customer <= CUSTOMERS; customer += 1) {
    const interval = 10 + 80 * random();
    for (let day = random() * DAYS * 0.7; day < DAYS; day += interval * Math.exp(DEVIATION * normal())) {
      const date = new Date(Math.floor(FIRST_DAY + day) * DAY_MS).toISOString().slice(0, 10);
      rows.push(`c${customer},${date},${(10 + 40 * random()).toFixed(2)}`);
      if (random() < LEAVING) break;
    }
  }
  return ['customer,date,amount', ...rows, ''].join('\n');
}
