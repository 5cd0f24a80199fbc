import { describe, expect, test } from '@jest/globals';
import { DAY_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { useServices } from '@loyalty/test/harness/services';
import { countBaskets } from '../predictions/count-baskets.service.ts';
import { call, given, spent } from './capabilities.fixture.ts';

const { newContext } = useServices();

const answerOf = async (ctx: Context, name: string, args: object = {}) => {
  const { data, message } = await call(ctx, name, args);
  if (message) throw new Error(message);
  return data.callCapability;
};

describe('a consumer state', () => {
  test('has three signals and the evidence, and is charged by the scores that came out', async () => {
    const ctx = newContext();
    const memberId = await given.buyer(ctx);
    await given.events(ctx, memberId, 'cart_add', { count: 6 });
    await given.events(ctx, memberId, 'cart_remove', { count: 1 });
    const { envelope, data } = await answerOf(ctx, 'model_get_consumer_state', { member_id: memberId });
    expect(envelope).toMatchObject({
      status: 'OK',
      modelVersion: 'std-2',
      computedAt: '2026-03-02T10:00:00.000Z',
      creditsCharged: 30,
    });
    expect(envelope.limitations).toEqual(expect.arrayContaining(['NOT_CALIBRATED', 'NOT_A_CHURN_LABEL']));
    expect(envelope.evidence).toContainEqual({ kind: 'n_purchase_days', value: 4, observedAt: null });
    expect(data).toMatchObject({
      member_id: memberId,
      source_cutoff: '2026-03-02T10:00:00.000Z',
      purchase: { status: 'ok', horizon_days: 30, reasons: [], score: expect.any(Number) },
      long_gap: { status: 'ok', horizon_days: 90, score: expect.any(Number) },
      cart_removal: { status: 'ok', horizon_days: null, score: expect.any(Number) },
      expected_purchases_30d: expect.any(Number),
    });
    expect(await spent(ctx)).toBe(30);
  });

  test('is charged for two scores where the third is unavailable', async () => {
    const ctx = newContext();
    const memberId = await given.buyer(ctx);
    const { envelope, data } = await answerOf(ctx, 'model_get_consumer_state', { member_id: memberId });
    expect(data.cart_removal).toMatchObject({ score: null, status: 'unavailable' });
    expect(envelope.creditsCharged).toBe(20);
    expect(await spent(ctx)).toBe(20);
  });

  test('of which nothing is known is unavailable, has no scores and is free', async () => {
    const ctx = newContext();
    const memberId = await given.member(ctx);
    const { envelope, data } = await answerOf(ctx, 'model_get_consumer_state', { member_id: memberId });
    expect(envelope).toMatchObject({ status: 'UNAVAILABLE', creditsCharged: 0 });
    expect([data.purchase.score, data.long_gap.score, data.cart_removal.score]).toEqual([null, null, null]);
    expect(await spent(ctx)).toBe(0);
  });

  test('is free in test mode and scores the sandbox', async () => {
    const ctx = newContext({ mode: 'TEST' });
    const memberId = await given.buyer(ctx);
    const { envelope } = await answerOf(ctx, 'model_get_consumer_state', { member_id: memberId });
    expect(envelope).toMatchObject({ status: 'OK', creditsCharged: 0 });
    expect(await spent(ctx)).toBe(0);
  });
});

describe('one signal', () => {
  test.each([
    ['model_predict_purchase', 'purchase', 7],
    ['model_predict_churn', 'long_gap', 45],
  ])('%s is about the horizon that was asked for', async (name, key, horizon_days) => {
    const ctx = newContext();
    const member_id = await given.buyer(ctx);
    const { data } = await answerOf(ctx, name, { member_id, horizon_days });
    expect(data[key]).toMatchObject({ horizon_days, score: expect.any(Number) });
    const { data: usual } = await answerOf(ctx, name, { member_id });
    expect(usual[key].score).not.toBe(data[key].score);
    expect(await spent(ctx)).toBe(20);
  });

  test('of churn says that it is no churn label, and nothing of carts', async () => {
    const ctx = newContext();
    const { envelope } = await answerOf(ctx, 'model_predict_churn', { member_id: await given.buyer(ctx) });
    expect(envelope.limitations).toEqual(['NOT_CALIBRATED', 'NOT_A_CHURN_LABEL']);
  });

  test('of carts is unavailable and free for a member without any', async () => {
    const ctx = newContext();
    const { envelope, data } = await answerOf(ctx, 'model_predict_abandonment', {
      member_id: await given.buyer(ctx),
    });
    expect(envelope).toMatchObject({ status: 'UNAVAILABLE', creditsCharged: 0 });
    expect(data.cart_removal.score).toBeNull();
    expect(await spent(ctx)).toBe(0);
  });
});

describe('recommendations', () => {
  test.each([
    ['model_recommend_next_item', 'items'],
    ['model_recommend_basket', 'baskets'],
  ])('%s are charged as one score and one decision', async (name, key) => {
    const ctx = newContext();
    const member_id = await given.buyer(ctx);
    await given.assortment(ctx, member_id);
    const { envelope, data } = await answerOf(ctx, name, { member_id, limit: 1 });
    expect(data[key]).toHaveLength(1);
    expect(data.purchase.score).toEqual(expect.any(Number));
    expect(envelope.creditsCharged).toBe(60);
    expect(await spent(ctx)).toBe(60);
  });

  test('name known and new items with reason and support', async () => {
    const ctx = newContext();
    const member_id = await given.buyer(ctx);
    await given.assortment(ctx, member_id);
    const other = await given.buyer(ctx);
    for (const itemId of ['bread', 'jam'])
      await given.events(ctx, other, 'purchase', { count: 10, itemId, everyMs: DAY_MS });
    await given.events(ctx, await given.buyer(ctx), 'purchase', {
      ...{ count: 20, itemId: 'oil', everyMs: DAY_MS },
    });
    await countBaskets(ctx);
    const { data } = await answerOf(ctx, 'model_recommend_next_item', { member_id });
    const keys = ['basis', 'item_id', 'score', 'support', 'with_item_id'];
    expect(data.again.length).toBeGreaterThan(0);
    for (const item of [...data.again, ...data.new_for_you]) expect(Object.keys(item).sort()).toEqual(keys);
    expect(data.again.map((item: { item_id: string }) => item.item_id)).toEqual(['bread', 'butter', 'tea']);
    expect(data.new_for_you).toMatchObject([
      { item_id: 'oil', basis: 'POPULARITY', with_item_id: null, support: 20 },
      { item_id: 'jam', basis: 'BOUGHT_WITH_YOURS', with_item_id: 'bread' },
    ]);
  });

  test('complete a cart for the price of a basket, and name its unknown items', async () => {
    const ctx = newContext();
    const member_id = await given.buyer(ctx);
    await given.assortment(ctx, member_id);
    await countBaskets(ctx);
    const { data: usual } = await answerOf(ctx, 'model_recommend_next_item', { member_id });
    const before = await spent(ctx);
    const cart = [usual.items[0].item_id, 'unheard-of'];
    const { envelope, data } = await answerOf(ctx, 'model_recommend_basket', { member_id, cart });
    expect(data.additions.length).toBeGreaterThan(0);
    expect(data.additions.map((item: { item_id: string }) => item.item_id)).not.toContain(cart[0]);
    expect([data.unknown_cart_items, data.baskets]).toEqual([['unheard-of'], undefined]);
    expect(envelope.limitations).toContain('UNKNOWN_CART_ITEMS');
    expect([envelope.creditsCharged, (await spent(ctx)) - before]).toEqual([60, 60]);
  });

  test('are charged as a decision alone where the contract includes scores', async () => {
    const ctx = newContext();
    await given.scoresIncluded(ctx);
    const member_id = await given.buyer(ctx);
    await given.assortment(ctx, member_id);
    const { envelope } = await answerOf(ctx, 'model_recommend_next_item', { member_id });
    expect(envelope.creditsCharged).toBe(50);
    expect(await spent(ctx)).toBe(50);
  });

  test('that cannot be made are unavailable and free, though there is a score', async () => {
    const ctx = newContext();
    const member_id = await given.buyer(ctx);
    const { envelope, data } = await answerOf(ctx, 'model_recommend_next_item', { member_id });
    expect(envelope).toMatchObject({ status: 'UNAVAILABLE', creditsCharged: 0 });
    expect(data).toBeNull();
    expect(await spent(ctx)).toBe(0);
  });
});

describe('a version of the standard model', () => {
  test('answers where it is asked for by name, and says so', async () => {
    const ctx = newContext();
    const memberId = await given.member(ctx);
    await given.events(ctx, memberId, 'cart_add', { count: 6 });
    const stateBy = (model_version?: string) =>
      answerOf(ctx, 'model_get_consumer_state', {
        member_id: memberId,
        ...(model_version && { model_version }),
      });
    const [first, second, usual] = [await stateBy('std-1'), await stateBy('std-2'), await stateBy()];
    expect([first, second, usual].map(({ envelope }) => envelope.modelVersion)).toEqual([
      'std-1',
      'std-2',
      'std-2',
    ]);
    // A workspace that never sent a removal may not report removals: std-1 did not consider this.
    expect(first.data.cart_removal.score).toEqual(expect.any(Number));
    expect(second.data.cart_removal).toMatchObject({ score: null, reasons: ['NO_REMOVALS_SEEN'] });
    expect(usual.data).toEqual({ ...second.data, analysis_id: expect.any(String) });
  });

  test('that does not exist is refused, and nothing is charged', async () => {
    const ctx = newContext();
    const memberId = await given.buyer(ctx);
    for (const name of ['model_get_consumer_state', 'model_predict_purchase', 'model_list_at_risk_members']) {
      const member = name === 'model_list_at_risk_members' ? {} : { member_id: memberId };
      expect(await call(ctx, name, { ...member, model_version: 'std-3' })).toMatchObject({
        reason: 'INVALID_ARGUMENTS',
        message: expect.stringMatching(/arguments\.model_version.*must be std-1 or std-2/),
      });
    }
    expect(await spent(ctx)).toBe(0);
  });

  test('of one signal may differ from call to call in one request', async () => {
    const ctx = newContext();
    const memberId = await given.buyer(ctx, [130, 100, 70, 40, 10]);
    const [first, second] = await Promise.all(
      ['std-1', 'std-2'].map((model_version) =>
        answerOf(ctx, 'model_predict_purchase', { member_id: memberId, model_version }),
      ),
    );
    expect([first.envelope.modelVersion, second.envelope.modelVersion]).toEqual(['std-1', 'std-2']);
    expect(first.data.purchase.score).not.toBe(second.data.purchase.score);
    const kinds = (answer: typeof first) =>
      answer.envelope.evidence.map(({ kind }: { kind: string }) => kind);
    expect(kinds(second)).toContain('overdue_cycles');
    expect(kinds(first)).not.toContain('overdue_cycles');
  });
});
