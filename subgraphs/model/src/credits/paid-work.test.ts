import { describe, expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import { MINUTE_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import { chargeOf, maximumByContract } from './charges.ts';
import { paidWork, type Settle } from './paid-work.service.ts';
import { expireReservations } from './reservations.service.ts';
import { openWallet, setDecisionScores } from './wallet.service.ts';

const { services } = useServices();

const purpose = 'Score';

async function newContext(mode: 'LIVE' | 'TEST' = 'LIVE'): Promise<Context> {
  const ctx = contextOf(services, callerOf({ mode }));
  await openWallet(ctx, ctx.scope.workspaceId);
  return ctx;
}

/**
 * Returns the available and reserved credits, and the final statuses of the reservations in the order of
 * their creation.
 */
async function stateOf(ctx: Context) {
  const params = [ctx.scope.workspaceId];
  const [wallet] = await services.database.sql.query<{ balance: number; reserved: number }>(
    'SELECT balance::int, reserved::int FROM model.wallets WHERE workspace_id = $1',
    params,
  );
  const ended = await services.database.sql.query<{ status: string }>(
    'SELECT status FROM model.credit_reservations WHERE workspace_id = $1 ORDER BY id',
    params,
  );
  return { ...wallet!, ended: ended.map(({ status }) => status) };
}

test('work that succeeds is charged what it settles, in two statements', async () => {
  const ctx = await newContext();
  services.statements.length = 0;
  const answer = await paidWork(ctx, { maximum: 30, purpose }, async (settle) => [
    'answer',
    await settle(ctx, 20),
  ]);
  expect(services.statements).toHaveLength(2);
  expect(answer).toEqual(['answer', 20]);
  expect(await stateOf(ctx)).toEqual({ balance: 49_980, reserved: 0, ended: ['SETTLED'] });
});

test('work that settles nothing is charged nothing, also in two statements', async () => {
  const ctx = await newContext();
  services.statements.length = 0;
  await paidWork(ctx, { maximum: 30, purpose }, async (settle) => settle(ctx, 0));
  expect(services.statements).toHaveLength(2);
  expect(await stateOf(ctx)).toEqual({ balance: 50_000, reserved: 0, ended: ['SETTLED'] });
  await paidWork(ctx, { maximum: 30, purpose }, async () => 'no settlement');
  expect(await stateOf(ctx)).toEqual({ balance: 50_000, reserved: 0, ended: ['SETTLED', 'RELEASED'] });
});

test('work that fails fails with its own error and is charged nothing', async () => {
  const ctx = await newContext();
  const failing = paidWork(ctx, { maximum: 30, purpose }, async () => {
    throw new Error('on purpose');
  });
  await expect(failing).rejects.toThrow('on purpose');
  expect(await stateOf(ctx)).toEqual({ balance: 50_000, reserved: 0, ended: ['RELEASED'] });
});

test('work that fails after it settled has been paid: what it settled was kept', async () => {
  const ctx = await newContext();
  const failing = paidWork(ctx, { maximum: 30, purpose }, async (settle) => {
    await settle(ctx, 10);
    throw new Error('on purpose');
  });
  await expect(failing).rejects.toThrow('on purpose');
  expect(await stateOf(ctx)).toEqual({ balance: 49_990, reserved: 0, ended: ['SETTLED'] });
});

test('a settlement in a transaction that is lost is lost with it, and the credits return', async () => {
  const ctx = await newContext();
  const failing = paidWork(ctx, { maximum: 30, purpose }, (settle) =>
    ctx.transaction(async (tx) => {
      await settle(tx, 10);
      throw new Error('on purpose');
    }),
  );
  await expect(failing).rejects.toThrow('on purpose');
  expect(await stateOf(ctx)).toEqual({ balance: 50_000, reserved: 0, ended: ['RELEASED'] });
});

test('a settlement in a transaction that is kept needs nothing after it', async () => {
  const ctx = await newContext();
  await paidWork(ctx, { maximum: 30, purpose }, async (settle) => {
    await ctx.transaction((tx) => settle(tx, 10));
    services.statements.length = 0;
  });
  expect(services.statements).toEqual([]);
  expect(await stateOf(ctx)).toEqual({ balance: 49_990, reserved: 0, ended: ['SETTLED'] });
});

test('settling twice books once', async () => {
  const ctx = await newContext();
  const twice = async (settle: Settle) => [await settle(ctx, 10), await settle(ctx, 30)];
  expect(await paidWork(ctx, { maximum: 30, purpose }, twice)).toEqual([10, 10]);
  expect(await stateOf(ctx)).toMatchObject({ balance: 49_990 });
});

test('more than was reserved cannot be settled: the work fails and is charged nothing', async () => {
  const ctx = await newContext();
  const greedy = paidWork(ctx, { maximum: 30, purpose }, (settle) => settle(ctx, 31));
  await expect(greedy).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  expect(await stateOf(ctx)).toEqual({ balance: 50_000, reserved: 0, ended: ['RELEASED'] });
});

test('work that outlives its reservation fails with RESERVATION_CLOSED (409) and is charged nothing', async () => {
  const ctx = await newContext();
  const slow = paidWork(ctx, { maximum: 30, purpose }, async (settle) => {
    services.clock.advance(15 * MINUTE_MS);
    await expireReservations(ctx);
    return settle(ctx, 10);
  });
  await expect(slow).rejects.toMatchObject({ category: 'CONFLICT', code: 'RESERVATION_CLOSED' });
  expect(await stateOf(ctx)).toEqual({ balance: 50_000, reserved: 0, ended: ['EXPIRED'] });
});

test('what cannot be paid is refused before any work', async () => {
  const ctx = await newContext();
  let worked = false;
  const asking = paidWork(ctx, { maximum: 50_001, purpose }, async () => {
    worked = true;
  });
  await expect(asking).rejects.toMatchObject({ code: 'TRIAL_CREDITS_EXHAUSTED' });
  expect(worked).toBe(false);
});

describe('within a transaction of the caller', () => {
  const work = (tx: Context) => paidWork(tx, { maximum: 30, purpose }, (settle) => settle(tx, 10));

  test('the settlement is kept with it', async () => {
    const ctx = await newContext();
    expect(await ctx.transaction(work)).toBe(10);
    expect(await stateOf(ctx)).toEqual({ balance: 49_990, reserved: 0, ended: ['SETTLED'] });
  });

  test('the settlement is lost with it, and what was reserved expires', async () => {
    const ctx = await newContext();
    const failing = ctx.transaction(async (tx) => {
      await work(tx);
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect(await stateOf(ctx)).toEqual({ balance: 50_000, reserved: 30, ended: ['HELD'] });
    services.clock.advance(15 * MINUTE_MS);
    await expireReservations(ctx);
    expect(await stateOf(ctx)).toEqual({ balance: 50_000, reserved: 0, ended: ['EXPIRED'] });
  });

  test('work that fails before it settles returns what it reserved at once, whatever broke', async () => {
    const ctx = await newContext();
    const failing = ctx.transaction((tx) =>
      paidWork(tx, { maximum: 30, purpose }, () => tx.sql.query('SELECT 1 / 0')),
    );
    await expect(failing).rejects.toThrow('division by zero');
    expect(await stateOf(ctx)).toEqual({ balance: 50_000, reserved: 0, ended: ['RELEASED'] });
  });

  test('the wallet is free for all others while the work is done', async () => {
    const ctx = await newContext();
    await ctx.transaction((tx) =>
      paidWork(tx, { maximum: 30, purpose }, async (settle) => {
        expect(await work(ctx)).toBe(10);
        return settle(tx, 20);
      }),
    );
    expect(await stateOf(ctx)).toEqual({ balance: 49_970, reserved: 0, ended: ['SETTLED', 'SETTLED'] });
  });

  test('more callers than there are connections do not wait for each other', async () => {
    const ctx = await newContext();
    const callers = Array.from({ length: 40 }, () => contextOf(services, ctx.caller).transaction(work));
    await Promise.all(callers);
    expect(await stateOf(ctx)).toMatchObject({ balance: 49_600, reserved: 0 });
  });
});

describe('free are', () => {
  test('test mode, though the wallet is empty', async () => {
    const ctx = await newContext('TEST');
    await ctx.sql.query(`UPDATE model.wallets SET plan = 'PAUSED' WHERE workspace_id = $1`, [
      ctx.scope.workspaceId,
    ]);
    services.statements.length = 0;
    expect(await paidWork(ctx, { maximum: 30, purpose }, (settle) => settle(ctx, 20))).toBe(0);
    expect(services.statements).toEqual([]);
  });

  test('calls that can cost nothing', async () => {
    const ctx = await newContext();
    const maximum = maximumByContract([{ scores: 0, isDecision: false }]);
    services.statements.length = 0;
    await paidWork(ctx, { maximum, purpose }, (settle) => settle(ctx, 0));
    expect(services.statements).toEqual([]);
  });
});

describe('the paid contract', () => {
  const decide = (ctx: Context) =>
    paidWork(
      ctx,
      { maximum: maximumByContract([{ scores: 1, isDecision: true }]), purpose },
      (settle, contract) => settle(ctx, chargeOf([{ scores: 1, hasDecision: true }], contract)),
    );

  test('decides what a decision costs, without being read first', async () => {
    const ctx = await newContext();
    services.statements.length = 0;
    expect(await decide(ctx)).toBe(60);
    expect(services.statements).toHaveLength(2);
    await setDecisionScores(ctx.as(systemCaller('test', ctx.scope)), 'INCLUDED');
    expect(await decide(ctx)).toBe(50);
  });

  test('decides what is reserved: the last 50 credits buy a decision that includes its score', async () => {
    const ctx = await newContext();
    await ctx.sql.query(`UPDATE model.wallets SET plan = 'PAID', balance = 50 WHERE workspace_id = $1`, [
      ctx.scope.workspaceId,
    ]);
    await expect(decide(ctx)).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' });
    await setDecisionScores(ctx.as(systemCaller('test', ctx.scope)), 'INCLUDED');
    expect(await decide(ctx)).toBe(50);
  });

  test('that changes while work is done charges it by the one it was reserved under', async () => {
    const ctx = await newContext();
    const maximum = maximumByContract([{ scores: 1, isDecision: true }]);
    await setDecisionScores(ctx.as(systemCaller('test', ctx.scope)), 'INCLUDED');
    const charged = await paidWork(ctx, { maximum, purpose }, async (settle, contract) => {
      await setDecisionScores(ctx.as(systemCaller('test', ctx.scope)), 'SEPARATE');
      return settle(ctx, chargeOf([{ scores: 1, hasDecision: true }], contract));
    });
    expect(charged).toBe(50);
  });
});
