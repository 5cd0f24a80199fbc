import { expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import { useServices } from '@loyalty/test/harness/services';
import { askLoyalty } from '../members.fixture.ts';
import { givenTemplate } from '../messages/messages.fixture.ts';
import { checkJourney } from './check-journey.service.ts';
import {
  aDefinition,
  everyKindOfNode,
  faultIn,
  givenSegment,
  inARow,
  PATH,
  withNode,
} from './journeys.fixture.ts';

const { services, ctx, newContext } = useServices();

async function givenPool(status: 'ACTIVE' | 'PAUSED' = 'ACTIVE', of = ctx): Promise<string> {
  const input = { name: 'Pool', couponType: 'PERCENT', discountDisplay: '5%' };
  const create = 'mutation ($input: CreateCouponPoolInput!) { createCouponPool(input: $input) { id } }';
  const { id } = (await askLoyalty(of, create, { input }))['createCouponPool'] as { id: string };
  const set = `mutation { setCouponPoolStatus(id: "${id}", status: PAUSED) { id } }`;
  if (status === 'PAUSED') await askLoyalty(of, set);
  return id;
}
test('a definition with every kind of node is accepted, texts trimmed', async () => {
  const [templateId, poolId, segmentId] = [
    await givenTemplate(ctx),
    await givenPool(),
    await givenSegment(ctx),
  ];
  const definition = everyKindOfNode({ templateId, poolId, segmentId });
  const checked = await checkJourney(ctx, definition, PATH);
  expect(checked).toEqual({
    ...definition,
    nodes: definition.nodes.map((node) =>
      node.type === 'webPush' ? { ...node, title: 'Hello {{ member.first_name }}' } : node,
    ),
  });
});

test('the pools of a definition are read with one statement', async () => {
  const pools = [await givenPool(), await givenPool(), await givenPool()];
  const nodes = pools.map((poolId, at) => ({ id: `n${at}`, type: 'issueCoupon', poolId }));
  services.statements.length = 0;
  expect(await faultIn(ctx, aDefinition({ nodes: inARow(nodes) }))).toBeNull();
  expect(services.statements.filter((text) => text.includes('loyalty.coupon_pools'))).toHaveLength(1);
});

test('points up to the cap of the workspace are accepted', async () => {
  const { valueCap } = ctx.caller.limits;
  const faults = [valueCap, valueCap + 1].map((amount) =>
    faultIn(ctx, withNode({ type: 'awardPoints', amount, description: 'x' })),
  );
  expect(await Promise.all(faults)).toEqual([null, '.nodes[0].amount']);
});

test('templates, pools and segments that are gone, of others or out of use are refused', async () => {
  const other = newContext();
  const archived = await givenTemplate(ctx);
  await ctx.sql.query(
    'UPDATE engagement.message_templates SET archived_at = now() WHERE workspace_id = $1 AND id = $2',
    [ctx.scope.workspaceId, archived],
  );
  const templates = [newId(ctx.clock), await givenTemplate(other), archived];
  for (const templateId of templates)
    expect(await faultIn(ctx, withNode({ type: 'email', templateId }))).toBe('.nodes[0].templateId');
  const pools = [newId(ctx.clock), await givenPool('ACTIVE', other), await givenPool('PAUSED')];
  for (const poolId of pools)
    expect(await faultIn(ctx, withNode({ type: 'issueCoupon', poolId }))).toBe('.nodes[0].poolId');
  const segments = [
    newId(ctx.clock),
    await givenSegment(other),
    await givenSegment(newContext({ ...ctx.caller, mode: 'TEST' })),
  ];
  for (const segmentId of segments)
    expect(await faultIn(ctx, aDefinition({ entry: { segmentId } }))).toBe('.entry.segmentId');
});
