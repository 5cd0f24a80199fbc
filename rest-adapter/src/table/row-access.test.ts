import { expect, test } from '@jest/globals';
import type { Access } from '@loyalty/platform/identity/access';
import { access, rowOf, schema } from '../adapter.fixture.ts';
import { accessesOf, scopesOf } from './row-access.ts';
import { readOperation } from './row-operation.ts';

const asks = (...scopes: string[][]): Access => ({
  scopes,
  role: null,
  module: null,
  callers: ['key'],
  liveOnly: false,
});

test.each([
  ['nothing asks for nothing', [], []],
  ['a field without scopes asks for none', [asks()], []],
  ['alternatives of one field stay alternatives', [asks(['a'], ['b'])], [['a'], ['b']]],
  ['two fields are asked together', [asks(['a']), asks(['b'])], [['a', 'b']]],
  [
    'alternatives multiply',
    [asks(['a'], ['b']), asks(['c'])],
    [
      ['a', 'c'],
      ['b', 'c'],
    ],
  ],
  ['what is asked twice counts once', [asks(['a'], ['b']), asks(['a'], ['b'])], [['a'], ['b']]],
  [
    'a list that holds more than another sufficient one is left out',
    [asks(['a']), asks(['a'], ['b'])],
    [['a']],
  ],
] as const)('%s', (_, accesses, expected) => {
  expect(scopesOf(accesses as readonly Access[])).toEqual(expected);
});

test('an operation asks what each of its fields asks', () => {
  const operation = readOperation(rowOf('MemberTier').document, schema);
  expect(accessesOf(operation, access).map(({ scopes }) => scopes)).toEqual([
    [['members:read']],
    [['members:read'], ['tiers:read']],
  ]);
});
