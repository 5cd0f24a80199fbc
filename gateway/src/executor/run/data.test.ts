import { expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import { compileRewrites } from '../codegen/rewrites.ts';
import { merge, objectsAt, pathsAt } from './data.ts';
import type { Data } from './plan-run.ts';

const merged = (target: Data, source: Data): Data => {
  merge(target, source);
  return target;
};

test.each<[string, Data, Data, Data]>([
  ['fields of both', { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
  ['objects at any depth', { o: { p: { a: 1 } } }, { o: { p: { b: 2 } } }, { o: { p: { a: 1, b: 2 } } }],
  [
    'lists by position',
    { l: [{ a: 1 }, { a: 2 }] },
    { l: [{ b: 1 }, { b: 2 }] },
    {
      l: [
        { a: 1, b: 1 },
        { a: 2, b: 2 },
      ],
    },
  ],
  [
    'lists of lists by position',
    { l: [[{ a: 1 }], []] },
    { l: [[{ b: 2 }], []] },
    { l: [[{ a: 1, b: 2 }], []] },
  ],
  [
    'an object where there was null',
    { o: null, l: [null] },
    { o: { a: 1 }, l: [{ a: 1 }] },
    { o: { a: 1 }, l: [{ a: 1 }] },
  ],
  ['null where the later answer says so', { a: 1, l: [1] }, { a: null, l: [null] }, { a: null, l: [null] }],
  [
    'the later list where lengths differ',
    { l: [{ a: 1 }] },
    { l: [{ b: 1 }, { b: 2 }] },
    { l: [{ b: 1 }, { b: 2 }] },
  ],
  ['nothing of what is undefined', { a: 1 }, { a: undefined }, { a: 1 }],
])('two answers about an object are merged: %s', (_, target, source, expected) => {
  expect(merged(target, source)).toEqual(expected);
});

test('an answer cannot reach the prototype of what it is merged into', () => {
  const target = merged({}, JSON.parse('{ "__proto__": { "polluted": true }, "constructor": 1 }'));
  expect(Object.getPrototypeOf(target)).toBe(Object.prototype);
  expect(target).toEqual({ constructor: 1 });
  expect(({} as Data)['polluted']).toBeUndefined();
});

const data: Data = {
  one: { many: [{ deep: [[{ id: 1 }, null], [{ id: 2 }]] }, null, { deep: null }, { deep: [[{ id: 3 }]] }] },
};

test('a path leads through lists, lists of lists and past nulls, and each object knows where it is', () => {
  const path = ['one', 'many', '@', 'deep', '@', '@'];
  expect(objectsAt(data, path)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  expect(pathsAt(data, path)).toEqual([
    ['one', 'many', 0, 'deep', 0, 0],
    ['one', 'many', 0, 'deep', 1, 0],
    ['one', 'many', 3, 'deep', 0, 0],
  ]);
});

test('a path that leads nowhere finds nothing', () => {
  expect(objectsAt(data, ['one', 'none', '@'])).toEqual([]);
  expect(objectsAt({ one: 'text' }, ['one', 'none'])).toEqual([]);
  expect(pathsAt(data, ['one', 'none', '@'])).toEqual([]);
});

const schema = buildSchema(`
  interface Pet { id: ID }
  type Dog implements Pet { id: ID }
  type Cat implements Pet { id: ID }
  type Query { pets: [Pet] }
`);

test('a field is renamed in objects of the types that are meant, through lists', () => {
  const path = ['pets', '... on Dog', 'id__alias'];
  const rewrite = compileRewrites([{ kind: 'KeyRenamer', path, renameKeyTo: 'id' }], schema)!;
  const answer = {
    pets: [
      { __typename: 'Dog', id__alias: 1 },
      null,
      { __typename: 'Cat', id__alias: 2 },
      { __typename: 'Dog' },
    ],
  };
  rewrite(answer);
  expect(answer).toEqual({
    pets: [{ __typename: 'Dog', id: 1 }, null, { __typename: 'Cat', id__alias: 2 }, { __typename: 'Dog' }],
  });
});

test('a value is set in objects of an interface, also where their type is not given', () => {
  const path = ['... on Pet', '__typename'];
  const rewrite = compileRewrites([{ kind: 'ValueSetter', path, setValueTo: 'Pet' }], schema)!;
  const sent = [{ __typename: 'Dog' }, { __typename: 'Fish' }, { id: 1 }];
  rewrite(sent);
  expect(sent).toEqual([{ __typename: 'Pet' }, { __typename: 'Fish' }, { id: 1, __typename: 'Pet' }]);
});

test('where nothing is rewritten there is nothing to run', () => {
  expect(compileRewrites([], schema)).toBeNull();
  expect(compileRewrites(undefined, schema)).toBeNull();
});
