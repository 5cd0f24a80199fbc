import { expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { useServices } from '@loyalty/test/harness/services';
import { branchOf, type SplitNode } from '../journeys/journey-definition.ts';
import { givenProfiles } from '../profiles/profiles.fixture.ts';
import { enter, givenJourney, graphOfNodes, moveAll, nodeCountsOf, runsOf } from './runs.fixture.ts';

const { services, ctx } = useServices();

const memberIds = (count: number) => Array.from({ length: count }, () => newId(services.clock));

test('members wait at a delay and go on when it is over', async () => {
  const id = await givenJourney(
    ctx,
    graphOfNodes([
      { id: 'wait', type: 'delay', days: 1, hours: 2, next: 'end' },
      { id: 'end', type: 'exit' },
    ]),
  );
  expect(await enter(ctx, id, memberIds(3))).toBe(3);
  await moveAll(services);
  const dueAt = new Date(services.clock.now().getTime() + DAY_MS + 2 * HOUR_MS);
  expect(await runsOf(ctx, id)).toMatchObject(Array(3).fill({ status: 'ACTIVE', nodeId: 'wait', dueAt }));
  services.clock.advance(DAY_MS);
  await moveAll(services);
  expect(await runsOf(ctx, id)).toMatchObject(Array(3).fill({ status: 'ACTIVE', nodeId: 'wait' }));
  services.clock.advance(2 * HOUR_MS);
  await moveAll(services);
  expect(await runsOf(ctx, id)).toMatchObject(
    Array(3).fill({ status: 'COMPLETED', nodeId: 'end', dueAt: null }),
  );
  expect(await nodeCountsOf(ctx, id)).toEqual({
    'wait ENTERED': 3,
    'wait DONE': 3,
    'end ENTERED': 3,
    'end DONE': 3,
    'end COMPLETED': 3,
  });
});

test('a condition and a split lead each member where they should', async () => {
  const split: SplitNode = {
    id: 'split',
    type: 'split',
    branches: [
      { key: 'a', weight: 1, next: null },
      { key: 'b', weight: 1, next: null },
    ],
  };
  const id = await givenJourney(
    ctx,
    graphOfNodes([
      {
        id: 'rich',
        type: 'condition',
        condition: { field: 'points_balance', operator: 'at_least', value: 100 },
        next: 'split',
        otherwise: null,
      },
      split,
    ]),
  );
  const members = memberIds(40);
  await givenProfiles(
    ctx,
    members.map((memberId, place) => ({ memberId, pointsBalance: place < 30 ? 100 : 99 })),
  );
  await enter(ctx, id, members);
  await moveAll(services);
  const runs = await runsOf(ctx, id);
  expect(runs.every(({ status }) => status === 'COMPLETED')).toBe(true);
  expect(runs.filter(({ nodeId }) => nodeId === 'rich').map(({ memberId }) => memberId)).toEqual(
    members.slice(30),
  );
  const inA = members.slice(0, 30).filter((member) => branchOf(id, split, member).key === 'a').length;
  expect(await nodeCountsOf(ctx, id)).toMatchObject({
    'rich BRANCH:yes': 30,
    'rich BRANCH:no': 10,
    'split BRANCH:a': inA,
    'split BRANCH:b': 30 - inA,
  });
});

test('five hundred members cost as many statements as five', async () => {
  const definition = graphOfNodes([
    { id: 'd', type: 'delay', days: 1, next: 's' },
    {
      id: 's',
      type: 'split',
      branches: [
        { key: 'a', weight: 1, next: null },
        { key: 'b', weight: 1, next: null },
      ],
    },
  ]);
  const statementsFor = async (count: number) => {
    const id = await givenJourney(ctx, definition);
    await enter(ctx, id, memberIds(count));
    services.statements.length = 0;
    await moveAll(services);
    return services.statements.length;
  };
  expect(await statementsFor(490)).toBe(await statementsFor(5));
});
