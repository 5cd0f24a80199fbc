import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Caller } from '@loyalty/platform/base/caller';
import { newId } from '@loyalty/platform/base/ids';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import { model } from '../subgraph.ts';
import {
  COMPLETED,
  deposit,
  type Payments,
  SECRET_KEY,
  signedEvent,
  startPayments,
  walletOf,
} from './payments.fixture.ts';
import { expectSoundLedger, linesOf } from './wallet.fixture.ts';

const { services, newContext, beforeClose } = useServices();
let payments: Payments;
beforeAll(async () => {
  payments = await startPayments(services);
});
afterEach(() => payments.forget());
beforeClose(() => payments.close());

describe('the sandbox', () => {
  test('pays at once: 100 credits a cent, in two lines that name the deposit', async () => {
    const caller = callerOf();
    const { data } = await deposit(contextOf(services, caller));
    expect(data.depositCredits).toEqual({ balance: 173_400, openDeposits: [] });
    const ctx = contextOf(services, caller);
    const [{ id, ...paid }] = (await walletOf(ctx)).deposits.nodes;
    expect(paid).toEqual({
      status: 'PAID',
      usdCents: 1_234,
      credits: 123_400,
      checkoutUrl: null,
      closedAt: '2026-03-02T10:00:00.000Z',
    });
    const line = { kind: 'DEPOSIT', reference: `deposit:${id}` };
    expect(await linesOf(ctx)).toEqual([
      { ...line, account: 'WALLET', amount: 123_400n, balanceAfter: 173_400n },
      { ...line, account: 'DEPOSIT', amount: -123_400n, balanceAfter: null },
    ]);
    await expectSoundLedger(ctx);
  });

  test('takes many deposits of one wallet at once', async () => {
    const caller = callerOf();
    await Promise.all(Array.from({ length: 20 }, () => deposit(contextOf(services, caller), 100)));
    const ctx = contextOf(services, caller);
    expect((await walletOf(ctx)).balance).toBe(50_000 + 20 * 10_000);
    await expectSoundLedger(ctx);
  });

  test('is never there in production, where nothing is left behind', async () => {
    const ctx = contextOf({ ...services, config: { ...services.config, isProduction: true } });
    expect(await deposit(ctx)).toMatchObject({ code: 'UNAVAILABLE', reason: 'PAYMENTS_NOT_CONFIGURED' });
    expect((await walletOf(ctx)).deposits.totalCount).toBe(0);
  });

  test('believes no event', async () => {
    const event = signedEvent(COMPLETED, {}, { at: services.clock.now() });
    expect(await payments.receive(event, services)).toMatchObject({ reason: 'SIGNATURE_INVALID' });
  });
});

describe('a deposit', () => {
  test.each([99, 0, -100, 1_000_001])('of %i cents is refused with a sentence', async (usdCents) => {
    expect(await deposit(newContext(), usdCents)).toMatchObject({
      code: 'BAD_USER_INPUT',
      message: 'usdCents must be between 100 and 1000000.',
    });
  });

  test.each([
    ['an administrator', { role: 'ADMIN' }, 'ROLE_REQUIRED'],
    ['a key with every scope', { kind: 'KEY', role: null }, 'CALLER_REFUSED'],
    ['a member', { kind: 'MEMBER', role: null }, 'CALLER_REFUSED'],
    ['an owner in test mode', { mode: 'TEST' }, 'LIVE_ONLY'],
  ] as const)('is refused to %s', async (_, change, reason) => {
    const caller: Caller = { ...callerOf(), ...change };
    expect(await deposit(contextOf(services, caller))).toMatchObject({ reason });
  });

  test('is in the audit log, under who made it', async () => {
    const ctx = newContext();
    await deposit(ctx);
    const [{ id }] = (await walletOf(ctx)).deposits.nodes;
    const entries = await ctx.sql.query(
      `SELECT actor, action, resource_id AS id, after FROM platform.audit_entries WHERE workspace_id = $1`,
      [ctx.scope.workspaceId],
    );
    const after = { usdCents: 1_234, provider: 'SANDBOX' };
    expect(entries).toEqual([{ actor: ctx.caller.actor, action: 'depositCredits', id, after }]);
  });

  test('of one workspace is not seen by another', async () => {
    await deposit(newContext());
    expect((await walletOf(newContext())).deposits.totalCount).toBe(0);
  });

  test('takes from a client nothing but what it pays', () => {
    const names = Object.values(model.schema.getMutationType()!.getFields()).flatMap(({ name, args }) =>
      ['depositCredits', 'activatePaidService', 'deactivatePaidService', 'acceptServiceQuote'].includes(name)
        ? [[name, ...args.map((arg) => arg.name)]]
        : [],
    );
    expect(names.sort()).toEqual([
      ['acceptServiceQuote', 'id'],
      ['activatePaidService'],
      ['deactivatePaidService'],
      ['depositCredits', 'usdCents'],
    ]);
  });
});

