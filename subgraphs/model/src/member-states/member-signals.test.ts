import { expect, test } from '@jest/globals';
import { ask } from '@loyalty/test/harness/ask';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { useServices } from '@loyalty/test/harness/services';
import { call, given } from '../capabilities/capabilities.fixture.ts';
import { model } from '../subgraph.ts';
import { memberSignals } from './member-states.service.ts';

const { services, ctx, newContext } = useServices();

test('the scores of the saved state and the predicted day are those of the member', async () => {
  await given.scoresIncluded(ctx);
  const id = await given.buyer(ctx);
  const before = await memberSignals(ctx, [id]);
  expect(before).toEqual([
    {
      memberId: id,
      purchaseScore: null,
      longGapScore: null,
      cartRemovalScore: null,
      overdueCycles: null,
      nextOrderOn: expect.stringMatching(/^2026-03-\d\d$/),
      nextOrderConfidence: 'MEDIUM',
      isLikelyLapsed: false,
    },
  ]);
  await call(ctx, 'model_get_consumer_state', { member_id: id });
  const [saved] = await memberSignals(newContext(ctx.caller), [id]);
  const query = `{ member: _entities(representations: [{__typename: "Member", id: "${id}"}]) {
    ... on Member { state { purchase { score } longGap { score } } predictions { expectedNextOrderOn } } } }`;
  const [member] = (await ask(model, ctx, query)).data.member;
  expect(saved?.purchaseScore).toBe(member.state.purchase.score);
  expect(saved?.longGapScore).toBe(member.state.longGap.score);
  expect(saved?.nextOrderOn).toBe(member.predictions.expectedNextOrderOn);
  expect(saved?.overdueCycles).toBe(0);
  expect(await publishedEvents(ctx, 'model.member_signals_changed')).toEqual([{ memberIds: [id] }]);
});

test('members whose processing is restricted have none, and are not even named', async () => {
  const [free, restricted] = [await given.buyer(ctx), await given.buyer(ctx)];
  await given.restricted(ctx, restricted);
  const found = await memberSignals(ctx, [free, restricted]);
  expect(found.map(({ memberId }) => memberId)).toEqual([free]);
});

test('signals of many members cost as many statements as those of one, four at most', async () => {
  // The workspace's time zone is read once.
  await ctx.sql.query(`INSERT INTO workspace.workspaces (id, name, time_zone) VALUES ($1, 'Shop', 'UTC')`, [
    ctx.scope.workspaceId,
  ]);
  const ids: string[] = [];
  for (let count = 0; count < 15; count += 1) ids.push(await given.buyer(ctx));
  const statementsFor = async (asked: readonly string[]) => {
    await memberSignals(newContext(ctx.caller), asked);
    services.statements.length = 0;
    expect(await memberSignals(newContext(ctx.caller), asked)).toHaveLength(asked.length);
    return services.statements.length;
  };
  expect(await statementsFor(ids)).toBe(await statementsFor(ids.slice(0, 1)));
  expect(await statementsFor(ids)).toBeLessThanOrEqual(4);
  expect(await ask(model, ctx, '{ _memberSignals(memberIds: []) { memberId } }')).toMatchObject({
    reason: 'CALLER_REFUSED',
  });
});
