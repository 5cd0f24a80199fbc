import { describe, expect, test } from '@jest/globals';
import { type Caller, systemCaller } from '@loyalty/platform/base/caller';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { ask as askSubgraph } from '@loyalty/test/harness/ask';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import { model } from '../subgraph.ts';
import { reserveCredits } from './reservations.service.ts';
import { offerServiceQuote } from './service-quotes.service.ts';
import { activatePaidService } from './subscriptions.service.ts';
import { expectSoundLedger, linesOf } from './wallet.fixture.ts';
import { openWallet } from './wallet.service.ts';

const { services, newContext } = useServices();

const OFFER = { title: 'Programme design', credits: 20_000, days: 30 };
const WALLET = `{ balance serviceQuotes {
  nodes { id title credits status createdAt expiresAt closedAt } totalCount } }`;
const answerBy = (verb: string) => (ctx: Context, id: string) =>
  askSubgraph(model, ctx, `mutation ($id: ID!) { wallet: ${verb}ServiceQuote(id: $id) ${WALLET} }`, { id });
const accept = answerBy('accept');
const decline = answerBy('decline');
const walletOf = async (ctx: Context) => (await askSubgraph(model, ctx, `{ wallet ${WALLET} }`)).data.wallet;

const offerTo = ({ scope }: Context, change: Partial<typeof OFFER> = {}) =>
  offerServiceQuote(contextOf(services, systemCaller('operator', { ...scope, mode: 'LIVE' })), {
    ...OFFER,
    ...change,
  });

/** Creates a workspace with one quote and active paid service. */
async function quoted(change: Partial<typeof OFFER> = {}) {
  const caller = callerOf();
  const ctx = (changed: Partial<Caller> = {}) => contextOf(services, { ...caller, ...changed });
  await activatePaidService(ctx());
  return { ctx, id: await offerTo(ctx(), change) };
}

describe('a quote', () => {
  test('is shown to its workspace, newest first, and to no other', async () => {
    const { ctx, id } = await quoted();
    const second = await offerTo(ctx(), { title: '  Audit ' });
    const { nodes } = (await walletOf(ctx())).serviceQuotes;
    expect(nodes.map((quote: { id: string }) => quote.id)).toEqual([second, id]);
    expect(nodes[0].title).toBe('Audit');
    expect(nodes[1]).toEqual({
      id,
      title: 'Programme design',
      credits: 20_000,
      status: 'OPEN',
      createdAt: '2026-03-02T10:00:00.000Z',
      expiresAt: '2026-04-01T10:00:00.000Z',
      closedAt: null,
    });
    expect((await walletOf(newContext())).serviceQuotes.totalCount).toBe(0);
  });

  test.each([
    [{ title: ' ' }, 'title must not be empty.'],
    [{ title: 'x'.repeat(201) }, 'title must have at most 200 characters.'],
    [{ credits: 0 }, 'credits must be a whole number from 1 to 1000000000.'],
    [{ credits: -5 }, 'credits must be a whole number from 1 to 1000000000.'],
    [{ credits: 1.5 }, 'credits must be a whole number from 1 to 1000000000.'],
    [{ credits: Number.NaN }, 'credits must be a whole number from 1 to 1000000000.'],
    [{ days: 0 }, 'days must be a whole number from 1 to 365.'],
    [{ days: 366 }, 'days must be a whole number from 1 to 365.'],
  ])('of %j is refused with a sentence', async (change, message) => {
    const ctx = newContext();
    await openWallet(ctx, ctx.scope.workspaceId);
    await expect(offerTo(ctx, change)).rejects.toThrow(message);
  });

  test('for a workspace that is not there is refused', async () => {
    await expect(offerTo(newContext())).rejects.toMatchObject({ code: 'WORKSPACE_NOT_FOUND' });
  });
});

