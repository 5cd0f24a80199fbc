import type { Context } from '@loyalty/platform/context';
import { dayRange, everyDay } from '@loyalty/platform/database/day-range';
import type { PublishedEvent } from '@loyalty/platform/work/events';
import { type Money, moneyOf } from '../money.ts';
import { orderCreated } from './orders.events.ts';
import { orderRefunded } from './refunds.events.ts';
import {
  addOrders,
  addRefunds,
  addSales,
  type Sale,
  type SalesDay,
  salesByDay,
} from './sales-statistics.store.ts';

export type { Sale };

export interface SalesStatistics {
  readonly currency: string;
  readonly series: {
    readonly date: string;
    readonly orders: number;
    readonly total: Money;
    readonly refunded: Money;
  }[];
}

/**
 * Returns orders and amounts by day of the workspace's time zone and by currency.
 *
 * @param wanted.from - YYYY-MM-DD, as `to`; both are inclusive
 * @throws AppError VALIDATION_FAILED (400) naming `from` or `to`, PEER_UNAVAILABLE (503)
 */
export async function salesStatistics(
  ctx: Context,
  wanted: { readonly from?: string | null | undefined; readonly to?: string | null | undefined },
): Promise<SalesStatistics[]> {
  const range = await dayRange(ctx, wanted);
  const byCurrency = Map.groupBy(await salesByDay(ctx, range), ({ currency }) => currency);
  return [...byCurrency]
    .sort(([, first], [, second]) => ordersOf(second) - ordersOf(first))
    .map(([currency, days]) => ({
      currency,
      series: everyDay(range, days, { currency, orders: 0, totalMinor: 0n, refundedMinor: 0n }).map(
        ({ date, orders, totalMinor, refundedMinor }) => ({
          date,
          orders,
          total: moneyOf(totalMinor, currency),
          refunded: moneyOf(refundedMinor, currency),
        }),
      ),
    }));
}

const ordersOf = (days: readonly SalesDay[]): number => days.reduce((sum, { orders }) => sum + orders, 0);

/** Counts events of any workspaces. Each event is passed exactly once. */
export async function countSales(tx: Context, events: readonly PublishedEvent[]): Promise<void> {
  const of = ({ type }: { readonly type: string }) => events.filter((event) => event.type === type);
  await addOrders(tx, of(orderCreated));
  await addRefunds(tx, of(orderRefunded));
}

/** Counts orders of an import, which publishes no events of single orders. */
export const countImportedSales = (tx: Context, sales: readonly Sale[]): Promise<void> => addSales(tx, sales);
