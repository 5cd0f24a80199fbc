import { expect, test } from '@jest/globals';
import { parse, print } from 'graphql';
import { withPages } from './paged.ts';

const expanded = (sdl: string): string => print(withPages(parse(sdl)));
const compact = (sdl: string): string =>
  expanded(sdl)
    .replace(/"[^"\n]*"\n/g, '')
    .replace(/\s+/g, ' ');

test('a list is a connection: arguments that must be given, those of a page, then the others', () => {
  const sdl = compact(`type Query {
    stores(city: String, area: ID!, order: Order! = NEWEST): [Store!]! @report @paged @access(callers: ["key"])
  }`);
  expect(sdl).toContain(
    'stores( area: ID! first: Int after: String last: Int before: String offset: Int city: String ' +
      'order: Order! = NEWEST ): StoreConnection! @report @listSize(assumedSize: 50, ' +
      'slicingArguments: ["first", "last"], sizedFields: ["nodes", "edges"], requireOneSlicingArgument: false) ' +
      '@access(callers: ["key"])',
  );
  expect(sdl).toContain(
    'type StoreConnection { nodes: [Store!]! edges: [StoreEdge!]! pageInfo: PageInfo! ' +
      'totalCount: Int! @cost(weight: 10) } type StoreEdge { cursor: String! node: Store! }',
  );
});

test('a list may have another size and name, no offset, a free count, and be null', () => {
  const sdl = expanded(`directive @paged(size: Int) on FIELD_DEFINITION
    type Member { acts: [Entry!] @paged(size: 10, name: "Act", hasOffset: false, countCost: 0) }`);
  expect(sdl).toContain('"Items on the page, at most 200. Default: 10."');
  expect(sdl).toContain('): ActConnection @listSize(assumedSize: 10,');
  expect(sdl).toMatch(/totalCount: Int!\n/);
  expect(sdl).toContain('nodes: [Entry!]!');
  expect(sdl).not.toMatch(/offset|directive/);
});

test('two lists of the same items share one connection', () => {
  const sdl = expanded(`type Query { stores: [Store!]! @paged }
    extend type Member { stores: [Store!] @paged(size: 10) }`);
  expect(sdl.match(/type StoreConnection/g)).toHaveLength(1);
});

test.each([
  ['type Query { stores: [Store!]! @paged near: [Store!]! @paged(countCost: 1) }', /near: another list says/],
  ['type Query { stores: [Store!]! @paged near: [Shop!]! @paged(name: "Store") }', /near: another list says/],
  ['type Query { store: Store! @paged }', /store: @paged stands on a list/],
  ['type Query { stores: [Store]! @paged }', /stores: @paged stands on a list/],
])('%s is refused', (sdl, reason) => {
  expect(() => expanded(sdl)).toThrow(reason);
});
