import { expect, test } from '@jest/globals';
import type { Access } from '@loyalty/platform/identity/access';
import { access, rowOf, schema } from '../adapter.fixture.ts';
import { accessesOf, scopesOf } from './row-access.ts';
import { readOperation } from './row-operation.ts';

const rule = (...scopes: string[][]): Access => ({
  scopes,
  role: null,
  module: null,
  callers: ['key'],
  liveOnly: false,
});

test.each([
  ['an operation without rules needs no scope', [], []],
  ['a field without scopes needs no scope', [rule()], []],
  ['alternatives of one field stay alternatives', [rule(['a'], ['b'])], [['a'], ['b']]],
  ['the scopes of two fields are needed together', [rule(['a']), rule(['b'])], [['a', 'b']]],
  [
    'each alternative of one field is combined with the scopes of another',
    [rule(['a'], ['b']), rule(['c'])],
    [
      ['a', 'c'],
      ['b', 'c'],
    ],
  ],
  ['alternatives that two fields share count once', [rule(['a'], ['b']), rule(['a'], ['b'])], [['a'], ['b']]],
  ['a list that contains another sufficient list is left out', [rule(['a']), rule(['a'], ['b'])], [['a']]],
] as const)('%s', (_, accesses, expected) => {
  expect(scopesOf(accesses as readonly Access[])).toEqual(expected);
});

test('an operation has the access rules of all its fields', () => {
  const operation = readOperation(rowOf('MemberTier').document, schema);
  expect(accessesOf(operation, access).map(({ scopes }) => scopes)).toEqual([
    [['members:read']],
    [['members:read'], ['tiers:read']],
  ]);
});
