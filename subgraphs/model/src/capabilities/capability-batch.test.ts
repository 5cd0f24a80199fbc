import { describe, expect, test } from '@jest/globals';
import { MINUTE_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { useServices } from '@loyalty/test/harness/services';
import { callAll, given, historyOf, spent } from './capabilities.fixture.ts';

const { services, newContext } = useServices();

const batchOf = async (ctx: Context, requests: readonly object[]) => {
  const { data, message } = await callAll(ctx, requests);
  if (message) throw new Error(message);
  return data.callCapabilities;
};
const history = (id: string) => ({ id, name: 'model_get_decision_history', arguments: {} });

describe('a batch', () => {
  test('keeps the order and fails item by item', async () => {
    const ctx = newContext();
    const member_id = await given.buyer(ctx);
    const restricted = await given.buyer(ctx);
    await given.restricted(ctx, restricted);
    const missing = newId(ctx.clock);
    const key = ctx.as({
      ...ctx.caller,
      kind: 'KEY',
      role: null,
      scopes: ['predictions:read', 'decisions:write'],
    });
    const answer = await batchOf(key, [
      { id: 'a', name: 'model_predict_purchase', arguments: { member_id } },
      { id: 'b', name: 'model_predict_purchase', arguments: { member_id: missing } },
      { id: 'c', name: 'model_predict_purchase', arguments: [] },
      { id: 'd', name: 'model_read_minds', arguments: {} },
      history('e'),
      { id: 'f', name: 'model_record_decision', arguments: { member_id, action: 'x' } },
      { id: 'g', name: 'model_predict_churn', arguments: { member_id: restricted } },
      { id: 'h', name: 'model_predict_abandonment', arguments: { member_id } },
    ]);
    expect(answer).toMatchObject({ total: 8, succeeded: 2, failed: 6 });
    const rows: { id: string; status: number; error: { code: string } | null }[] = answer.results;
    expect(rows.map(({ id, status, error }) => [id, status, error?.code ?? null])).toEqual([
      ['a', 200, null],
      ['b', 404, 'NOT_FOUND'],
      ['c', 400, 'INVALID_ARGUMENTS'],
      ['d', 404, 'NOT_FOUND'],
      ['e', 403, 'FORBIDDEN'],
      ['f', 403, 'NOT_ALLOWED_IN_BATCH'],
      ['g', 403, 'MEMBER_RESTRICTED'],
      ['h', 200, null],
    ]);
    expect(answer.results[1].error.message).toBe(`No consumer has the id ${missing}.`);
    expect(answer.results[7].result.envelope.status).toBe('UNAVAILABLE');
  });

  test.each([
    ['no item', [], 'requests must have 1 to 20 items.'],
    ['21 items', Array.from({ length: 21 }, (_, n) => history(`${n}`)), 'requests must have 1 to 20 items.'],
    ['an id twice', [history('a'), history('a')], 'requests[1].id must be unique in the batch.'],
    ['an empty id', [history('a'), history(' ')], 'requests[1].id must have 1 to 200 characters.'],
    ['a long id', [history('a'.repeat(201))], 'requests[0].id must have 1 to 200 characters.'],
  ])('with %s is refused as a whole, and counts no item', async (_, requests, message) => {
    const ctx = newContext();
    expect(await callAll(ctx, requests)).toMatchObject({ code: 'BAD_USER_INPUT', message });
    const guards = await ctx.sql.query('SELECT FROM platform.write_guards WHERE workspace_id = $1', [
      ctx.scope.workspaceId,
    ]);
    expect(guards).toEqual([]);
  });

  test('masks what nobody expected, and charges the rest', async () => {
    const ctx = newContext();
    const member_id = await given.buyer(ctx);
    await ctx.sql.query('ALTER TABLE model.decisions RENAME TO away');
    try {
      const { results } = await batchOf(ctx, [
        history('a'),
        { id: 'b', name: 'model_predict_purchase', arguments: { member_id } },
      ]);
      expect(results[0]).toMatchObject({ status: 500, error: { code: 'INTERNAL' } });
      expect(results[0].error.message).not.toContain('decisions');
      expect(results[1]).toMatchObject({ isOk: true });
    } finally {
      await ctx.sql.query('ALTER TABLE model.away RENAME TO decisions');
    }
    expect(await spent(ctx)).toBe(10);
  });
});

describe('the charge of a batch', () => {
  test('sums the scores that came out and holds one decision at most', async () => {
    const ctx = newContext();
    const member_id = await given.buyer(ctx);
    await given.assortment(ctx, member_id);
    const answer = await batchOf(ctx, [
      { id: 'a', name: 'model_recommend_next_item', arguments: { member_id } },
      { id: 'b', name: 'model_recommend_basket', arguments: { member_id } },
      { id: 'c', name: 'model_predict_purchase', arguments: { member_id } },
      { id: 'd', name: 'model_predict_abandonment', arguments: { member_id } },
    ]);
    const charged = answer.results.map(
      ({ result }: { result: { envelope: { creditsCharged: number } } }) => result.envelope.creditsCharged,
    );
    expect(charged).toEqual([60, 10, 10, 0]);
    expect(await spent(ctx)).toBe(80);
    expect((await historyOf(ctx)).map(({ credits }) => credits)).toEqual([60, 10, 10, 0]);
  });

  test('is one entry of the ledger', async () => {
    const ctx = newContext();
    const member_id = await given.buyer(ctx);
    const one = (id: string) => ({ id, name: 'model_predict_purchase', arguments: { member_id } });
    await batchOf(ctx, [one('a'), one('b'), one('c')]);
    const entries = await ctx.sql.query(
      `SELECT amount FROM model.credit_entries
        WHERE workspace_id = $1 AND kind = 'USAGE' AND account = 'WALLET'`,
      [ctx.scope.workspaceId],
    );
    expect(entries).toEqual([{ amount: -30n }]);
  });

  test('that the wallet cannot bear fails every paid item with 402 and lets free ones run', async () => {
    const ctx = newContext();
    const member_id = await given.buyer(ctx);
    await given.creditsLeft(ctx, 19n);
    const { results } = await batchOf(ctx, [
      { id: 'a', name: 'model_predict_purchase', arguments: { member_id } },
      history('b'),
      { id: 'c', name: 'model_predict_churn', arguments: { member_id } },
    ]);
    expect(results[0]).toMatchObject({ status: 402, error: { code: 'TRIAL_CREDITS_EXHAUSTED' } });
    expect(results[1]).toMatchObject({ status: 200, isOk: true });
    expect(results[2]).toMatchObject({ status: 402 });
    expect(await historyOf(ctx)).toEqual([]);
    expect(await spent(ctx)).toBe(49_981);
  });

  test('reserves nothing for items that cannot run', async () => {
    const ctx = newContext();
    const member_id = await given.buyer(ctx);
    await given.creditsLeft(ctx, 10n);
    const { results } = await batchOf(ctx, [
      { id: 'a', name: 'model_predict_purchase', arguments: { member_id } },
      { id: 'b', name: 'model_predict_purchase', arguments: { member_id: newId(ctx.clock) } },
    ]);
    expect(results[0]).toMatchObject({ isOk: true });
  });
});

describe('the rate', () => {
  test('lets 60 items of a key run in a minute; those beyond fail with 429, in order', async () => {
    services.clock.set('2026-03-02T10:00:20.000Z');
    const ctx = newContext();
    const many = (count: number) => Array.from({ length: count }, (_, n) => history(`${n}`));
    await batchOf(ctx, many(20));
    await batchOf(ctx, many(20));
    await batchOf(ctx, many(15));
    const { results, succeeded } = await batchOf(ctx, many(10));
    expect(succeeded).toBe(5);
    expect(results[4]).toMatchObject({ isOk: true });
    expect(results[5]).toMatchObject({ status: 429, error: { code: 'RATE_LIMITED' } });
    expect(results[5].error.message).toContain('Wait 40 s');
    const other = ctx.as({ ...ctx.caller, actor: 'key:other' });
    expect(await batchOf(other, many(1))).toMatchObject({ succeeded: 1 });
    services.clock.advance(MINUTE_MS);
    expect(await batchOf(ctx, many(20))).toMatchObject({ succeeded: 20 });
  });
});
