import { describe, expect, test } from '@jest/globals';
import { MINUTE_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { useServices } from '@loyalty/test/harness/services';
import { expireReservationsJob } from './credits.jobs.ts';
import {
  expireReservations,
  releaseReservation,
  reserveByContract,
  reserveCredits,
  settleReservation,
} from './reservations.service.ts';
import { getWallet, listCreditLedger } from './wallet.service.ts';
import type { WalletPlan } from './wallet.store.ts';

const { services, newContext } = useServices();

const reserve = (ctx: Context, amount: bigint) => reserveCredits(ctx, { amount, purpose: 'Score' });
/** Returns the wallet as the next request reads it. */
const walletOf = (ctx: Context) => {
  ctx.forget();
  return getWallet(ctx);
};
const entriesOf = async (ctx: Context) => (await listCreditLedger(ctx, {})).rows.length;
const nobody = '00000000-0000-7000-8000-000000000000';

/** Sets the plan and adds credits directly, so that these tests need no deposits or activation. */
async function setWallet(ctx: Context, plan: WalletPlan, deposit = 0n): Promise<void> {
  await walletOf(ctx);
  await ctx.sql.query(
    'UPDATE model.wallets SET plan = $2::model."WalletPlan", balance = balance + $3::int8 WHERE workspace_id = $1',
    [ctx.scope.workspaceId, plan, deposit],
  );
}

describe('reserving', () => {
  test('reserves credits without spending them, in a workspace that has no wallet yet', async () => {
    const ctx = newContext();
    await reserve(ctx, 80n);
    expect(await walletOf(ctx)).toMatchObject({
      balance: 50_000n,
      reserved: 80n,
      available: 49_920n,
      trialUsed: 0n,
    });
  });

  test('costs one statement', async () => {
    const ctx = newContext();
    await walletOf(ctx);
    services.statements.length = 0;
    await reserve(ctx, 80n);
    expect(services.statements).toHaveLength(1);
  });

  test('at the last credit of the trial is possible, one more is TRIAL_CREDITS_EXHAUSTED (402)', async () => {
    const ctx = newContext();
    const id = await reserve(ctx, 50_000n);
    const refusal = { category: 'PAYMENT_REQUIRED', code: 'TRIAL_CREDITS_EXHAUSTED' };
    await expect(reserve(ctx, 1n)).rejects.toMatchObject(refusal);
    await settleReservation(ctx, id, 50_000n);
    await expect(reserve(ctx, 1n)).rejects.toMatchObject(refusal);
  });

  test('on trial is capped at 50,000 in all, however much was deposited', async () => {
    const ctx = newContext();
    await setWallet(ctx, 'TRIAL', 100_000n);
    await settleReservation(ctx, await reserve(ctx, 30_000n), 20_000n);
    await expect(reserve(ctx, 30_001n)).rejects.toMatchObject({ code: 'TRIAL_CREDITS_EXHAUSTED' });
    await reserve(ctx, 30_000n);
  });

  test('with paid service may use the rest of the gift and every deposit, and no more: INSUFFICIENT_CREDITS (402)', async () => {
    const ctx = newContext();
    await settleReservation(ctx, await reserve(ctx, 40_000n), 40_000n);
    await setWallet(ctx, 'PAID', 90_000n);
    const id = await reserve(ctx, 100_000n);
    await expect(reserve(ctx, 1n)).rejects.toMatchObject({
      category: 'PAYMENT_REQUIRED',
      code: 'INSUFFICIENT_CREDITS',
    });
    await settleReservation(ctx, id, 100_000n);
    expect(await walletOf(ctx)).toMatchObject({ balance: 0n, trialUsed: 40_000n });
  });

  test('while paid service is paused is SUBSCRIPTION_REQUIRED (402), though credits are there', async () => {
    const ctx = newContext();
    await setWallet(ctx, 'PAUSED', 90_000n);
    await expect(reserve(ctx, 1n)).rejects.toMatchObject({
      category: 'PAYMENT_REQUIRED',
      code: 'SUBSCRIPTION_REQUIRED',
    });
  });

  test.each([0n, -1n, 1_000_000_000_001n])('%s credits is refused', async (amount) => {
    await expect(reserve(newContext(), amount)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  test.each([
    [{ SEPARATE: 0n, INCLUDED: 1n }, 'at least 1'],
    [{ SEPARATE: 1n, INCLUDED: 0n }, 'at least 1'],
    [{ SEPARATE: 1_000_000_000_001n, INCLUDED: 1n }, 'at most 1000000000000'],
    [{ SEPARATE: 1n, INCLUDED: 1_000_000_000_001n }, 'at most 1000000000000'],
  ])('an amount of %p is refused, because each contract must be %s', async (amount, rule) => {
    await expect(reserveByContract(newContext(), { amount, purpose: 'Score' })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: `amount must be ${rule}.`,
    });
  });

  test.each([1n, 1_000_000_000_000n])('%s credits are held and can be settled', async (amount) => {
    const ctx = newContext();
    await setWallet(ctx, 'PAID', amount);
    const id = await reserve(ctx, amount);
    expect(await walletOf(ctx)).toMatchObject({ reserved: amount });
    expect(await settleReservation(ctx, id, amount)).toMatchObject({ status: 'SETTLED', settled: amount });
  });

  test('two hundred at once never promises more than there is', async () => {
    const ctx = newContext();
    await walletOf(ctx);
    const asked = await Promise.allSettled(Array.from({ length: 200 }, () => reserve(ctx, 700n)));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(71);
    expect(await walletOf(ctx)).toMatchObject({ reserved: 49_700n, available: 300n });
  });
});

describe('settling', () => {
  test('books what was used and returns the rest', async () => {
    const ctx = newContext();
    const id = await reserve(ctx, 80n);
    expect(await settleReservation(ctx, id, 30n)).toEqual({
      id,
      amount: 80n,
      settled: 30n,
      status: 'SETTLED',
    });
    expect(await walletOf(ctx)).toMatchObject({ balance: 49_970n, reserved: 0n, trialUsed: 30n });
  });

  test('twenty times at once books once', async () => {
    const ctx = newContext();
    const id = await reserve(ctx, 80n);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, used) => settleReservation(ctx, id, BigInt(used + 1))),
    );
    expect(new Set(answers.map(({ settled }) => settled)).size).toBe(1);
    expect(await walletOf(ctx)).toMatchObject({ balance: 50_000n - answers[0]!.settled!, reserved: 0n });
    expect(await entriesOf(ctx)).toBe(2);
  });

  test('nothing returns all and leaves no entry', async () => {
    const ctx = newContext();
    await settleReservation(ctx, await reserve(ctx, 80n), 0n);
    expect(await walletOf(ctx)).toMatchObject({ balance: 50_000n, reserved: 0n });
    expect(await entriesOf(ctx)).toBe(1);
  });

  test.each([-1n, 81n])('%s of 80 is refused and leaves the reservation held', async (used) => {
    const ctx = newContext();
    const id = await reserve(ctx, 80n);
    await expect(settleReservation(ctx, id, used)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(await walletOf(ctx)).toMatchObject({ balance: 50_000n, reserved: 80n });
  });

  test('after a release is RESERVATION_CLOSED (409) and books nothing', async () => {
    const ctx = newContext();
    const id = await reserve(ctx, 80n);
    await releaseReservation(ctx, id);
    await expect(settleReservation(ctx, id, 1n)).rejects.toMatchObject({
      category: 'CONFLICT',
      code: 'RESERVATION_CLOSED',
    });
    expect(await entriesOf(ctx)).toBe(1);
  });

  test('is undone with the transaction that it is part of', async () => {
    const ctx = newContext();
    const id = await reserve(ctx, 80n);
    const failing = ctx.transaction(async (tx) => {
      await settleReservation(tx, id, 80n);
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect(await walletOf(ctx)).toMatchObject({ balance: 50_000n, reserved: 80n });
  });

  test('does not count as trial use once service is paid', async () => {
    const ctx = newContext();
    const id = await reserve(ctx, 80n);
    await setWallet(ctx, 'PAID');
    await settleReservation(ctx, id, 80n);
    expect(await walletOf(ctx)).toMatchObject({ balance: 49_920n, trialUsed: 0n });
  });
});

describe('releasing', () => {
  test('returns all, once, however often it is asked', async () => {
    const ctx = newContext();
    const id = await reserve(ctx, 80n);
    const answers = await Promise.all(Array.from({ length: 10 }, () => releaseReservation(ctx, id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['RELEASED']));
    expect(await walletOf(ctx)).toMatchObject({ balance: 50_000n, reserved: 0n });
  });

  test('after settling takes nothing back', async () => {
    const ctx = newContext();
    const id = await reserve(ctx, 80n);
    await settleReservation(ctx, id, 50n);
    expect(await releaseReservation(ctx, id)).toMatchObject({ status: 'SETTLED', settled: 50n });
    expect(await walletOf(ctx)).toMatchObject({ balance: 49_950n, reserved: 0n });
  });
});

describe('a reservation of another workspace', () => {
  test.each([
    ['settled', (ctx: Context, id: string) => settleReservation(ctx, id, 1n)],
    ['released', (ctx: Context, id: string) => releaseReservation(ctx, id)],
  ] as const)('cannot be %s: RESERVATION_NOT_FOUND (404)', async (_, act) => {
    const owner = newContext();
    const id = await reserve(owner, 80n);
    await expect(act(newContext(), id)).rejects.toMatchObject({ code: 'RESERVATION_NOT_FOUND' });
    await expect(act(owner, nobody)).rejects.toMatchObject({ code: 'RESERVATION_NOT_FOUND' });
    expect(await walletOf(owner)).toMatchObject({ reserved: 80n });
  });
});

describe('expiring', () => {
  test('returns what is 15 minutes old, of every workspace, and nothing younger', async () => {
    const [one, two] = [newContext(), newContext()];
    await reserve(one, 100n);
    await reserve(two, 200n);
    services.clock.advance(14 * MINUTE_MS);
    await reserve(one, 7n);
    await expireReservationsJob.run(one, {});
    expect(await walletOf(one)).toMatchObject({ reserved: 107n });
    services.clock.advance(MINUTE_MS);
    await expireReservationsJob.run(one, {});
    expect(await walletOf(one)).toMatchObject({ reserved: 7n, balance: 50_000n });
    expect(await walletOf(two)).toMatchObject({ reserved: 0n, balance: 50_000n });
  });

  test('by ten workers at once returns each reservation once', async () => {
    const contexts = Array.from({ length: 5 }, newContext);
    await Promise.all(contexts.flatMap((ctx) => Array.from({ length: 8 }, () => reserve(ctx, 10n))));
    services.clock.advance(15 * MINUTE_MS);
    await Promise.all(Array.from({ length: 10 }, () => expireReservations(newContext())));
    await expireReservations(newContext());
    for (const ctx of contexts) expect(await walletOf(ctx)).toMatchObject({ reserved: 0n, balance: 50_000n });
  });

  test('does not wait for a wallet that somebody holds', async () => {
    const [busy, free] = [newContext(), newContext()];
    await reserve(busy, 10n);
    await reserve(free, 10n);
    services.clock.advance(15 * MINUTE_MS);
    await busy.transaction(async (tx) => {
      await tx.sql.query('SELECT FROM model.wallets WHERE workspace_id = $1 FOR UPDATE', [
        tx.scope.workspaceId,
      ]);
      await expireReservations(free);
      expect(await walletOf(free)).toMatchObject({ reserved: 0n });
      expect(await walletOf(busy)).toMatchObject({ reserved: 10n });
    });
    expect(await expireReservations(free)).toBe(1);
  });

  test('takes as many statements for fifty as for one', async () => {
    const counts: number[] = [];
    for (const size of [1, 50]) {
      await Promise.all(Array.from({ length: size }, () => reserve(newContext(), 10n)));
      services.clock.advance(15 * MINUTE_MS);
      services.statements.length = 0;
      await expireReservations(newContext());
      counts.push(services.statements.length);
    }
    expect(counts).toEqual([1, 1]);
  });
});
