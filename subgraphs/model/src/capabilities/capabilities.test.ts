import { describe, expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { ask } from '@loyalty/test/harness/ask';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { getWallet } from '../credits/wallet.service.ts';
import { model } from '../subgraph.ts';
import { call, given, historyOf, spent } from './capabilities.fixture.ts';

const { services, newContext } = useServices();

const keyWith = (ctx: Context, ...scopes: string[]): Context =>
  ctx.as({ ...ctx.caller, kind: 'KEY', role: null, actor: 'key:1', scopes });
const unknownMember = (): string => newId({ now: () => new Date() });
const answerOf = async (ctx: Context, name: string, args: object = {}) => {
  const { data, message } = await call(ctx, name, args);
  if (message) throw new Error(message);
  return data.callCapability;
};

describe('the list', () => {
  const listed = async (ctx: Context) =>
    (await ask(model, ctx, '{ capabilities { name scope inputSchema paged batchable cost } }')).data
      .capabilities;

  test('lists names, scopes and the maximum cost of a call', async () => {
    const rows: { name: string; scope: string; cost: number }[] = await listed(newContext());
    expect(rows.map(({ name, scope, cost }) => [name, scope, cost])).toEqual([
      ['model_get_consumer_state', 'predictions:read', 30],
      ['model_predict_purchase', 'predictions:read', 10],
      ['model_predict_churn', 'predictions:read', 10],
      ['model_predict_abandonment', 'predictions:read', 10],
      ['model_list_at_risk_members', 'predictions:read', 500],
      ['model_recommend_next_item', 'predictions:read', 60],
      ['model_recommend_basket', 'predictions:read', 60],
      ['model_get_decision_history', 'decisions:read', 0],
      ['model_record_decision', 'decisions:write', 0],
      ['model_record_outcome', 'decisions:write', 0],
    ]);
  });

  test('costs less where the contract includes scores in decisions', async () => {
    const ctx = newContext();
    await given.scoresIncluded(ctx);
    const rows: { name: string; cost: number }[] = await listed(ctx);
    expect(rows.find(({ name }) => name === 'model_recommend_basket')!.cost).toBe(50);
  });

  test('holds only what the caller may call', async () => {
    const rows: { name: string }[] = await listed(keyWith(newContext(), 'decisions:read'));
    expect(rows.map(({ name }) => name)).toEqual(['model_get_decision_history']);
  });

  test('describes arguments as a strict JSON Schema', async () => {
    const [state] = await listed(newContext());
    expect(state.inputSchema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { member_id: { type: 'string', format: 'uuid' } },
      required: ['member_id'],
      additionalProperties: false,
    });
  });

  test('needs one of the scopes', async () => {
    const answer = await ask(model, keyWith(newContext(), 'model:data:read'), '{ capabilities { name } }');
    expect(answer).toMatchObject({ reason: 'SCOPE_MISSING' });
  });
});

