import { expect, test } from '@jest/globals';
import type { Context } from '@loyalty/platform/context';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { releaseReservation, reserveCredits, settleReservation } from './reservations.service.ts';
import { getWallet, listCreditLedger } from './wallet.service.ts';

const { services, newContext } = useServices();

const reserve = (ctx: Context, amount: bigint) => reserveCredits(ctx, { amount, purpose: 'Score' });
/** Returns the wallet as the next request reads it. */
const walletOf = (ctx: Context) => getWallet(contextOf(services, ctx.caller));
const nobody = '00000000-0000-7000-8000-000000000000';

test('holds asked at once are one statement: a large hold that is refused refuses none of those that come after it', async () => {
  const ctx = newContext();
  await getWallet(ctx);
  services.statements.length = 0;
  const amounts = [100n, 20_000n, 40_000n, 20_000n, 9_901n, 9_900n];
  const asked = await Promise.allSettled(amounts.map((amount) => reserve(ctx, amount)));
  expect(asked.map(({ status }) => status === 'fulfilled')).toEqual([true, true, false, true, false, true]);
  expect(services.statements).toHaveLength(1);
  expect(await walletOf(ctx)).toMatchObject({ reserved: 50_000n, available: 0n });
});

test('settlements and releases asked at once are one statement, and each settlement an entry of its own', async () => {
  const ctx = newContext();
  const ids = await Promise.all(Array.from({ length: 6 }, () => reserve(ctx, 100n)));
  services.statements.length = 0;
  await Promise.all([
    settleReservation(ctx, ids[0]!, 1n),
    settleReservation(ctx, ids[1]!, 20n),
    releaseReservation(ctx, ids[2]!),
    settleReservation(ctx, ids[3]!, 0n),
    settleReservation(ctx, ids[4]!, 30n),
  ]);
  expect(services.statements).toHaveLength(1);
  expect((await listCreditLedger(ctx, {})).rows).toMatchObject([
    { amount: -30n, balanceAfter: 49_949n },
    { amount: -20n, balanceAfter: 49_979n },
    { amount: -1n, balanceAfter: 49_999n },
    { amount: 50_000n, balanceAfter: 50_000n },
  ]);
  expect(await walletOf(ctx)).toMatchObject({ balance: 49_949n, reserved: 100n, trialUsed: 51n });
});

test('of settlements asked at once, one fails alone that asks for too much, is closed, or is unknown', async () => {
  const ctx = newContext();
  const [first, second, third, last] = await Promise.all([1, 2, 3, 4].map(() => reserve(ctx, 100n)));
  await releaseReservation(ctx, third!);
  const outcomes = await Promise.allSettled([
    settleReservation(ctx, first!, 10n),
    settleReservation(ctx, second!, 101n),
    settleReservation(ctx, third!, 10n),
    settleReservation(ctx, nobody, 10n),
    settleReservation(ctx, last!, 10n),
  ]);
  const codes = outcomes.map((each) => (each.status === 'rejected' ? each.reason.code : each.value.settled));
  expect(codes).toEqual([10n, 'VALIDATION_FAILED', 'RESERVATION_CLOSED', 'RESERVATION_NOT_FOUND', 10n]);
  expect(await walletOf(ctx)).toMatchObject({ balance: 49_980n, reserved: 100n });
});

test('a reservation that is settled and released at once is one of the two', async () => {
  const ctx = newContext();
  const id = await reserve(ctx, 100n);
  const [settled, released] = await Promise.allSettled([
    settleReservation(ctx, id, 40n),
    releaseReservation(ctx, id),
  ]);
  expect(settled).toMatchObject({ status: 'fulfilled', value: { settled: 40n } });
  expect(released).toMatchObject({ status: 'fulfilled', value: { status: 'SETTLED', settled: 40n } });
  expect(await walletOf(ctx)).toMatchObject({ balance: 49_960n, reserved: 0n });
});

test.each([1_000_000_000_001n, 2n ** 63n])(
  'of holds asked at once, one of %s credits fails alone',
  async (amount) => {
    const ctx = newContext();
    const asked = await Promise.allSettled([reserve(ctx, 1n), reserve(ctx, amount), reserve(ctx, 1n)]);
    expect(asked.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  },
);
