import { expect, test } from '@jest/globals';
import { faults } from './faults.fixture.ts';
import * as reasons from './reasons.rules.ts';

const list = 'platform/src/base/error-reasons.ts';
const graph = 'subgraphs/workspace/src/call-log/error-reasons.graphql';
const service = 'subgraphs/loyalty/src/points/points/points.service.ts';

const texts = {
  [list]: [
    "const conflicts = ['TIER_IN_USE'] as const;",
    'export const errorReasons = {',
    "  NOT_FOUND: ['BULK_AWARD_NOT_FOUND', 'TIER_NOT_FOUND'],",
    '  CONFLICT: conflicts,',
    '} as const;',
  ].join('\n'),
};

test('a reason is either in the code and in the graph, or in neither', () => {
  const sdl = 'enum ErrorReason { TIER_IN_USE\nTIER_EXISTS }\nextend enum ErrorReason { TIER_NOT_FOUND }';
  expect(faults(reasons.described, { ...texts, [graph]: sdl })).toEqual([`${list}:3`, `${graph}:2`]);
});

test('a reason is used somewhere, by its full name or by its noun', () => {
  const code = "conflict('TIER_IN_USE', 'No.');\nnotFound('bulk award', id);";
  expect(faults(reasons.used, { ...texts, [service]: code })).toEqual([`${list}:3`]);
  expect(faults(reasons.used, { ...texts, [service]: `${code}\nnotFound('tier', id);` })).toEqual([]);
});

test('a reason is used with its own category', () => {
  const code = [
    "new AppError('CONFLICT', 'TIER_IN_USE', 'No.');",
    "new AppError('NOT_FOUND', 'TIER_NOT_FOUND', 'No.');",
    "new AppError(\n'CONFLICT',\n'TIER_NOT_FOUND', 'No.');",
  ].join('\n');
  expect(faults(reasons.categories, { ...texts, [service]: code })).toEqual([`${service}:3`]);
});