describe('arguments', () => {
  test.each(['workspace_id', 'tenant_id', 'actor_id', 'x'])('%s is refused by name', async (key) => {
    const answer = await call(newContext(), 'model_predict_purchase', {
      member_id: unknownMember(),
      [key]: unknownMember(),
    });
    expect(answer).toMatchObject({
      code: 'BAD_USER_INPUT',
      reason: 'INVALID_ARGUMENTS',
      message: `arguments.${key} names an argument that does not exist; leave it out.`,
    });
  });

  test.each([
    ['model_get_consumer_state', {}, 'arguments.member_id must be a UUID.'],
    ['model_get_consumer_state', { member_id: 'seed-7' }, 'arguments.member_id must be a UUID.'],
    [
      'model_predict_churn',
      { member_id: unknownMember(), horizon_days: 0 },
      'arguments.horizon_days must be a whole number from 1 to 365.',
    ],
    [
      'model_recommend_basket',
      { member_id: unknownMember(), limit: 21 },
      'arguments.limit must be a whole number from 1 to 20.',
    ],
    [
      'model_recommend_basket',
      { member_id: unknownMember(), cart: [] },
      'arguments.cart must be a list of 1 to 50.',
    ],
    [
      'model_recommend_basket',
      { member_id: unknownMember(), cart: Array.from({ length: 51 }, (_, n) => `item-${n}`) },
      'arguments.cart must be a list of 1 to 50.',
    ],
    [
      'model_recommend_basket',
      { member_id: unknownMember(), cart: 'tea' },
      'arguments.cart must be a list of 1 to 50.',
    ],
    [
      'model_recommend_basket',
      { member_id: unknownMember(), cart: ['tea', 'a\u0000b'] },
      'arguments.cart.1 must be text of 1 to 200 characters without control characters.',
    ],
    [
      'model_recommend_basket',
      { member_id: unknownMember(), cart: ['tea', 7] },
      'arguments.cart.1 must be text of 1 to 200 characters without control characters.',
    ],
    [
      'model_recommend_next_item',
      { member_id: unknownMember(), cart: ['tea'] },
      'arguments.cart names an argument that does not exist; leave it out.',
    ],
    ['model_list_at_risk_members', { threshold: 1.1 }, 'arguments.threshold must be a number from 0 to 1.'],
    [
      'model_record_decision',
      { member_id: unknownMember(), action: 'a\u0000b' },
      'arguments.action must be text of 1 to 100 characters without control characters.',
    ],
    [
      'model_record_decision',
      { member_id: unknownMember(), action: 'a', details: { note: 'a\u0000b' } },
      'arguments.details must be at most 16 levels deep and hold no control characters.',
    ],
    [
      'model_record_decision',
      { member_id: unknownMember(), action: 'a', details: { note: 'x'.repeat(4_096) } },
      'arguments.details must be at most 4096 bytes of JSON.',
    ],
    [
      'model_record_outcome',
      { decision_id: unknownMember(), outcome: 'a', occurred_at: 'yesterday' },
      'arguments.occurred_at must be a time since 1970 with its zone, such as 2026-03-02T10:00:00Z.',
    ],
    [
      'model_record_outcome',
      { decision_id: unknownMember(), outcome: 'a', occurred_at: '0000-01-01T00:00:00Z' },
      'arguments.occurred_at must be a time since 1970 with its zone, such as 2026-03-02T10:00:00Z.',
    ],
  ])('of %s like %j are refused with a sentence', async (name, args, message) => {
    expect(await call(newContext(), name, args)).toMatchObject({ reason: 'INVALID_ARGUMENTS', message });
  });

  test('find a member however its id is spelled', async () => {
    const ctx = newContext();
    const memberId = await given.buyer(ctx);
    const { data } = await answerOf(ctx, 'model_predict_purchase', { member_id: memberId.toUpperCase() });
    expect(data.member_id).toBe(memberId);
  });
});

