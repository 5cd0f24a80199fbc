import { expect, test } from '@jest/globals';
import type { Context } from '@loyalty/platform/context';
import { ask, entities } from '@loyalty/test/harness/ask';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { call, given, spent } from '../capabilities/capabilities.fixture.ts';
import { model } from '../subgraph.ts';

const { services, newContext } = useServices();

const ANALYSES = `... on Member { analyses(first: 2) {
  nodes { id capability status credits result modelVersion member { id } }
  pageInfo { hasNextPage } totalCount } }`;
const analysesOf = async (ctx: Context, id: string) => {
  const references = [{ __typename: 'Member', id }];
  const { data } = await ask(model, contextOf(services, ctx.caller), entities(ANALYSES), { references });
  return data._entities[0].analyses;
};

test('the history of a member shows what was answered, newest first, and costs nothing', async () => {
  const ctx = newContext();
  const memberId = await given.buyer(ctx);
  const member_id = memberId;
  await call(ctx, 'model_get_consumer_state', { member_id });
  await call(ctx, 'model_predict_purchase', { member_id });
  const { data } = await call(ctx, 'model_predict_churn', { member_id });
  const paid = await spent(ctx);
  const found = await analysesOf(ctx, memberId);
  expect(found).toMatchObject({ pageInfo: { hasNextPage: true }, totalCount: 3 });
  expect(found.nodes).toMatchObject([
    { capability: 'model_predict_churn', status: 'OK', credits: 10, member: { id: memberId } },
    { capability: 'model_predict_purchase', modelVersion: 'std-2' },
  ]);
  expect(found.nodes[0].result).toEqual(data.callCapability);
  expect(await spent(ctx)).toBe(paid);
});

test('it is hidden while the member is restricted, and from other workspaces and modes', async () => {
  const ctx = newContext();
  const memberId = await given.buyer(ctx);
  await call(ctx, 'model_predict_purchase', { member_id: memberId });
  expect(await analysesOf(newContext(), memberId)).toBeNull();
  const sandbox = newContext({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' });
  expect(await analysesOf(sandbox, memberId)).toBeNull();
  await given.restricted(ctx, memberId);
  expect(await analysesOf(ctx, memberId)).toBeNull();
});
