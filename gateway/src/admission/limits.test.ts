import { composeServices } from '@apollo/composition';
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Caller, systemCaller } from '@loyalty/platform/base/caller';
import { readTypeDefs } from '@loyalty/platform/graph/type-defs';
import { createLog } from '@loyalty/platform/observe/log';
import { getIntrospectionQuery, parse } from 'graphql';
import { createGraph, type Graph } from '../graph.ts';
import { growth } from '../growth.fixture.ts';
import { loadSupergraph } from '../supergraph/supergraph.ts';
import { answering } from '../transport/transport.fixture.ts';
import { documentRefusal, limits } from './limits.ts';

const prelude = readTypeDefs('/nonexistent');
const sdl = {
  loyalty: `
    type Query {
      shelf(first: Int, tags: [String!], filter: Filter): Shelf!
        @listSize(assumedSize: 50, slicingArguments: ["first"], sizedFields: ["nodes"], requireOneSlicingArgument: false)
        @access
      free(value: JSON): String @access
    }
    type Mutation { keep(input: JSONObject!): Int @access }
    input Filter { title: String and: [Filter!] }
    type Shelf { nodes: [Book!]! }
    type Book @key(fields: "id") { id: ID! title: String next: Book }`,
  commerce: `type Book @key(fields: "id") { id: ID! price: Int shelves: [Book!] @listSize(assumedSize: 5) }`,
};

const asked: string[] = [];
const answer = answering(({ query }) => {
  asked.push(query);
  return { data: { shelf: { nodes: [] }, free: 'free' } };
});

const caller: Caller = {
  ...systemCaller('test', { workspaceId: 'w', mode: 'LIVE' }),
  kind: 'USER',
  role: 'OWNER',
  actor: 'user:1',
};

let graph: Graph;
beforeAll(() => {
  const services = Object.entries(sdl).map(([name, text]) => ({
    name,
    url: `subgraph://${name}`,
    typeDefs: { ...prelude, definitions: [...prelude.definitions, ...parse(text).definitions] },
  }));
  const { supergraphSdl, errors } = composeServices(services);
  if (!supergraphSdl) throw errors![0];
  graph = createGraph({
    supergraph: loadSupergraph(supergraphSdl),
    transports: { loyalty: answer, commerce: answer },
    log: createLog({ level: 'silent', name: 'test' }),
  });
});
beforeEach(() => {
  asked.length = 0;
});

async function refused(query: string, variables: Record<string, unknown> = {}) {
  const { data, errors = [] } = await graph.execute({ query, variables }, { caller, requestId: 'r-1' });
  expect(data ?? null).toBeNull();
  expect(asked).toEqual([]);
  expect(errors.length).toBeGreaterThan(0);
  for (const error of errors) expect(error.extensions).toMatchObject({ code: 'BAD_USER_INPUT' });
  expect(errors.length).toBeLessThanOrEqual(101);
  return errors[0]!;
}

const times = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');
const doubling = (count: number, type: string, step: (next: string) => string, end: string): string =>
  `${times(count, (n) => `fragment F${n} on ${type} { ${step(`...F${n + 1}`)} }`)} fragment F${count} on ${type} { ${end} }`;
const nested = (levels: number): string => `${'{ next '.repeat(levels)}{ id }${'}'.repeat(levels)}`;

test.each([
  ['levels of depth', `{ shelf { nodes ${nested(8)} } }`],
  [
    'levels of depth that come through fragments',
    `{ shelf { nodes { ...A } } } fragment A on Book ${nested(4).replace('id', '...B')} fragment B on Book ${nested(5)}`,
  ],
  ['aliases', `{ ${times(31, (n) => `a${n}: free`)} }`],
  [
    'aliases that come through fragments',
    `{ ...F } fragment F on Query { ${times(31, (n) => `a${n}: free`)} }`,
  ],
  ['root fields', `{ ${times(21, () => 'free')} }`],
  ['root fields that come through fragments', `{ ${times(21, () => '...F')} } fragment F on Query { free }`],
  [
    'fields that fragments write out',
    `{ shelf { nodes { ...F0 } } } ${doubling(11, 'Book', (next) => `${next} ${next}`, 'title id')}`,
  ],
  ['uses of one leaf', `{ shelf { nodes { ${'title '.repeat(1_900)} } } }`],
  ['uses of one object', `{ shelf { nodes { ${'next { id } '.repeat(400)} } } }`],
  ['levels of the schema', `{ __schema { types ${'{ ofType '.repeat(30)} { name } ${'}'.repeat(30)} } }`],
])('an operation with too many %s is refused as too large', async (_, query) => {
  expect((await refused(query)).extensions).toMatchObject({ reason: 'OPERATION_TOO_LARGE' });
});

const levels = (count: number): string => '{ a '.repeat(count) + '}'.repeat(count);
const below = (fields: string): string => `{ a { ${fields} } }`;
const spread = '...F '.repeat(10);
const spreadFragment = `fragment F on A { ${times(199, (n) => `c${n}`)} }`;

