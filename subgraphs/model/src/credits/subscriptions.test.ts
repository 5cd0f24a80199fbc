import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Caller, systemCaller } from '@loyalty/platform/base/caller';
import { DAY_MS } from '@loyalty/platform/base/clock';
import type { Context, Services } from '@loyalty/platform/context';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import { reserveCredits, settleReservation } from './reservations.service.ts';
import { activate, deactivate, fund, quoting, spend, walletOf } from './subscriptions.fixture.ts';
import { renewSubscriptions } from './subscriptions.service.ts';
import { expectSoundLedger, linesOf } from './wallet.fixture.ts';

const FEE = 20_000;

const { services } = useServices();
/** An installation with a monthly fee. */
let charging: Services;
beforeAll(() => {
  charging = quoting(services, FEE);
});
beforeEach(() => services.clock.set('2026-03-02T10:00:00.000Z'));

/** Returns a function that makes a context for each request of the workspace's owner. */
function owner(through: Services = charging, change: Partial<Caller> = {}): () => Context {
  const caller = { ...callerOf(), ...change };
  return () => contextOf(through, caller);
}

/** Creates a workspace with active paid service, starting with the first month. */
async function paying(through: Services = charging) {
  const ctx = owner(through);
  expect((await activate(ctx())).data.wallet.paidActive).toBe(true);
  return ctx;
}

const auditOf = (ctx: Context) =>
  ctx.sql.query('SELECT action, after FROM platform.audit_entries WHERE workspace_id = $1 ORDER BY id', [
    ctx.scope.workspaceId,
  ]);

async function renewAt(at: string): Promise<void> {
  services.clock.set(at);
  await renewSubscriptions(contextOf(charging, systemCaller('scheduler')));
}

describe('activation', () => {
  test('debits the first month, keeps what is left of the gift and renews a calendar month later', async () => {
    const ctx = owner();
    await spend(ctx(), 1_000);
    expect((await activate(ctx())).data.wallet).toEqual({
      balance: 29_000,
      plan: 'PAID',
      paidActive: true,
      renewsAt: '2026-04-02T10:00:00.000Z',
      creditsPerMonth: FEE,
    });
    const line = { kind: 'SUBSCRIPTION', reference: 'subscription:2026-03-02T10:00:00.000Z' };
    expect((await linesOf(ctx())).slice(2)).toEqual([
      { ...line, account: 'WALLET', amount: -20_000n, balanceAfter: 29_000n },
      { ...line, account: 'USAGE', amount: 20_000n, balanceAfter: null },
    ]);
    await expectSoundLedger(ctx());
  });

  test('lets the balance be spent beyond the 50,000 credits of the trial', async () => {
    const ctx = owner(services);
    await spend(ctx(), 50_000);
    await fund(ctx(), 100);
    await expect(spend(ctx(), 1)).rejects.toMatchObject({ code: 'TRIAL_CREDITS_EXHAUSTED' });
    await activate(ctx());
    await spend(ctx(), 10_000);
    expect((await walletOf(ctx())).balance).toBe(0);
  });

  test('by fifty clicks at once is debited once', async () => {
    const ctx = owner();
    await Promise.all(Array.from({ length: 50 }, () => activate(ctx())));
    expect(await walletOf(ctx())).toMatchObject({ balance: 30_000, plan: 'PAID' });
    expect(await linesOf(ctx())).toHaveLength(2);
    expect(await auditOf(ctx())).toHaveLength(1);
    await expectSoundLedger(ctx());
  });

  test('that the available credits do not cover changes nothing: what is reserved is not available', async () => {
    const ctx = owner();
    await reserveCredits(ctx(), { amount: 30_001n, purpose: 'Score' });
    expect(await activate(ctx())).toMatchObject({ code: 'PAYMENT_REQUIRED', reason: 'INSUFFICIENT_CREDITS' });
    expect(await walletOf(ctx())).toMatchObject({ balance: 50_000, plan: 'TRIAL', renewsAt: null });
    expect(await linesOf(ctx())).toEqual([]);
  });

  test('of active service changes nothing', async () => {
    const ctx = await paying();
    services.clock.advance(DAY_MS);
    expect((await activate(ctx())).data.wallet).toMatchObject({
      balance: 30_000,
      renewsAt: '2026-04-02T10:00:00.000Z',
    });
  });

  test('costs nothing where no fee is quoted, and leaves no line in the ledger', async () => {
    const ctx = owner(services);
    expect((await activate(ctx())).data.wallet).toMatchObject({ balance: 50_000, creditsPerMonth: 0 });
    expect(await linesOf(ctx())).toEqual([]);
    await expectSoundLedger(ctx());
  });

  test.each([
    ['an administrator', { role: 'ADMIN' }, 'ROLE_REQUIRED'],
    ['a key with every scope', { kind: 'KEY', role: null }, 'CALLER_REFUSED'],
    ['an owner in test mode', { mode: 'TEST' }, 'LIVE_ONLY'],
  ] as const)('and its end are refused to %s', async (_, change, reason) => {
    const ctx = owner(charging, change);
    expect(await activate(ctx())).toMatchObject({ reason });
    expect(await deactivate(ctx())).toMatchObject({ reason });
  });

  test('and its end are in the audit log', async () => {
    const ctx = await paying();
    await deactivate(ctx());
    expect(await auditOf(ctx())).toEqual([
      { action: 'activatePaidService', after: { plan: 'PAID', debited: FEE } },
      { action: 'deactivatePaidService', after: { plan: 'PAUSED' } },
    ]);
  });
});

describe('the end of paid service', () => {
  test('stops spending at once, and what was reserved is still settled', async () => {
    const ctx = await paying();
    const held = await reserveCredits(ctx(), { amount: 100n, purpose: 'Score' });
    expect((await deactivate(ctx())).data.wallet).toMatchObject({
      balance: 30_000,
      plan: 'PAUSED',
      paidActive: false,
      renewsAt: null,
    });
    await expect(spend(ctx(), 1)).rejects.toMatchObject({ code: 'SUBSCRIPTION_REQUIRED' });
    await settleReservation(ctx(), held, 100n);
    expect((await walletOf(ctx())).balance).toBe(29_900);
  });

  test.each([
    ['until it is over', '2026-04-02T09:59:59.999Z', 30_000, '2026-04-02T10:00:00.000Z'],
    ['no longer', '2026-04-02T10:00:00.000Z', 10_000, '2026-05-02T10:00:00.000Z'],
  ])('leaves the month that was paid, %s', async (_, at, balance, renewsAt) => {
    const ctx = await paying();
    await deactivate(ctx());
    services.clock.set(at);
    expect((await activate(ctx())).data.wallet).toMatchObject({ balance, plan: 'PAID', renewsAt });
  });

  test('means that nothing is renewed; a new month begins with the next activation', async () => {
    const ctx = await paying();
    await deactivate(ctx());
    await renewAt('2026-04-10T00:00:00.000Z');
    expect(await walletOf(ctx())).toMatchObject({ balance: 30_000, plan: 'PAUSED' });
    expect((await activate(ctx())).data.wallet).toMatchObject({
      balance: 10_000,
      renewsAt: '2026-05-10T00:00:00.000Z',
    });
  });

  test('does not end a trial', async () => {
    const ctx = owner();
    expect((await deactivate(ctx())).data.wallet).toMatchObject({ plan: 'TRIAL', balance: 50_000 });
  });
});
