import { expect, test } from '@jest/globals';
import type { Context } from '@loyalty/platform/context';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import { call, callAll, given, historyOf, spent } from './capabilities.fixture.ts';

const { services } = useServices();

/** Returns a new workspace whose scorer's address has no server. */
const withoutModel = (): Context => {
  const config = { ...services.config, MODEL_URL_SCORE: 'http://127.0.0.1:1' };
  return contextOf({ ...services, config }, callerOf());
};

/** Returns the same workspace, with the model in this process. */
const withModel = (ctx: Context): Context => contextOf(services, ctx.caller);

const names = [
  'model_get_consumer_state',
  'model_predict_purchase',
  'model_predict_churn',
  'model_predict_abandonment',
  'model_recommend_next_item',
];

test.each(names)(
  '%s fails with 503 while the model is away, and nothing is charged or kept',
  async (name) => {
    const ctx = withoutModel();
    const member_id = await given.buyer(ctx);
    const { message, code, reason } = await call(ctx, name, { member_id });
    expect({ message, code, reason }).toMatchObject({
      message: 'The model cannot answer right now; nothing was charged. Try again.',
      code: 'UNAVAILABLE',
      reason: 'MODEL_SERVICE_UNAVAILABLE',
    });
    expect([await spent(ctx), await historyOf(ctx)]).toEqual([0, []]);
    // An unavailable result is an answer, too: it needs the model.
    const empty = { member_id: await given.member(ctx) };
    expect((await call(ctx, name, empty)).message).toBe(message);
    expect((await call(withModel(ctx), name, empty)).data.callCapability.envelope.status).toBe('UNAVAILABLE');
  },
);

test('a list of members at risk fails in the same way', async () => {
  const ctx = withoutModel();
  await given.buyer(ctx);
  expect(await call(ctx, 'model_list_at_risk_members', { limit: 10 })).toMatchObject({
    reason: 'MODEL_SERVICE_UNAVAILABLE',
  });
  expect(await spent(ctx)).toBe(0);
});

test('one member that cannot be scored fails alone, is not charged, and may be tried again', async () => {
  const ctx = withModel(withoutModel());
  const [broken, sound] = [await given.buyer(ctx), await given.buyer(ctx)];
  const set = (daySquares: number) =>
    ctx.sql.query(
      `UPDATE model.member_statistics SET day_squares = $4
        WHERE workspace_id = $1 AND mode = $2::platform."Mode" AND member_id = $3`,
      [ctx.scope.workspaceId, ctx.scope.mode, broken, daySquares],
    );
  await set(Number.NaN);
  const requests = [broken, sound].map((member_id, index) => ({
    id: String(index),
    name: 'model_get_consumer_state',
    arguments: { member_id },
  }));
  const { data } = await callAll(ctx, requests);
  expect(data.callCapabilities.results).toMatchObject([
    { isOk: false, error: { code: 'MODEL_SERVICE_UNAVAILABLE' } },
    { isOk: true },
  ]);
  expect(await spent(ctx)).toBe(20);
  await set(3_000);
  expect(
    (await call(ctx, 'model_get_consumer_state', { member_id: broken })).data.callCapability,
  ).toBeTruthy();
});