test.each<[number, string, string, (count: number) => string]>([
  [10, 'levels of depth', '', levels],
  [10, 'levels of depth', ' in a fragment', (count) => `{ ...F } fragment F on Query ${levels(count)}`],
  [20, 'levels of depth below the schema', '', (count) => `{ __schema ${levels(count - 1)} }`],
  [30, 'aliases', '', (count) => below(times(count, (n) => `a${n}: b`))],
  [20, 'root fields', '', (count) => `{ ${times(count, (n) => `a${n}`)} }`],
  [
    2_000,
    'fields',
    ' with its fragments written out',
    (count) => `${below(`${spread} ${times(count - 1_991, (n) => `b${n}`)}`)} ${spreadFragment}`,
  ],
  [200, 'uses of one field', '', (count) => below('b '.repeat(count))],
])('a document may have %i %s%s, and not one more', (max, noun, _, query) => {
  expect(documentRefusal(parse(query(max)))).toBeNull();
  expect(documentRefusal(parse(query(max + 1)))).toMatchObject({
    code: 'OPERATION_TOO_LARGE',
    message: `This operation has ${max + 1} ${noun}, at most ${max} are allowed. Split it up.`,
  });
});

test('an operation of exactly 2000 tokens is answered, one more is not read', async () => {
  const tokens = (count: number) => `{ free(value: [${'1 '.repeat(count - 9)}]) }`;
  const { data } = await graph.execute({ query: tokens(2_000) }, { caller, requestId: 'r-1' });
  expect(data).toEqual({ free: 'free' });
  asked.length = 0;
  expect((await refused(tokens(2_001))).extensions).toMatchObject({ reason: 'PARSE_FAILED' });
});

test('an operation that costs exactly 5000 is answered, one more is refused', async () => {
  const query = 'query ($f: [Filter!]) { shelf(first: 10, filter: { and: $f }) { nodes { id } } }';
  const filters = (cost: number) => ({ f: Array(cost - 12).fill({}) });
  const { extensions } = await graph.execute(
    { query, variables: filters(5_000) },
    { caller, requestId: 'r-1' },
  );
  expect(extensions).toEqual({ cost: { estimated: 5_000, limit: 5_000 } });
  asked.length = 0;
  expect((await refused(query, filters(5_001))).message).toContain('costs 5001, at most 5000');
});

test.each<[string, (steps: number) => string]>([
  ['double', (steps) => doubling(steps, 'Book', (next) => `${next} ${next}`, 'id')],
  ['double below a field', (steps) => doubling(steps, 'Book', (n) => `next { ${n} } next { ${n} }`, 'id')],
  [
    'double through aliases',
    (steps) => doubling(steps, 'Book', (n) => `a: next { ${n} } b: next { ${n} }`, 'id'),
  ],
  [
    'double many times a step',
    (steps) => doubling(steps, 'Book', (next) => `${next} `.repeat(10), 'id title price'),
  ],
])('fragments that %s are refused before they are written out', async (_, fragments) => {
  const attack = (steps: number) => refused(`{ shelf { nodes { ...F0 } } } ${fragments(steps)}`);
  // With fragments expanded, these documents would grow at least 256 times.
  expect(
    await growth(
      () => attack(12),
      () => attack(20),
    ),
  ).toBeLessThan(30);
  await attack(30);
});

test('fragments of the schema that double are refused before anybody looks how deep they go', async () => {
  await refused(
    `{ __schema { types { ...F0 } } } ${doubling(40, '__Type', (next) => `${next} interfaces { ${next} }`, 'name')}`,
  );
});

test.each([
  ['itself', 'fragment A on Book { next { ...A } }'],
  ['itself at once', 'fragment A on Book { ...A }'],
  ['another that spreads it', 'fragment A on Book { ...B } fragment B on Book { next { ...A } }'],
  [
    'sixty that spread one another',
    `fragment A on Book { ...F0 } ${times(60, (n) => `fragment F${n} on Book { next { ...F${(n + 1) % 60} ...F${(n + 7) % 60} } ...F${(n + 3) % 60} }`)}`,
  ],
])('a fragment that spreads %s is refused', async (_, fragments) => {
  const { message, extensions } = await refused(`{ shelf { nodes { ...A } } } ${fragments}`);
  expect(message).toContain('spreads itself');
  expect(extensions).toMatchObject({ reason: 'OPERATION_INVALID' });
});

