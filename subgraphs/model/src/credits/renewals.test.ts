import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import type { Context, Services } from '@loyalty/platform/context';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import { walletChannel } from './credits.events.ts';
import { renewSubscriptionsJob } from './credits.jobs.ts';
import { reserveCredits } from './reservations.service.ts';
import { activate, fund, quoting, spend, walletOf } from './subscriptions.fixture.ts';
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

/** Creates a workspace with active paid service, starting with the first month. */
async function paying(through: Services = charging) {
  const caller = callerOf();
  const ctx = () => contextOf(through, caller);
  expect((await activate(ctx())).data.wallet.paidActive).toBe(true);
  return ctx;
}

const worker = (through: Services = charging): Context => contextOf(through, systemCaller('scheduler'));
const renewAt = async (at: string, through: Services = charging) => {
  services.clock.set(at);
  return renewSubscriptions(worker(through));
};

const publishedBy = (ctx: Context) =>
  ctx.sql.query<{ payload: unknown; mode: string }>(
    `SELECT payload, mode FROM platform.outbox WHERE workspace_id = $1 AND type = 'wallet.service_paused'`,
    [ctx.scope.workspaceId],
  );

describe('renewal', () => {
  test('debits a month when it is due and not before, and open screens hear of it', async () => {
    const ctx = await paying();
    await renewAt('2026-04-02T09:59:59.999Z');
    expect((await walletOf(ctx())).balance).toBe(30_000);
    const heard = new Promise<string>((resolve) => {
      services.live.subscribe(walletChannel(ctx().scope.workspaceId), resolve);
    });
    await renewAt('2026-04-02T10:30:00.000Z');
    expect(await walletOf(ctx())).toMatchObject({ balance: 10_000, renewsAt: '2026-05-02T10:00:00.000Z' });
    expect(await heard).toBe(ctx().scope.workspaceId);
    await expectSoundLedger(ctx());
  });

  test('keeps to the day of the month that service began on, or the last day of a shorter month', async () => {
    const free = quoting(services, 0);
    services.clock.set('2027-12-31T23:30:00.000Z');
    const ctx = await paying(free);
    const days: string[] = [];
    for (let month = 0; month < 5; month += 1) {
      const { renewsAt } = await walletOf(ctx());
      days.push(renewsAt.slice(0, 16));
      await renewAt(renewsAt, free);
    }
    expect(days).toEqual([
      '2028-01-31T23:30',
      '2028-02-29T23:30',
      '2028-03-31T23:30',
      '2028-04-30T23:30',
      '2028-05-31T23:30',
    ]);
  });

  test('by many workers at once debits each wallet once', async () => {
    const wallets = await Promise.all(Array.from({ length: 12 }, () => paying()));
    services.clock.set('2026-04-02T10:00:00.000Z');
    await Promise.all(Array.from({ length: 8 }, () => renewSubscriptionsJob.run(worker(), {})));
    await renewSubscriptionsJob.run(worker(), {});
    for (const ctx of wallets) {
      expect((await walletOf(ctx())).balance).toBe(10_000);
      await expectSoundLedger(ctx());
    }
  });

  test('while credits are spent leaves wallet and ledger agreeing', async () => {
    const ctx = await paying();
    services.clock.set('2026-04-02T10:00:00.000Z');
    const spending = Array.from({ length: 30 }, () => spend(ctx(), 100));
    const renewing = Array.from({ length: 5 }, () => renewSubscriptions(worker()));
    await Promise.all([...spending, ...renewing]);
    await renewSubscriptions(worker());
    expect((await walletOf(ctx())).balance).toBe(30_000 - 3_000 - FEE);
    await expectSoundLedger(ctx());
  });

  test('that is three months late debits one month, and the next is a month from then', async () => {
    const ctx = await paying();
    await renewAt('2026-07-15T12:00:00.000Z');
    expect(await walletOf(ctx())).toMatchObject({ balance: 10_000, renewsAt: '2026-08-15T12:00:00.000Z' });
    expect(await linesOf(ctx())).toHaveLength(4);
  });

  test('that is not covered pauses service, debits nothing and publishes it once', async () => {
    const ctx = await paying();
    await spend(ctx(), 10_001);
    services.clock.set('2026-04-02T10:00:00.000Z');
    expect(await renewSubscriptions(worker())).toEqual({ renewed: 0, paused: 1 });
    expect(await walletOf(ctx())).toMatchObject({ balance: 19_999, plan: 'PAUSED', renewsAt: null });
    const payload = { workspaceId: ctx().scope.workspaceId };
    expect(await publishedBy(ctx())).toEqual([{ payload, mode: 'LIVE' }]);
    await renewAt('2026-08-02T10:00:00.000Z');
    expect(await publishedBy(ctx())).toHaveLength(1);
    expect((await walletOf(ctx())).balance).toBe(19_999);
    await expectSoundLedger(ctx());
  });

  test('after a pause goes on when the wallet was funded and service activated, without debt', async () => {
    const ctx = await paying();
    await spend(ctx(), 10_001);
    await renewAt('2026-04-02T10:00:00.000Z');
    services.clock.set('2026-09-05T00:00:00.000Z');
    expect(await activate(ctx())).toMatchObject({ reason: 'INSUFFICIENT_CREDITS' });
    await fund(ctx(), 100);
    expect((await activate(ctx())).data.wallet).toMatchObject({
      balance: 9_999,
      plan: 'PAID',
      renewsAt: '2026-10-05T00:00:00.000Z',
    });
    await expectSoundLedger(ctx());
  });

  test('does not spend what is reserved', async () => {
    const ctx = await paying();
    await reserveCredits(ctx(), { amount: 10_001n, purpose: 'Score' });
    services.clock.set('2026-04-02T10:00:00.000Z');
    await renewSubscriptions(worker());
    expect(await walletOf(ctx())).toMatchObject({ balance: 30_000, plan: 'PAUSED' });
  });

  test('takes more wallets than one batch holds, in a statement for each batch', async () => {
    await services.database.sql.query(
      `INSERT INTO model.wallets (workspace_id, balance, plan, renews_at, paid_since, sequence, created_at)
       SELECT gen_random_uuid(), 0, 'PAID', $1, $1::timestamptz - interval '1 month', 0, $1
         FROM generate_series(1, 450)`,
      [services.clock.now()],
    );
    services.statements.length = 0;
    expect(await renewSubscriptions(worker(quoting(services, 0)))).toEqual({ renewed: 450, paused: 0 });
    expect(services.statements.filter((text) => text.includes('model.wallets'))).toHaveLength(3);
  });
});