describe('acceptance', () => {
  test('debits what was quoted, in two lines that name the service', async () => {
    const { ctx, id } = await quoted();
    const { data } = await accept(ctx(), id);
    expect(data.wallet).toMatchObject({
      balance: 30_000,
      serviceQuotes: { nodes: [{ id, status: 'ACCEPTED', closedAt: '2026-03-02T10:00:00.000Z' }] },
    });
    const line = { kind: 'SERVICE', reference: `quote:${id}` };
    expect(await linesOf(ctx())).toEqual([
      { ...line, account: 'WALLET', amount: -20_000n, balanceAfter: 30_000n },
      { ...line, account: 'USAGE', amount: 20_000n, balanceAfter: null },
    ]);
    await expectSoundLedger(ctx());
  });

  test('by thirty clicks at once debits once and refuses the others', async () => {
    const { ctx, id } = await quoted();
    const answers = await Promise.all(Array.from({ length: 30 }, () => accept(ctx(), id)));
    expect(answers.filter(({ reason }) => reason === undefined)).toHaveLength(1);
    expect(answers.filter(({ reason }) => reason === 'SERVICE_QUOTE_CLOSED')).toHaveLength(29);
    expect((await walletOf(ctx())).balance).toBe(30_000);
    await expectSoundLedger(ctx());
  });

  test('of several quotes at once never passes what the wallet holds', async () => {
    const { ctx, id } = await quoted();
    const ids = [id, ...(await Promise.all([1, 2, 3, 4].map(() => offerTo(ctx()))))];
    const answers = await Promise.all(ids.map((each) => accept(ctx(), each)));
    expect(answers.filter(({ reason }) => reason === 'INSUFFICIENT_CREDITS')).toHaveLength(3);
    expect((await walletOf(ctx())).balance).toBe(10_000);
    await expectSoundLedger(ctx());
  });

  test('needs paid service: on trial it is 402 and the quote stays open', async () => {
    const ctx = newContext();
    await openWallet(ctx, ctx.scope.workspaceId);
    const id = await offerTo(ctx);
    expect(await accept(ctx, id)).toMatchObject({
      code: 'PAYMENT_REQUIRED',
      reason: 'SUBSCRIPTION_REQUIRED',
    });
    expect(await walletOf(ctx)).toMatchObject({
      balance: 50_000,
      serviceQuotes: { nodes: [{ status: 'OPEN' }] },
    });
  });

  test('that available credits do not cover is 402 and the quote stays open', async () => {
    const { ctx, id } = await quoted();
    await reserveCredits(ctx(), { amount: 30_001n, purpose: 'Score' });
    expect(await accept(ctx(), id)).toMatchObject({
      code: 'PAYMENT_REQUIRED',
      reason: 'INSUFFICIENT_CREDITS',
    });
    expect(await walletOf(ctx())).toMatchObject({
      balance: 50_000,
      serviceQuotes: { nodes: [{ status: 'OPEN' }] },
    });
  });

  test('of an expired quote is a conflict', async () => {
    const { ctx, id } = await quoted({ days: 1 });
    services.clock.advance(DAY_MS);
    expect(await accept(ctx(), id)).toMatchObject({
      code: 'CONFLICT',
      message: 'The quote is expired. Ask for a new one.',
    });
    expect((await walletOf(ctx())).serviceQuotes.nodes[0].status).toBe('EXPIRED');
    expect(await decline(ctx(), id)).toMatchObject({ reason: 'SERVICE_QUOTE_CLOSED' });
  });

  test.each([
    ['an administrator', { role: 'ADMIN' }, 'ROLE_REQUIRED'],
    ['a key with every scope', { kind: 'KEY', role: null }, 'CALLER_REFUSED'],
    ['an owner in test mode', { mode: 'TEST' }, 'LIVE_ONLY'],
  ] as const)('and declining are refused to %s', async (_, change, reason) => {
    const { ctx, id } = await quoted();
    expect(await accept(ctx(change), id)).toMatchObject({ reason });
    expect(await decline(ctx(change), id)).toMatchObject({ reason });
    expect((await walletOf(ctx())).serviceQuotes.nodes[0].status).toBe('OPEN');
  });

  test('of the quote of another workspace, or of none, is 404', async () => {
    const [one, other] = [await quoted(), await quoted()];
    for (const id of [one.id, newId(services.clock)]) {
      const refused = { code: 'NOT_FOUND', reason: 'SERVICE_QUOTE_NOT_FOUND' };
      expect(await accept(other.ctx(), id)).toMatchObject(refused);
      expect(await decline(other.ctx(), id)).toMatchObject(refused);
    }
    expect((await walletOf(one.ctx())).serviceQuotes.nodes[0].status).toBe('OPEN');
  });
});

describe('declining', () => {
  test('closes the quote for good, and again changes nothing', async () => {
    const { ctx, id } = await quoted();
    for (let time = 0; time < 2; time += 1) {
      const { data } = await decline(ctx(), id);
      expect(data.wallet).toMatchObject({
        balance: 50_000,
        serviceQuotes: { nodes: [{ status: 'DECLINED' }] },
      });
    }
    expect(await accept(ctx(), id)).toMatchObject({ reason: 'SERVICE_QUOTE_CLOSED' });
  });

  test('after acceptance is a conflict', async () => {
    const { ctx, id } = await quoted();
    await accept(ctx(), id);
    expect(await decline(ctx(), id)).toMatchObject({ code: 'CONFLICT', reason: 'SERVICE_QUOTE_CLOSED' });
  });

  test('and acceptance are in the audit log, and so is the offer', async () => {
    const { ctx, id } = await quoted();
    const second = await offerTo(ctx());
    await accept(ctx(), id);
    await decline(ctx(), second);
    const entries = await ctx().sql.query(
      `SELECT actor, action, resource_id AS id FROM platform.audit_entries
        WHERE workspace_id = $1 AND resource_type = 'ServiceQuote' ORDER BY platform.audit_entries.id`,
      [ctx().scope.workspaceId],
    );
    const { actor } = ctx().caller;
    expect(entries).toEqual([
      { actor: 'system:operator', action: 'offerServiceQuote', id },
      { actor: 'system:operator', action: 'offerServiceQuote', id: second },
      { actor, action: 'acceptServiceQuote', id },
      { actor, action: 'declineServiceQuote', id: second },
    ]);
  });
});
