import { expect, test } from '@jest/globals';
import { DAY_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { askOf } from '@loyalty/test/harness/ask';
import { consume } from '@loyalty/test/harness/consume';
import { useServices } from '@loyalty/test/harness/services';
import { given } from '../commerce.fixture.ts';
import { commerce } from '../subgraph.ts';
import { countSalesConsumer } from './orders.jobs.ts';
import { refundOrder } from './refunds.service.ts';

const { services, newContext } = useServices({ at: '2026-03-10T10:00:00.000Z' });
const ask = askOf(commerce);

const SALES = `query ($from: Date, $to: Date) {
  salesStatistics(from: $from, to: $to) {
    currency
    series { date orders total { amountMinor currency } refunded { amountMinor } }
  }
}`;

async function salesOf(ctx: Context, from: string, to: string) {
  const { data, message } = await ask(ctx, SALES, { from, to });
  if (message) throw new Error(message);
  return (data.salesStatistics as Sales[]).map(({ currency, series }) => [
    currency,
    ...series.map(({ orders, total, refunded }) => [orders, total.amountMinor, refunded.amountMinor]),
  ]);
}

interface Sales {
  currency: string;
  series: { orders: number; total: { amountMinor: number }; refunded: { amountMinor: number } }[];
}

test('an order counts on the day on which it was placed, a refund on the day on which it was made', async () => {
  const ctx = newContext();
  const yesterday = new Date(services.clock.now().getTime() - DAY_MS);
  const order = await given.order(ctx, { occurredAt: yesterday, total: 5_000n });
  await given.order(ctx, { total: 700n });
  await given.order(ctx, { total: 300n });
  await given.order(ctx, { total: 900n, status: 'CANCELLED' });
  await given.order(ctx, { currency: 'USD', total: 100n });
  await refundOrder(ctx, order.externalOrderId, { amount: 1_200n });
  await consume(ctx, countSalesConsumer);
  expect(await salesOf(ctx, '2026-03-09', '2026-03-10')).toEqual([
    ['EUR', [1, 5_000, 0], [2, 1_000, 1_200]],
    ['USD', [0, 0, 0], [1, 100, 0]],
  ]);
  expect(await salesOf(newContext(), '2026-03-09', '2026-03-10')).toEqual([]);
  await expect(salesOf(ctx, '2026-03-11', '2026-03-10')).rejects.toThrow('from must not be after to.');
});
