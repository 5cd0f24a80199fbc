import { describe, expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { rootFieldsWithoutAccess } from '@loyalty/platform/identity/access';
import { type Answer, askOf, entities } from '@loyalty/test/harness/ask';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import { model } from '../subgraph.ts';
import { walletChannel } from './credits.events.ts';
import { giveTrialJob, openWalletJob } from './credits.jobs.ts';
import { reserveCredits, settleReservation } from './reservations.service.ts';
import { openWallet, setDecisionScores } from './wallet.service.ts';

const { services, newContext } = useServices();

const ask = askOf(model);

const walletDocument = '{ wallet { balance reserved available trialUsed plan } }';
const gift = { balance: 50_000, reserved: 0, available: 50_000, trialUsed: 0, plan: 'TRIAL' };
const ledgerDocument = `query ($kind: CreditEntryKind, $first: Int, $after: String, $offset: Int) {
  creditLedger(kind: $kind, first: $first, after: $after, offset: $offset) {
    nodes { id kind amount balanceAfter description createdAt } pageInfo { hasNextPage endCursor } totalCount
  }
}`;

async function linesOf(ctx: Context) {
  return ctx.sql.query<{ account: string; kind: string; amount: bigint; balanceAfter: bigint | null }>(
    `SELECT account, kind, amount, balance_after FROM model.credit_entries
      WHERE workspace_id = $1 ORDER BY sequence, account`,
    [ctx.scope.workspaceId],
  );
}

async function spend(ctx: Context, amount: bigint): Promise<void> {
  const id = await reserveCredits(ctx, { amount, purpose: 'Score' });
  await settleReservation(ctx, id, amount);
}

test('every root field says who may call it', () => {
  expect(rootFieldsWithoutAccess(model.schema)).toEqual([]);
});

describe('a new workspace', () => {
  test('has the trial gift as soon as it reads its wallet, though no job has run', async () => {
    expect((await ask(newContext(), walletDocument)).data.wallet).toEqual(gift);
  });

  test('gets the gift once, booked in two lines, from jobs and readers at once', async () => {
    const ctx = newContext();
    const { workspaceId } = ctx.scope;
    const jobs = Array.from({ length: 20 }, () => openWalletJob.run(ctx, { workspaceId }));
    await Promise.all([...jobs, ...Array.from({ length: 20 }, () => ask(ctx, walletDocument))]);
    expect(await linesOf(ctx)).toEqual([
      { account: 'WALLET', kind: 'TRIAL_GIFT', amount: 50_000n, balanceAfter: 50_000n },
      { account: 'PROMOTION', kind: 'TRIAL_GIFT', amount: -50_000n, balanceAfter: null },
    ]);
    expect((await ask(ctx, walletDocument)).data.wallet).toEqual(gift);
  });

  describe('whose gift is held back until an address is confirmed', () => {
    const heldBack = (caller = callerOf()): Context =>
      contextOf({ ...services, config: { ...services.config, TRIAL_NEEDS_CONFIRMED_EMAIL: true } }, caller);
    const balanceOf = async (ctx: Context) => (await ask(ctx, walletDocument)).data.wallet;

    test('has an empty wallet, and gets the gift once, however often the job runs', async () => {
      const ctx = heldBack();
      const { workspaceId } = ctx.scope;
      await openWalletJob.run(ctx, { workspaceId });
      expect(await balanceOf(ctx)).toMatchObject({ balance: 0, plan: 'TRIAL' });
      await expect(reserveCredits(ctx, { amount: 1n, purpose: 'Score' })).rejects.toMatchObject({
        category: 'PAYMENT_REQUIRED',
      });
      await Promise.allSettled(Array.from({ length: 5 }, () => giveTrialJob.run(ctx, { workspaceId })));
      await giveTrialJob.run(ctx, { workspaceId });
      expect(await linesOf(ctx)).toEqual([
        { account: 'WALLET', kind: 'TRIAL_GIFT', amount: 50_000n, balanceAfter: 50_000n },
        { account: 'PROMOTION', kind: 'TRIAL_GIFT', amount: -50_000n, balanceAfter: null },
      ]);
      expect(await balanceOf(heldBack(ctx.caller))).toEqual(gift);
      await spend(heldBack(ctx.caller), 7n);
      expect(await balanceOf(heldBack(ctx.caller))).toMatchObject({ balance: 49_993, trialUsed: 7 });
    });

    test('gets none that it has had already', async () => {
      const caller = callerOf();
      const ctx = contextOf(services, caller);
      await spend(ctx, 10n);
      await giveTrialJob.run(heldBack(caller), { workspaceId: ctx.scope.workspaceId });
      expect(await balanceOf(heldBack(caller))).toMatchObject({ balance: 49_990 });
    });
  });

  test('keeps what it spent when its wallet is opened again', async () => {
    const ctx = newContext();
    await spend(ctx, 120n);
    await openWallet(ctx, ctx.scope.workspaceId);
    expect((await ask(ctx, walletDocument)).data.wallet).toMatchObject({ balance: 49_880, trialUsed: 120 });
  });

  test('keeps no wallet when the transaction that opened it fails', async () => {
    const ctx = newContext();
    const failing = ctx.transaction(async (tx) => {
      await openWallet(tx, tx.scope.workspaceId);
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect(await linesOf(ctx)).toEqual([]);
  });
});

describe('the wallet', () => {
  test('is one for live and test', async () => {
    const live = newContext();
    await spend(live, 10n);
    const testMode = newContext({ workspaceId: live.scope.workspaceId, mode: 'TEST' });
    expect((await ask(testMode, walletDocument)).data.wallet.balance).toBe(49_990);
  });

  test('of one workspace does not feel what another spends', async () => {
    const [spender, other] = [newContext(), newContext()];
    await spend(spender, 500n);
    expect((await ask(other, walletDocument)).data.wallet).toEqual(gift);
    expect((await ask(other, ledgerDocument)).data.creditLedger.totalCount).toBe(1);
  });

  test('publishes each change on its live channel, by the id of its workspace', async () => {
    const ctx = newContext();
    const heard = new Promise<string>((resolve) => {
      services.live.subscribe(walletChannel(ctx.scope.workspaceId), resolve);
    });
    await openWallet(ctx, ctx.scope.workspaceId);
    expect(await heard).toBe(ctx.scope.workspaceId);
  });

  test.each(['metrics:read', 'predictions:read', 'model:data:read', 'model:bulk:read'])(
    'may be read with %s',
    async (scope) => {
      const ctx = newContext({ kind: 'KEY', role: null, scopes: [scope] });
      expect((await ask(ctx, walletDocument)).data.wallet).toEqual(gift);
      expect((await ask(ctx, ledgerDocument)).data.creditLedger.totalCount).toBe(1);
    },
  );

  test.each([
    ['a key of the loyalty API', { kind: 'KEY', scopes: ['members:read'] }, 'SCOPE_MISSING'],
    ['a member', { kind: 'MEMBER' }, 'CALLER_REFUSED'],
  ] as const)('may not be read by %s', async (_, caller, reason) => {
    const ctx = newContext(caller);
    expect(await ask(ctx, walletDocument)).toMatchObject({ reason });
    expect(await ask(ctx, ledgerDocument)).toMatchObject({ reason });
    const references = [{ __typename: 'Workspace', id: ctx.scope.workspaceId }];
    const answer = await ask(ctx, entities('... on Workspace { wallet { balance } }'), { references });
    expect(answer).toMatchObject({ reason, data: null });
  });

  test('hangs on the own workspace and on no other', async () => {
    const ctx = newContext();
    const other = newContext();
    await openWallet(other, other.scope.workspaceId);
    const references = [ctx, other].map(({ scope }) => ({ __typename: 'Workspace', id: scope.workspaceId }));
    const answer = await ask(
      ctx,
      entities('... on Workspace { id wallet { id balance ledger { totalCount } } }'),
      { references },
    );
    expect(answer.data._entities).toEqual([
      {
        id: ctx.scope.workspaceId,
        wallet: { id: ctx.scope.workspaceId, balance: 50_000, ledger: { totalCount: 1 } },
      },
      { id: other.scope.workspaceId, wallet: null },
    ]);
  });
});

describe('the price list', () => {
  const priceDocument = '{ wallet { decisionScores rates { event score decision creditsPerUsd } } }';
  const rates = { event: 1, score: 10, decision: 50, creditsPerUsd: 10_000 };

  test('shows the rates, and that a new contract charges scores beside a decision', async () => {
    const { wallet } = (await ask(newContext(), priceDocument)).data;
    expect(wallet).toEqual({ decisionScores: 'SEPARATE', rates });
  });

  test('follows the contract that the operator sets', async () => {
    const ctx = newContext();
    await openWallet(ctx, ctx.scope.workspaceId);
    await setDecisionScores(ctx.as(systemCaller('test', ctx.scope)), 'INCLUDED');
    expect((await ask(ctx, priceDocument)).data.wallet).toEqual({ decisionScores: 'INCLUDED', rates });
  });

  test('cannot be changed by the owner, nor in a workspace that is not there', async () => {
    const ctx = newContext();
    await openWallet(ctx, ctx.scope.workspaceId);
    await expect(setDecisionScores(ctx, 'INCLUDED')).rejects.toMatchObject({ code: 'CALLER_REFUSED' });
    const nowhere = newContext();
    await expect(
      setDecisionScores(nowhere.as(systemCaller('test', nowhere.scope)), 'INCLUDED'),
    ).rejects.toMatchObject({ code: 'WALLET_NOT_FOUND' });
  });
});

describe('the ledger', () => {
  test('shows the wallet side of every change, newest first', async () => {
    const ctx = newContext();
    await spend(ctx, 30n);
    await spend(ctx, 7n);
    expect((await ask(ctx, ledgerDocument)).data.creditLedger.nodes).toMatchObject([
      { kind: 'USAGE', amount: -7, balanceAfter: 49_963, description: 'Score' },
      { kind: 'USAGE', amount: -30, balanceAfter: 49_970, description: 'Score' },
      { kind: 'TRIAL_GIFT', amount: 50_000, balanceAfter: 50_000, createdAt: '2026-03-02T10:00:00.000Z' },
    ]);
  });

  test('shows the changes of one kind', async () => {
    const ctx = newContext();
    await spend(ctx, 30n);
    const amounts = async (kind: string) => {
      const { creditLedger } = (await ask(ctx, ledgerDocument, { kind })).data;
      expect(creditLedger.totalCount).toBe(creditLedger.nodes.length);
      return creditLedger.nodes.map(({ amount }: { amount: number }) => amount);
    };
    expect(await amounts('USAGE')).toEqual([-30]);
    expect(await amounts('TRIAL_GIFT')).toEqual([50_000]);
    expect(await amounts('DEPOSIT')).toEqual([]);
  });

  test('is the same rows in the same order by cursor and by offset', async () => {
    const ctx = newContext();
    for (let amount = 1n; amount <= 6n; amount += 1n) await spend(ctx, amount);
    const whole = (await ask(ctx, ledgerDocument)).data.creditLedger.nodes;
    for (const first of [1, 3, 7]) {
      const byCursor: unknown[] = [];
      const byOffset: unknown[] = [];
      for (let after: string | null = null, more = true; more; ) {
        const answer: Answer = await ask(ctx, ledgerDocument, { first, after });
        byCursor.push(...answer.data.creditLedger.nodes);
        ({ hasNextPage: more, endCursor: after } = answer.data.creditLedger.pageInfo);
      }
      for (let offset = 0; offset < 7; offset += first) {
        byOffset.push(...(await ask(ctx, ledgerDocument, { first, offset })).data.creditLedger.nodes);
      }
      expect([byCursor, byOffset]).toEqual([whole, whole]);
    }
  });

  test.each([
    [{ first: 0 }, 'first must be between 1 and 200.'],
    [{ first: 201 }, 'first must be between 1 and 200.'],
    [{ offset: -1 }, 'offset must be between 0 and 10000000.'],
    [{ after: 'x' }, 'after must be a cursor that an earlier page returned.'],
  ])('asked for %j is refused with a sentence', async (variables, message) => {
    expect(await ask(newContext(), ledgerDocument, variables)).toMatchObject({
      code: 'BAD_USER_INPUT',
      message,
    });
  });
});
