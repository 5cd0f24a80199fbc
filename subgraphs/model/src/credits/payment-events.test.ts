import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { SECOND_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import { walletChannel } from './credits.events.ts';
import {
  COMPLETED,
  deposit,
  type Payments,
  signedEvent,
  startPayments,
  walletOf,
} from './payments.fixture.ts';
import { expectSoundLedger, linesOf } from './wallet.fixture.ts';

const { services, beforeClose } = useServices();
let payments: Payments;
beforeAll(async () => {
  payments = await startPayments(services);
});
afterEach(() => payments.forget());
beforeClose(() => payments.close());

describe('an event of the provider', () => {
  test('books the deposit, closes its page and publishes the change to open screens', async () => {
    const { ctx, id, session } = await payments.pending();
    const heard = new Promise<string>((resolve) => {
      services.live.subscribe(walletChannel(ctx().scope.workspaceId), resolve);
    });
    expect((await payments.sendEvent(COMPLETED, session)).data).toEqual({ receivePaymentEvent: true });
    expect(await walletOf(ctx())).toMatchObject({
      balance: 173_400,
      openDeposits: [],
      deposits: { nodes: [{ id, status: 'PAID', checkoutUrl: null }] },
    });
    expect(await heard).toBe(ctx().scope.workspaceId);
    await expectSoundLedger(ctx());
  });

  test('that arrives fifty times at once is booked once', async () => {
    const { ctx, session } = await payments.pending();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => payments.sendEvent(COMPLETED, session)),
    );
    for (const { data } of answers) expect(data).toEqual({ receivePaymentEvent: true });
    expect(await linesOf(ctx())).toHaveLength(2);
    expect((await walletOf(ctx())).balance).toBe(173_400);
    await expectSoundLedger(ctx());
    expect(payments.warnings).toEqual([]);
  });

  test('that arrives before the answer of the provider finds its deposit', async () => {
    const caller = callerOf();
    payments.api.beforeAnswer = async ({ form }, reference) => {
      const metadata = {
        loyalty_workspace_id: form['metadata[loyalty_workspace_id]'],
        loyalty_deposit_id: form['metadata[loyalty_deposit_id]'],
      };
      const paid = { payment_status: 'paid', amount_total: 1_234, currency: 'usd' };
      await payments.sendEvent(COMPLETED, { id: reference, ...paid, metadata });
    };
    const { data } = await deposit(contextOf(payments.withStripe, caller));
    expect(data.depositCredits).toEqual({ balance: 173_400, openDeposits: [] });
  });

  test('of a page that is done but not paid books nothing until the money comes', async () => {
    const { ctx, session } = await payments.pending();
    await payments.sendEvent(COMPLETED, { ...session, payment_status: 'unpaid' });
    expect(await walletOf(ctx())).toMatchObject({ balance: 50_000, openDeposits: [{}] });
    await payments.sendEvent('checkout.session.async_payment_succeeded', session);
    expect(await walletOf(ctx())).toMatchObject({ balance: 173_400, openDeposits: [] });
  });

  test.each(['checkout.session.expired', 'checkout.session.async_payment_failed'])(
    '%s closes a deposit that waits, and none that is paid',
    async (type) => {
      const waiting = await payments.pending();
      await payments.sendEvent(type, waiting.session);
      expect((await walletOf(waiting.ctx())).deposits.nodes[0]).toMatchObject({
        status: 'EXPIRED',
        checkoutUrl: null,
      });
      const paid = await payments.pending();
      await payments.sendEvent(COMPLETED, paid.session);
      await payments.sendEvent(type, paid.session);
      expect((await walletOf(paid.ctx())).deposits.nodes[0].status).toBe('PAID');
    },
  );

  test('of a payment after the page was over is booked, because the money was taken', async () => {
    const { ctx, session } = await payments.pending();
    await payments.sendEvent('checkout.session.expired', session);
    await payments.sendEvent(COMPLETED, session);
    expect((await walletOf(ctx())).balance).toBe(173_400);
    await expectSoundLedger(ctx());
  });

  test.each([
    ['another amount', { amount_total: 1_233 }],
    ['no amount', { amount_total: null }],
    ['another currency', { currency: 'eur' }],
    ['another page', { id: 'cs_other' }],
  ])('with %s than the deposit books nothing and is reported', async (_, change) => {
    const { ctx, session } = await payments.pending();
    expect((await payments.sendEvent(COMPLETED, { ...session, ...change })).data).toEqual({
      receivePaymentEvent: true,
    });
    expect((await walletOf(ctx())).balance).toBe(50_000);
    expect(payments.warnings).toHaveLength(1);
  });

  test('cannot pay the deposit of another workspace', async () => {
    const [one, other] = [await payments.pending(), await payments.pending()];
    const metadata = { ...one.session.metadata, loyalty_workspace_id: other.ctx().scope.workspaceId };
    await payments.sendEvent(COMPLETED, { ...one.session, metadata });
    for (const { ctx } of [one, other]) expect((await walletOf(ctx())).balance).toBe(50_000);
  });

  test.each([
    ['of another kind', 'invoice.paid', {}],
    ['of a page of somebody else', COMPLETED, { metadata: {} }],
    ['of a page without names', COMPLETED, { metadata: null }],
    [
      'with names that are no ids',
      COMPLETED,
      { metadata: { loyalty_workspace_id: 'x', loyalty_deposit_id: 'y' } },
    ],
  ])('%s is accepted and ignored', async (_, type, change) => {
    const { ctx, session } = await payments.pending();
    expect((await payments.sendEvent(type, { ...session, ...change })).data).toEqual({
      receivePaymentEvent: true,
    });
    expect((await walletOf(ctx())).balance).toBe(50_000);
  });

  test('of a deposit that is not there is accepted and books nothing', async () => {
    const { session } = await payments.pending();
    const metadata = { ...session.metadata, loyalty_deposit_id: newId(services.clock) };
    expect((await payments.sendEvent(COMPLETED, { ...session, metadata })).data).toEqual({
      receivePaymentEvent: true,
    });
  });

  test.each([
    [
      'of another secret',
      (at: Date, session: object) => signedEvent(COMPLETED, { ...session }, { at, secret: 'w' }),
    ],
    [
      'older than 300 s',
      (at: Date, session: object) =>
        signedEvent(COMPLETED, { ...session }, { at: new Date(at.getTime() - 301 * SECOND_MS) }),
    ],
    [
      'of another payload',
      (at: Date, session: object) => ({
        ...signedEvent(COMPLETED, { ...session }, { at }),
        payload: signedEvent(COMPLETED, { ...session, extra: 1 }, { at }).payload,
      }),
    ],
    [
      'that is missing',
      (at: Date, session: object) => ({ ...signedEvent(COMPLETED, { ...session }, { at }), signature: '' }),
    ],
  ])('with a signature %s is refused', async (_, forge) => {
    const { ctx, session } = await payments.pending();
    expect(await payments.receive(forge(services.clock.now(), session))).toMatchObject({
      code: 'BAD_USER_INPUT',
      reason: 'SIGNATURE_INVALID',
      message: 'signature does not fit the payload, or is too old.',
    });
    expect((await walletOf(ctx())).balance).toBe(50_000);
  });

  test('that was signed 300 s ago is still good', async () => {
    const { ctx, session } = await payments.pending();
    const at = new Date(services.clock.now().getTime() - 300 * SECOND_MS);
    await payments.receive(signedEvent(COMPLETED, session, { at }));
    expect((await walletOf(ctx())).balance).toBe(173_400);
  });
});
