import { describe, expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { ask } from '@loyalty/test/harness/ask';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { reserveCredits, settleReservation } from '../credits/reservations.service.ts';
import { getWallet, setDecisionScores } from '../credits/wallet.service.ts';
import type { WalletPlan } from '../credits/wallet.store.ts';
import { model } from '../subgraph.ts';

const { services, newContext } = useServices();

async function estimate(ctx: Context, input: Record<string, unknown>) {
  const document = `query ($input: CreditEstimateInput!) {
    creditEstimate(input: $input) { maximum available isCovered refusal }
  }`;
  const answer = await ask(model, contextOf(services, ctx.caller), document, { input });
  return answer.data ? answer.data.creditEstimate : answer;
}

async function setWallet(ctx: Context, plan: WalletPlan, balance: number): Promise<void> {
  await getWallet(ctx);
  await ctx.sql.query(
    'UPDATE model.wallets SET plan = $2::model."WalletPlan", balance = $3::int8 WHERE workspace_id = $1',
    [ctx.scope.workspaceId, plan, balance],
  );
}

describe('the most that work can cost', () => {
  test.each([
    [{ capabilities: ['model_get_consumer_state'] }, 30],
    [{ capabilities: ['model_recommend_basket', 'model_predict_churn', 'model_recommend_next_item'] }, 80],
    [{ capabilities: ['model_get_decision_history'] }, 0],
    [{ events: 1_234 }, 1_234],
    [{ members: 100 }, 3_000],
    [{ capabilities: ['model_predict_churn'], events: 5, members: 1 }, 45],
    [{ events: 0 }, 0],
  ])('of %j is %i credits', async (input, maximum) => {
    expect(await estimate(newContext(), input)).toEqual({
      maximum,
      available: 50_000,
      isCovered: true,
      refusal: null,
    });
  });

  test('follows the paid contract', async () => {
    const ctx = newContext();
    await getWallet(ctx);
    await setDecisionScores(ctx.as(systemCaller('test', ctx.scope)), 'INCLUDED');
    expect(await estimate(ctx, { capabilities: ['model_recommend_basket'] })).toMatchObject({ maximum: 50 });
  });

  test('of the largest refresh there can be is exact', async () => {
    const answer = await estimate(newContext(), { members: 2_147_483_647, events: 2_147_483_647 });
    expect(answer).toMatchObject({ maximum: 66_571_993_057, isCovered: false });
  });

  test('in test mode is nothing, though the wallet is empty', async () => {
    const ctx = newContext();
    await setWallet(ctx, 'PAUSED', 0);
    const sandbox = contextOf(services, { ...ctx.caller, mode: 'TEST' });
    expect(await estimate(sandbox, { members: 10 })).toEqual({
      maximum: 0,
      available: 0,
      isCovered: true,
      refusal: null,
    });
  });
});

describe('the refusal', () => {
  test.each([
    ['TRIAL', 60_000, 'TRIAL_CREDITS_EXHAUSTED'],
    ['PAUSED', 60_000, 'SUBSCRIPTION_REQUIRED'],
    ['PAID', 40_000, 'INSUFFICIENT_CREDITS'],
  ] as const)('of %s with %i credits is what reserving answers', async (plan, balance, code) => {
    const ctx = newContext();
    await setWallet(ctx, plan, balance);
    const { available } = await estimate(ctx, { events: 1 });
    const below = await estimate(ctx, { events: available });
    const above = await estimate(ctx, { events: available + 1 });
    expect([below.refusal, above.refusal]).toEqual([null, code]);
    await expect(
      reserveCredits(ctx, { amount: BigInt(available + 1), purpose: 'Score' }),
    ).rejects.toMatchObject({ category: 'PAYMENT_REQUIRED', code });
    if (available > 0) await reserveCredits(ctx, { amount: BigInt(available), purpose: 'Score' });
  });

  test('counts what is used and what is reserved against the trial, however much was deposited', async () => {
    const ctx = newContext();
    await setWallet(ctx, 'TRIAL', 80_000);
    const id = await reserveCredits(ctx, { amount: 1_000n, purpose: 'Score' });
    await settleReservation(ctx, id, 400n);
    await reserveCredits(ctx, { amount: 600n, purpose: 'Score' });
    expect(await estimate(ctx, { events: 49_001 })).toMatchObject({
      available: 49_000,
      isCovered: false,
      refusal: 'TRIAL_CREDITS_EXHAUSTED',
    });
    expect(await estimate(ctx, { events: 49_000 })).toMatchObject({ isCovered: true });
  });

  test('is none for what costs nothing, though nothing may be spent', async () => {
    const ctx = newContext();
    await setWallet(ctx, 'PAUSED', 10);
    expect(await estimate(ctx, { capabilities: ['model_record_outcome'] })).toMatchObject({ refusal: null });
  });
});

describe('a question', () => {
  test.each([
    [{}, 'input must name capabilities, events or members.'],
    [
      { capabilities: ['model_predict_churn', 'toString'] },
      'input.capabilities[1] must be the name of a capability.',
    ],
    [
      { capabilities: Array.from({ length: 21 }, () => 'model_predict_churn') },
      'input.capabilities must be at most 20 names.',
    ],
  ])('like %j is refused with a sentence', async (input, message) => {
    expect(await estimate(newContext(), input)).toMatchObject({ code: 'BAD_USER_INPUT', message });
  });

  test('reserves and writes nothing', async () => {
    const ctx = newContext();
    await getWallet(ctx);
    services.statements.length = 0;
    await estimate(ctx, { members: 3 });
    expect(services.statements).toHaveLength(1);
    expect(await getWallet(contextOf(services, ctx.caller))).toMatchObject({ reserved: 0n });
  });
});

test('on trial with a deposit, what open holds set aside is in the estimate as in the next reservation', async () => {
  const ctx = newContext();
  await setWallet(ctx, 'TRIAL', 120_000);
  const [first, second] = [
    await reserveCredits(ctx, { amount: 20_000n, purpose: 'Score' }),
    await reserveCredits(ctx, { amount: 10_000n, purpose: 'Score' }),
  ];
  const left = { available: 20_000, refusal: null };
  expect(await estimate(ctx, { events: 20_000 })).toMatchObject({ ...left, isCovered: true });
  expect(await estimate(ctx, { events: 20_001 })).toMatchObject({
    available: 20_000,
    isCovered: false,
    refusal: 'TRIAL_CREDITS_EXHAUSTED',
  });
  const refusal = { code: 'TRIAL_CREDITS_EXHAUSTED' };
  await expect(reserveCredits(ctx, { amount: 20_001n, purpose: 'Score' })).rejects.toMatchObject(refusal);
  await settleReservation(ctx, first, 5_000n);
  expect(await estimate(ctx, { events: 35_000 })).toMatchObject({ available: 35_000, isCovered: true });
  await settleReservation(ctx, second, 10_000n);
  expect(await estimate(ctx, { events: 35_001 })).toMatchObject({ available: 35_000, isCovered: false });
  await reserveCredits(ctx, { amount: 35_000n, purpose: 'Score' });
  expect(await estimate(ctx, { events: 1 })).toMatchObject({ available: 0, isCovered: false });
});
