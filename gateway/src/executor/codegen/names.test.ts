import { expect, test } from '@jest/globals';
import { parse, print, stripIgnoredCharacters } from 'graphql';
import { withPrivateNames } from './names.ts';

const planned = new Set(['__typename', 'id', 'price']);

const renamed = (query: string) => {
  const { document, publicNames } = withPrivateNames(parse(query), planned);
  return { query: stripIgnoredCharacters(print(document)), names: Object.fromEntries(publicNames) };
};

test.each([
  ['plain fields, whoever needs them', '{id price name a:name}'],
  ['arguments of fields that no plan needs', '{list(first:1){id}}'],
  ['one alias for one field everywhere', '{a:name b{a:name}}'],
])('%s are left as they are', (_, query) => {
  expect(renamed(query)).toEqual({ query, names: {} });
});

test.each([
  ['another field under the name of a key', '{id:name}', '{name__0:name}', { name__0: 'id' }],
  ['another field as the type', '{__typename:name}', '{name__0:name}', { name__0: '__typename' }],
  [
    'a field that plans need, with arguments',
    '{price(in:1)}',
    '{price__0:price(in:1)}',
    { price__0: 'price' },
  ],
  ['a name that no object can hold', '{__proto__:name}', '{name__0:name}', { name__0: '__proto__' }],
  [
    'one name for two fields, in branches that never meet',
    '{...on A{x:name}...on B{x:size}}',
    '{...on A{name__0:name}...on B{size__1:size}}',
    { name__0: 'x', size__1: 'x' },
  ],
  [
    'one name for two calls',
    '{...on A{x:list(first:1)}...on B{x:list(first:2)}}',
    '{...on A{list__0:list(first:1)}...on B{list__1:list(first:2)}}',
    { list__0: 'x', list__1: 'x' },
  ],
])('%s gets private names', (_, query, expected, names) => {
  expect(renamed(query)).toEqual({ query: expected, names });
});

test('the same call has one private name, in fragments too', () => {
  expect(renamed('{id:name...F}fragment F on A{id:name}')).toEqual({
    query: '{name__0:name ...F}fragment F on A{name__0:name}',
    names: { name__0: 'id' },
  });
});

test('a private name is none that the client uses', () => {
  expect(renamed('{id:name name__0 name__1:x}').names).toEqual({ name__2: 'id' });
});
