import { describe, expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { call, given, spent } from '../capabilities/capabilities.fixture.ts';

const { services, newContext } = useServices();

const dataOf = async (ctx: Context, name: string, args: object = {}) => {
  const { data, message } = await call(ctx, name, args);
  if (message) throw new Error(message);
  return data.callCapability.data;
};
const decide = async (ctx: Context, member_id: string, args: object = {}): Promise<string> =>
  (await dataOf(ctx, 'model_record_decision', { member_id, action: 'send_coupon', ...args })).decision_id;
const history = (ctx: Context, args: object = {}) => dataOf(ctx, 'model_get_decision_history', args);
const publishedBy = async (ctx: Context): Promise<unknown[]> =>
  ctx.sql.query(
    `SELECT type, payload FROM platform.outbox
      WHERE workspace_id = $1 AND mode = $2::platform."Mode" AND type LIKE 'decision.%' ORDER BY id`,
    [ctx.scope.workspaceId, ctx.scope.mode],
  );

describe('a decision', () => {
  test('is shown with all that was recorded of it and its outcomes, and is free', async () => {
    const ctx = newContext();
    const member_id = await given.member(ctx);
    const decision_id = await decide(ctx, member_id, {
      item_id: 'tea',
      details: { discount: { percent: 10 } },
      decided_at: '2026-03-01T12:00:00+01:00',
    });
    await dataOf(ctx, 'model_record_outcome', { decision_id, outcome: 'opened' });
    await dataOf(ctx, 'model_record_outcome', { decision_id, outcome: 'purchased', value: 12.5 });
    expect(await history(ctx)).toEqual({
      decisions: [
        {
          id: decision_id,
          member_id,
          analysis_id: null,
          action: 'send_coupon',
          item_id: 'tea',
          details: { discount: { percent: 10 } },
          decided_at: '2026-03-01T11:00:00.000Z',
          created_at: '2026-03-02T10:00:00.000Z',
          outcomes: [
            {
              id: expect.any(String),
              outcome: 'opened',
              value: null,
              occurred_at: '2026-03-02T10:00:00.000Z',
            },
            {
              id: expect.any(String),
              outcome: 'purchased',
              value: 12.5,
              occurred_at: '2026-03-02T10:00:00.000Z',
            },
          ],
        },
      ],
      hasMore: false,
      nextCursor: null,
    });
    expect(await spent(ctx)).toBe(0);
  });

  test('and its outcomes are published by their ids', async () => {
    const ctx = newContext();
    const memberId = await given.member(ctx);
    const decisionId = await decide(ctx, memberId);
    const { outcome_id: outcomeId } = await dataOf(ctx, 'model_record_outcome', {
      decision_id: decisionId,
      outcome: 'opened',
    });
    expect(await publishedBy(ctx)).toEqual([
      { type: 'decision.recorded', payload: { decisionId, memberId } },
      { type: 'decision.outcome_recorded', payload: { decisionId, memberId, outcomeId } },
    ]);
  });

  test('may name the analysis that led to it, of the same member only', async () => {
    const ctx = newContext();
    const memberId = await given.buyer(ctx);
    const { analysis_id } = await dataOf(ctx, 'model_predict_purchase', { member_id: memberId });
    await decide(ctx, memberId, { analysis_id });
    expect((await history(ctx)).decisions[0].analysis_id).toBe(analysis_id);
    const other = { member_id: await given.member(ctx), action: 'a', analysis_id };
    expect(await call(ctx, 'model_record_decision', other)).toMatchObject({ reason: 'ANALYSIS_NOT_FOUND' });
  });

  test('is recorded once for one Idempotency-Key', async () => {
    const ctx = newContext();
    const memberId = await given.member(ctx);
    const again = () => contextOf(services, ctx.caller, 'key-1');
    expect(await decide(again(), memberId)).toBe(await decide(again(), memberId));
    expect((await history(ctx)).decisions).toHaveLength(1);
  });

  test("of a missing or another workspace's member is refused", async () => {
    const ctx = newContext();
    const foreign = await given.member(newContext());
    for (const member_id of [newId(ctx.clock), foreign]) {
      const answer = await call(ctx, 'model_record_decision', { member_id, action: 'a' });
      expect(answer).toMatchObject({ reason: 'CONSUMER_NOT_FOUND' });
    }
    expect(await publishedBy(ctx)).toEqual([]);
  });
});

describe('an outcome', () => {
  test("of an unknown or another workspace's decision is refused", async () => {
    const ctx = newContext();
    const other = newContext();
    const foreign = await decide(other, await given.member(other));
    for (const decision_id of [newId(ctx.clock), foreign]) {
      const answer = await call(ctx, 'model_record_outcome', { decision_id, outcome: 'opened' });
      expect(answer).toMatchObject({ code: 'NOT_FOUND', reason: 'DECISION_NOT_FOUND' });
    }
  });

  test('about a member that was restricted since is refused', async () => {
    const ctx = newContext();
    const memberId = await given.member(ctx);
    const decision_id = await decide(ctx, memberId);
    await given.restricted(ctx, memberId);
    const answer = await call(ctx, 'model_record_outcome', { decision_id, outcome: 'opened' });
    expect(answer).toMatchObject({ reason: 'MEMBER_RESTRICTED' });
  });
});

describe('the history', () => {
  test('is newest first, page by page, of one member or of all', async () => {
    const ctx = newContext();
    const [one, two] = [await given.member(ctx), await given.member(ctx)];
    const ids: string[] = [];
    for (const member of [one, two, one, two, one]) ids.unshift(await decide(ctx, member));
    const read: string[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const page = await history(ctx, { limit: 2, after });
      read.push(...page.decisions.map(({ id }: { id: string }) => id));
      ({ nextCursor: after, hasMore: more } = page);
    }
    expect(read).toEqual(ids);
    const own = await history(ctx, { member_id: two });
    expect(own.decisions.map(({ id }: { id: string }) => id)).toEqual([ids[1], ids[3]]);
  });

  test('leaves out restricted members while they are restricted', async () => {
    const ctx = newContext();
    const memberId = await given.member(ctx);
    await decide(ctx, memberId);
    await given.restricted(ctx, memberId);
    expect((await history(ctx)).decisions).toEqual([]);
    await given.restricted(ctx, memberId, false);
    expect((await history(ctx)).decisions).toHaveLength(1);
  });

  test('of live, test and another workspace are apart', async () => {
    const live = newContext();
    const sandbox = newContext({ workspaceId: live.scope.workspaceId, mode: 'TEST' });
    await decide(sandbox, await given.member(sandbox));
    expect((await history(live)).decisions).toEqual([]);
    expect((await history(newContext())).decisions).toEqual([]);
    expect((await history(sandbox)).decisions).toHaveLength(1);
  });
});
