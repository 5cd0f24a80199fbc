import { expect, test } from '@jest/globals';
import { DAY_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { askOf } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import { model } from '../subgraph.ts';
import { releaseReservation, reserveCredits, settleReservation } from './reservations.service.ts';

const { services, newContext } = useServices({ at: '2026-03-10T10:00:00.000Z' });
const ask = askOf(model);

const USED = `query ($from: Date, $to: Date) {
  creditStatistics(from: $from, to: $to) { series { date used } }
}`;
const usedOf = async (ctx: Context) =>
  (await ask(ctx, USED, { from: '2026-03-10', to: '2026-03-12' })).data.creditStatistics.series;
const reserve = (ctx: Context, amount: bigint) => reserveCredits(ctx, { amount, purpose: 'Score' });

test('counts what was used on the day on which it was settled, and nothing that was released', async () => {
  const ctx = newContext();
  const ids = await Promise.all([reserve(ctx, 80n), reserve(ctx, 50n), reserve(ctx, 9n)]);
  await Promise.all([settleReservation(ctx, ids[0]!, 70n), settleReservation(ctx, ids[1]!, 50n)]);
  await releaseReservation(ctx, ids[2]!);
  services.clock.advance(2 * DAY_MS);
  await settleReservation(ctx, await reserve(ctx, 5n), 0n);
  await settleReservation(ctx, await reserve(ctx, 5n), 4n);
  services.clock.advance(-2 * DAY_MS);
  const day = (number: number, used: number) => ({ date: `2026-03-${number}`, used });
  expect(await usedOf(ctx)).toEqual([day(10, 120), day(11, 0), day(12, 4)]);
  expect(await usedOf(newContext())).toEqual([day(10, 0), day(11, 0), day(12, 0)]);
});
