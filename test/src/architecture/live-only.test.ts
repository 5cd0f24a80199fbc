import { expect, test } from '@jest/globals';
import { liveOnly } from './live-only.rules.ts';
import { projectOf, readProject } from './project.ts';

const found = (name: string, access: string): number =>
  liveOnly.check(
    projectOf({
      'subgraphs/loyalty/src/tiers/tiers/tiers.graphql': `extend type Mutation { ${name}(id: ID!): ID! @access${access} }`,
    }),
  ).length;

test('a mutation that changes what live and test share cannot lose its liveOnly', () => {
  expect(found('deleteTier', '(role: "ADMIN", liveOnly: true)')).toBe(0);
  expect(found('deleteTier', '(role: "ADMIN")')).toBe(1);
  expect(found('deleteTier', '(role: "ADMIN", liveOnly: false)')).toBe(1);
});

test('a mutation that becomes liveOnly must be listed', () => {
  expect(found('awardPoints', '')).toBe(0);
  expect(found('awardPoints', '(liveOnly: true)')).toBe(1);
});

test('the list has every such mutation, and none that does not exist', () => {
  const list = 'test/src/architecture/live-only.ts';
  expect(liveOnly.check(projectOf({ [list]: '' })).length).toBeGreaterThan(30);
  expect(liveOnly.check(readProject())).toEqual([]);
});