test.each([
  ['a million tokens', `{ ${'a '.repeat(1_000_000)} }`],
  ['a million open braces', '{'.repeat(1_000_000)],
  ['a list of a million numbers', `{ free(value: [${'1 '.repeat(1_000_000)}]) }`],
  ['lists within lists without end', `{ free(value: ${'['.repeat(500_000)}`],
  ['a million directives', `{ free ${'@skip(if: true) '.repeat(200_000)} }`],
  ['a million variables', `query (${times(100_000, (n) => `$v${n}: Int`)}) { free }`],
  ['a million fragments', `{ free } ${times(100_000, (n) => `fragment F${n} on Query { free }`)}`],
])('reading stops early in %s', async (_, query) => {
  const { message, extensions } = await refused(query);
  expect(extensions).toMatchObject({ reason: 'PARSE_FAILED' });
  expect(message.length).toBeLessThan(500);
});

test.each([
  ['a text of a megabyte', `{ free(value: "${'a'.repeat(1_000_000)}`],
  ['a number of a megabyte', `{ free(value: ${'1'.repeat(1_000_000)}x) }`],
  ['a name of a megabyte', `{ ${'a'.repeat(1_000_000)} }`],
  ['a comment of a megabyte and nothing else', `#${'a'.repeat(1_000_000)}`],
])('%s is refused', async (_, query) => {
  await refused(query.slice(0, limits.bodyBytes));
});

test('the faults of an operation are listed up to a bound', async () => {
  const { errors = [] } = await graph.execute(
    { query: `{ shelf { nodes { ${times(900, (n) => `nope${n}`)} } } }` },
    { caller, requestId: 'r-1' },
  );
  expect(errors.length).toBeGreaterThan(1);
  expect(errors.length).toBeLessThanOrEqual(101);
});

test.each([
  ['directives that nobody knows', `{ free ${times(900, (n) => `@d${n}`)} }`],
  ['one directive over and over', `{ free ${'@skip(if: true) '.repeat(250)} }`],
  ['conflicts among fields', `{ shelf { nodes { ${times(15, (n) => `a: title a: id b${n}: price`)} } } }`],
  ['unused variables', `query (${times(300, (n) => `$v${n}: Int`)}) { free }`],
  ['unused fragments', `{ free } ${times(150, (n) => `fragment F${n} on Query { free }`)}`],
  ['operations of one name', times(200, () => 'query A { free }')],
])('%s are refused', async (_, query) => {
  await refused(query);
});

test('a value of the wrong shape is refused however large and deep it is', async () => {
  const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as unknown;
  const filters = JSON.parse(`${'{"and":['.repeat(5_000)}{}${']}'.repeat(5_000)}`) as unknown;
  await refused('query ($tags: [String!]) { shelf(tags: $tags) { nodes { id } } }', { tags: deep });
  await refused('query ($tags: [String!]) { shelf(tags: $tags) { nodes { id } } }', {
    tags: Array.from({ length: 60_000 }, () => 1),
  });
  await refused('query ($filter: Filter) { shelf(filter: $filter) { nodes { id } } }', { filter: filters });
});

test.each([
  ['pages of pages', '{ shelf(first: 200) { nodes { shelves { shelves { id } } } } }', {}],
  [
    'a page whose size is a variable',
    'query ($n: Int) { shelf(first: $n) { nodes { shelves { shelves { id } } } } }',
    { n: 199 },
  ],
  [
    'a list of filters',
    'query ($f: [Filter!]) { shelf(filter: { and: $f }) { nodes { id } } }',
    { f: Array(6_000).fill({}) },
  ],
  [
    'introspection that multiplies',
    `{ __schema { types { ${times(15, (n) => `a${n}: fields { ...F }`)} } } } fragment F on __Field { type { ${times(14, (n) => `b${n}: fields { name }`)} } }`,
    {},
  ],
])('%s cost too much', async (_, query, variables) => {
  const { message, extensions } = await refused(query, variables);
  expect(extensions).toMatchObject({ reason: 'OPERATION_TOO_COSTLY' });
  expect(message).toMatch(/costs \d+, at most 5000/);
});

test('a page that is too large is refused by the name of its argument', async () => {
  for (const first of [0, -5, 201, 2_000_000_000]) {
    const { message, extensions } = await refused(
      'query ($first: Int) { shelf(first: $first) { nodes { id } } }',
      { first },
    );
    expect(message).toBe('first must be between 1 and 200.');
    expect(extensions).toMatchObject({ reason: 'VALIDATION_FAILED', field: 'first' });
  }
});

test('what tools and people ask is within every bound', () => {
  const page = '{ shelf(first: 100) { nodes { id title price next { id title next { id } } } } }';
  expect(documentRefusal(parse(getIntrospectionQuery({ inputValueDeprecation: true })))).toBeNull();
  expect(documentRefusal(parse(page))).toBeNull();
});

test('what runs says what it costs', async () => {
  const { errors, extensions } = await graph.execute(
    { query: '{ shelf(first: 10) { nodes { id } } }' },
    { caller, requestId: 'r-1' },
  );
  expect(errors).toBeUndefined();
  expect(extensions).toEqual({ cost: { estimated: 11, limit: limits.cost } });
});