describe('a page of Stripe', () => {
  test('is asked for with what it must know, and nothing is booked yet', async () => {
    const { ctx, id } = await payments.pending();
    expect(payments.api.calls).toHaveLength(1);
    const { path, headers, form } = payments.api.calls[0]!;
    expect([path, headers.authorization, headers['idempotency-key']]).toEqual([
      '/v1/checkout/sessions',
      `Bearer ${SECRET_KEY}`,
      id,
    ]);
    expect(form).toEqual({
      mode: 'payment',
      client_reference_id: id,
      'metadata[loyalty_workspace_id]': ctx().scope.workspaceId,
      'metadata[loyalty_deposit_id]': id,
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'usd',
      'line_items[0][price_data][unit_amount]': '1234',
      'line_items[0][price_data][product_data][name]': '123,400 credits',
      'adaptive_pricing[enabled]': 'false',
      success_url: 'https://loyalty.example.com/wallet?payment=done',
      cancel_url: 'https://loyalty.example.com/wallet?payment=cancelled',
    });
    expect(await walletOf(ctx())).toMatchObject({ balance: 50_000, openDeposits: [{ id }] });
  });

  test('is shown to owners alone', async () => {
    const { ctx, id } = await payments.pending();
    const { caller } = ctx();
    expect((await walletOf(ctx())).deposits.nodes[0].checkoutUrl).toBe(`https://pay.example.com/cs_${id}`);
    const admin = contextOf(payments.withStripe, { ...caller, role: 'ADMIN' });
    expect((await walletOf(admin)).deposits.nodes[0]).toMatchObject({ id, checkoutUrl: null });
    const key = contextOf(payments.withStripe, { ...caller, kind: 'KEY', role: null });
    expect((await walletOf(key)).deposits.nodes[0]).toMatchObject({ id, checkoutUrl: null });
  });

  test('is asked for while no transaction is open, though the call has an Idempotency-Key', async () => {
    let open: number | undefined;
    payments.api.beforeAnswer = async () => {
      const [row] = await services.database.sql.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM pg_stat_activity
          WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
      );
      open = row!.count;
    };
    await deposit(contextOf(payments.withStripe, callerOf(), newId(services.clock)));
    expect(open).toBe(0);
  });

  test('is one for each Idempotency-Key, also of calls at the same time', async () => {
    const caller = callerOf();
    const key = newId(services.clock);
    const once = () => deposit(contextOf(payments.withStripe, caller, key));
    const answers = await Promise.all([once(), once(), once()]);
    for (const { data } of answers) expect(data.depositCredits.openDeposits).toHaveLength(1);
    expect(new Set(payments.api.calls.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect((await walletOf(contextOf(payments.withStripe, caller))).deposits.totalCount).toBe(1);
  });

  test('is tried again once where the provider stumbles', async () => {
    payments.api.failures.push(500);
    const { id } = await payments.pending();
    expect(payments.api.calls.map(({ headers }) => headers['idempotency-key'])).toEqual([id, id]);
  });

  test('that cannot be opened closes the deposit, answers 503 and shows no secret', async () => {
    const caller = callerOf();
    const key = newId(services.clock);
    payments.api.failures.push(400);
    const answer = await deposit(contextOf(payments.withStripe, caller, key));
    expect(answer).toMatchObject({ code: 'UNAVAILABLE', reason: 'PAYMENTS_UNAVAILABLE' });
    const ctx = contextOf(payments.withStripe, caller);
    expect(await walletOf(ctx)).toMatchObject({
      balance: 50_000,
      openDeposits: [],
      deposits: { nodes: [{ status: 'EXPIRED' }] },
    });
    expect(payments.warnings).toHaveLength(1);
    expect(JSON.stringify([answer, payments.warnings])).not.toContain(SECRET_KEY);
    const again = await deposit(contextOf(payments.withStripe, caller, key));
    expect(again).toMatchObject({ code: 'CONFLICT', reason: 'DEPOSIT_CLOSED' });
  });
});
