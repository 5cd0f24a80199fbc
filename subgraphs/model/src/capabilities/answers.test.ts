import { expect, test } from '@jest/globals';
import { MINUTE_MS, SECOND_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { expireReservations } from '../credits/reservations.service.ts';
import { getWallet } from '../credits/wallet.service.ts';
import { answerCalls } from './answers.service.ts';
import { given, historyOf, spent } from './capabilities.fixture.ts';
import type { PreparedCall } from './capability.ts';
import type { Finding } from './finding.ts';

const { services, newContext } = useServices();

/** A call that uses its maximum, one score, after `during` has run. */
const scoring = (memberId: string, during: (ctx: Context) => Promise<unknown>): PreparedCall => ({
  name: 'model_predict_purchase',
  memberId,
  maximum: { scores: 1, isDecision: false },
  run: async (ctx): Promise<Finding> => {
    await during(ctx);
    return {
      status: 'OK',
      evidence: [],
      limitations: [],
      modelVersion: 'std-1',
      data: { member_id: memberId },
      usage: { scores: 1, hasDecision: false },
      cutoff: ctx.clock.now(),
    };
  },
});

test('credits for the most that all calls can cost are set aside before any of them runs', async () => {
  const ctx = newContext();
  const memberId = await given.member(ctx);
  const reserved: bigint[] = [];
  const look = async () => {
    reserved.push((await getWallet(contextOf(services, ctx.caller))).reserved);
  };
  await answerCalls(ctx, [scoring(memberId, look), scoring(memberId, look)], 'Test');
  expect(reserved).toEqual([20n, 20n]);
  expect(await spent(ctx)).toBe(20);
});

test('three calls run at once, whatever their number', async () => {
  const ctx = newContext();
  const memberId = await given.member(ctx);
  let running = 0;
  let most = 0;
  const watched = async () => {
    running += 1;
    most = Math.max(most, running);
    for (let turns = 0; turns < 5; turns += 1) await ctx.sql.query('SELECT 1');
    running -= 1;
  };
  await answerCalls(
    ctx,
    Array.from({ length: 10 }, () => scoring(memberId, watched)),
    'Test',
  );
  expect(most).toBe(3);
});

test.each([
  ['restricted', given.restricted, 'MEMBER_RESTRICTED'],
  ['about to be erased', given.closing, 'MEMBER_RESTRICTED'],
  ['erased', given.erased, 'CONSUMER_NOT_FOUND'],
] as const)(
  'a member %s while its answer was worked out gets none, nothing is kept or charged',
  async (_, act, code) => {
    const ctx = newContext();
    const memberId = await given.member(ctx);
    const during = async () => {
      await act(ctx, memberId);
      services.clock.advance(SECOND_MS);
    };
    const [outcome] = await answerCalls(ctx, [scoring(memberId, during)], 'Test');
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code } });
    expect(await historyOf(ctx)).toEqual([]);
    expect(await spent(ctx)).toBe(0);
  },
);

test('an answer that cannot be charged is not given, and its reservation is released', async () => {
  const ctx = newContext();
  const memberId = await given.member(ctx);
  const breakLedger = () => ctx.sql.query('ALTER TABLE model.credit_entries RENAME TO away');
  try {
    await expect(answerCalls(ctx, [scoring(memberId, breakLedger)], 'Test')).rejects.toThrow();
  } finally {
    await ctx.sql.query('ALTER TABLE model.away RENAME TO credit_entries');
  }
  services.clock.advance(15 * MINUTE_MS);
  await expireReservations(ctx);
  expect(await spent(ctx)).toBe(0);
});

test('calls that fail cost nothing, and those beside them are charged', async () => {
  const ctx = newContext();
  const memberId = await given.member(ctx);
  const failing = scoring(memberId, async () => {
    throw new Error('on purpose');
  });
  const fine = scoring(memberId, async () => {});
  const outcomes = await answerCalls(ctx, [failing, fine], 'Test');
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect(await spent(ctx)).toBe(10);
});