describe('a call is refused', () => {
  test('for a name that nothing has', async () => {
    expect(await call(newContext(), 'model_read_minds')).toMatchObject({
      code: 'NOT_FOUND',
      reason: 'CAPABILITY_NOT_FOUND',
    });
  });

  test('without the scope of the capability', async () => {
    const ctx = keyWith(newContext(), 'decisions:read', 'decisions:write');
    const answer = await call(ctx, 'model_get_consumer_state', { member_id: unknownMember() });
    expect(answer).toMatchObject({ code: 'FORBIDDEN', reason: 'SCOPE_MISSING' });
  });

  test.each(['unknown', 'erased', "another workspace's"])('for an %s member', async (which) => {
    const ctx = newContext();
    const member_id = which === 'unknown' ? unknownMember() : await given.buyer(ctx);
    if (which === 'erased') await given.erased(ctx, member_id);
    const caller = which === "another workspace's" ? newContext() : ctx;
    const answer = await call(caller, 'model_get_consumer_state', { member_id });
    expect(answer).toMatchObject({ code: 'NOT_FOUND', reason: 'CONSUMER_NOT_FOUND' });
    expect(answer.message).toContain('consumer');
    expect(await spent(caller)).toBe(0);
  });

  test('for a restricted member, and nothing is kept', async () => {
    const ctx = newContext();
    const member_id = await given.buyer(ctx);
    await given.restricted(ctx, member_id);
    for (const name of ['model_get_consumer_state', 'model_recommend_basket', 'model_get_decision_history']) {
      expect(await call(ctx, name, { member_id })).toMatchObject({ reason: 'MEMBER_RESTRICTED' });
    }
    expect(await historyOf(ctx)).toEqual([]);
    expect(await spent(ctx)).toBe(0);
  });

  test('before any work where credits do not suffice for the most it can cost', async () => {
    const ctx = newContext();
    const member_id = await given.buyer(ctx);
    await given.creditsLeft(ctx, 29n);
    const answer = await call(ctx, 'model_get_consumer_state', { member_id });
    expect(answer).toMatchObject({ code: 'PAYMENT_REQUIRED', reason: 'TRIAL_CREDITS_EXHAUSTED' });
    expect(await historyOf(ctx)).toEqual([]);
    expect(await spent(ctx)).toBe(49_971);
  });
});

describe('the history', () => {
  test('has one row for each answered analysis, with what was charged', async () => {
    const ctx = newContext();
    const member_id = await given.buyer(ctx);
    const { data } = await answerOf(ctx, 'model_get_consumer_state', { member_id });
    await answerOf(ctx, 'model_predict_abandonment', { member_id });
    await answerOf(ctx, 'model_get_decision_history', { member_id });
    expect(await historyOf(ctx)).toEqual([
      {
        id: data.analysis_id,
        capability: 'model_get_consumer_state',
        memberId: member_id,
        status: 'OK',
        credits: 20,
      },
      {
        id: expect.any(String),
        capability: 'model_predict_abandonment',
        memberId: member_id,
        status: 'UNAVAILABLE',
        credits: 0,
      },
    ]);
  });

  test('holds every one of many calls at once, each charged once', async () => {
    const ctx = newContext();
    const member_id = await given.buyer(ctx);
    await Promise.all(
      Array.from({ length: 30 }, () => answerOf(ctx, 'model_predict_purchase', { member_id })),
    );
    expect(await historyOf(ctx)).toHaveLength(30);
    expect(await spent(ctx)).toBe(300);
  });

  test('of calls that come together takes few statements, as all of what they do', async () => {
    const ctx = newContext();
    const member_id = await given.buyer(ctx);
    await getWallet(ctx);
    services.statements.length = 0;
    await Promise.all(
      Array.from({ length: 30 }, () => answerOf(ctx, 'model_get_consumer_state', { member_id })),
    );
    expect(services.statements.length).toBeLessThan(30);
    expect(await spent(ctx)).toBe(600);
  });

  test('and the charge come once for one Idempotency-Key', async () => {
    const ctx = newContext();
    const member_id = await given.buyer(ctx);
    const again = () => contextOf(services, ctx.caller, 'key-1');
    const first = await answerOf(again(), 'model_predict_purchase', { member_id });
    expect(await answerOf(again(), 'model_predict_purchase', { member_id })).toEqual(first);
    expect(await historyOf(ctx)).toHaveLength(1);
    expect(await spent(ctx)).toBe(10);
  });

  test('that cannot be kept fails the call, and nothing is charged', async () => {
    const ctx = newContext();
    const member_id = await given.buyer(ctx);
    await ctx.sql.query('ALTER TABLE model.analyses RENAME TO away');
    try {
      expect(await call(ctx, 'model_predict_purchase', { member_id })).toMatchObject({ reason: 'INTERNAL' });
    } finally {
      await ctx.sql.query('ALTER TABLE model.away RENAME TO analyses');
    }
    expect(await spent(ctx)).toBe(0);
  });
});
