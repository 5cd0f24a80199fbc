import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import {
  buildSchema,
  getIntrospectionQuery,
  getNamedType,
  getNullableType,
  getOperationAST,
  isCompositeType,
  isListType,
  isObjectType,
  Kind,
  parse,
  separateOperations,
} from 'graphql';
import { documentRefusal, limits } from '../admission/limits.ts';
import { growth } from '../growth.fixture.ts';
import { composeSupergraph } from '../supergraph/compose.ts';
import { apiSchemaOf } from '../supergraph/supergraph-sdl.ts';
import { compileCost, type OperationCost } from './cost.ts';
import { costModel } from './cost-model.ts';

const shop = `
  directive @cost(weight: Int!) on
    | ARGUMENT_DEFINITION | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR
  directive @listSize(
    assumedSize: Int
    slicingArguments: [String!]
    sizedFields: [String!]
    requireOneSlicingArgument: Boolean = true
  ) on FIELD_DEFINITION
  directive @link(url: String, as: String, import: [Import]) repeatable on SCHEMA
  scalar Import
  scalar Blob @cost(weight: 3)
  schema @link(url: "https://specs.apollo.dev/cost/v0.1", import: ["@listSize"]) { query: Query mutation: Mutation }
  type Query {
    shelf(first: Int, after: String): Shelf!
      @listSize(
        assumedSize: 50
        slicingArguments: ["first"]
        sizedFields: ["nodes", "edges"]
        requireOneSlicingArgument: false
      )
    strict(first: Int, last: Int): [Book!]! @listSize(slicingArguments: ["first", "last"])
    defaulted(first: Int = 7): [Book!]! @listSize(slicingArguments: ["first"])
    known: [Book!]! @listSize(assumedSize: 30)
    members(first: Int): Shelf
      @listSize(
        assumedSize: 1000
        slicingArguments: ["first"]
        sizedFields: ["nodes"]
        requireOneSlicingArgument: false
      )
    unknown: [Book!]!
    words: [String!]!
    book: Book
    slow: Int @cost(weight: 40)
    find(by: Filter, terms: [Filter!], blob: Blob, dear: Int @cost(weight: 9)): Book
    item: Item
    either: Either
  }
  type Mutation { add(input: Filter!): Book }
  input Filter { name: String and: [Filter!] dear: Int @cost(weight: 20) }
  type Shelf { nodes: [Book!]! edges: [Edge!]! total: Int! @cost(weight: 10) note: [Book!]! }
  type Edge { node: Book! cursor: String! }
  type Book {
    id: ID!
    title: String
    author: Author
    next: Book
    blob: Blob
    shelf(first: Int): Shelf
      @listSize(slicingArguments: ["first"], sizedFields: ["nodes"], requireOneSlicingArgument: false)
  }
  type Author @cost(weight: 5) { name: String }
  interface Item { price: Int }
  type Cheap implements Item { price: Int }
  type Dear implements Item { price: Int @cost(weight: 12) }
  union Either = Book | Author`;

const schema = buildSchema(shop);
const model = costModel(shop);
const compiled = (query: string): OperationCost => {
  const document = parse(query);
  return compileCost(schema, model, document, getOperationAST(document)!);
};
const cost = (query: string, variables = {}): number => compiled(query).of(variables);

test.each([
  ['leaves are free', '{ __typename words }', 0],
  ['an object counts one', '{ book { id next { id } } }', 2],
  ['a type may weigh more', '{ book { author { name } } }', 6],
  ['a field may weigh more', '{ slow }', 40],
  ['a scalar may weigh', '{ book { blob } }', 4],
  ['a list without a size is assumed to have ten items', '{ unknown { id } }', 10],
  ['a list has its assumed size', '{ known { author { name } } }', 180],
  ['an argument sizes the lists below a connection', '{ shelf(first: 4) { nodes { id } } }', 5],
  ['every sized field counts', '{ shelf(first: 4) { nodes { id } edges { node { id } } } }', 13],
  ['a connection without the argument has its assumed size', '{ shelf { nodes { id } } }', 51],
  ['null asks for the assumed size', '{ shelf(first: null) { nodes { id } } }', 51],
  ['what is not sized below a connection counts once', '{ shelf(first: 4) { total } }', 11],
  ['an unsized list below a connection has ten items', '{ shelf(first: 4) { note { id } } }', 11],
  ['the default of an argument counts', '{ defaulted { id } }', 7],
  ['lists within lists multiply', '{ shelf(first: 3) { nodes { shelf(first: 5) { nodes { id } } } } }', 22],
  ['a mutation counts ten more', 'mutation { add(input: { name: "x" }) { id } }', 12],
  ['input objects count at every depth', '{ find(terms: [{ and: [{}, {}] }, { dear: 1 }]) { id } }', 25],
  ['an argument and its scalar may weigh', '{ find(blob: "x", dear: 1) { id } }', 13],
  ['what may be skipped counts', 'query ($no: Boolean!) { book @include(if: $no) { id } }', 1],
  ['an abstract type weighs what its heaviest does', '{ item { price } }', 13],
  [
    'fragments on all types of a union count',
    '{ either { ... on Book { author { name } } ... on Author { name } } }',
    6,
  ],
  [
    'a fragment counts wherever it is spread',
    '{ a: shelf(first: 2) { ...S } b: shelf(first: 3) { ...S } } fragment S on Shelf { nodes { ...B } } fragment B on Book { next { id } }',
    12,
  ],
])('%s', (_, query, expected) => {
  expect(cost(query)).toBe(expected);
});

test('the introspection query that tools send is within the limit', () => {
  const query = getIntrospectionQuery({
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    oneOf: true,
  });
  expect(cost(query)).toBeLessThan(limits.cost / 2);
});

test('variables and their defaults size lists', () => {
  const query = 'query ($n: Int = 20) { shelf(first: $n) { nodes { id } } }';
  expect(cost(query)).toBe(21);
  expect(cost(query, { n: 100 })).toBe(101);
  expect(cost(query, { n: undefined })).toBe(21);
  expect(cost(query, { n: null })).toBe(51);
});

test('what an input variable holds is counted', () => {
  const query = 'query ($by: Filter, $more: Filter!) { find(by: $by, terms: [$more, { name: "x" }]) { id } }';
  expect(cost(query, { by: { and: [{}, {}, {}] }, more: {} })).toBe(1 + 4 + 2);
});

test('a page outside of its bounds is refused by the name of its argument', () => {
  const { refusal } = compiled('query ($n: Int) { shelf(first: $n) { nodes { id } } }');
  const refused = { category: 'BAD_USER_INPUT', code: 'VALIDATION_FAILED', details: { field: 'first' } };
  for (const n of [0, -1, limits.pageSize + 1, 2_147_483_647]) expect(refusal({ n })).toMatchObject(refused);
  for (const n of [1, limits.pageSize, null, undefined]) expect(refusal({ n })).toBeNull();
  expect(compiled('{ defaulted(first: 0) { id } }').refusal({})).toMatchObject(refused);
});

test('a list that wants one of its arguments is refused with none and with both', () => {
  for (const query of ['{ strict { id } }', '{ strict(first: 1, last: 1) { id } }']) {
    expect(compiled(query).refusal({})?.message).toBe(
      'strict needs exactly one of the arguments first, last.',
    );
  }
  expect(compiled('{ strict(last: 3) { id } }').refusal({})).toBeNull();
});

test('the refusal of a costly operation names its cost, the limit and the field that costs most', () => {
  const nodes = 'nodes { shelf(first: 100) { nodes { id } } }';
  const refused = compiled(`{ book { id } big: shelf(first: 90) { ${nodes} } }`).refusal({});
  expect(refused).toMatchObject({ category: 'BAD_USER_INPUT', code: 'OPERATION_TOO_COSTLY' });
  expect(refused?.message).toContain('costs 9182, at most 5000');
  expect(refused?.message).toContain('shelf with 9181');
});

test('fragments that double at every step are weighed without being written out, and up to a bound', async () => {
  const doubling = (steps: number) => {
    const fragments = Array.from(
      { length: steps },
      (_, n) => `fragment F${n} on Shelf { nodes { shelf(first: 9) { ...F${n + 1} } } ...F${n + 1} }`,
    );
    const end = `fragment F${steps} on Shelf { total }`;
    return compiled(`{ shelf(first: 9) { ...F0 } } ${fragments.join(' ')} ${end}`).of({});
  };
  // With fragments expanded, the document would grow 512 times.
  expect(
    await growth(
      () => doubling(9),
      () => doubling(18),
    ),
  ).toBeLessThan(30);
  expect(doubling(60)).toBe(1_000_000_000);
});

test('a supergraph may have its own names for the directives', () => {
  const renamed = (link: string, names: string): string => `
    schema @link(url: "https://specs.apollo.dev/cost/v0.1", ${link}) { query: Query }
    type Query { ${names} }`;
  const imports = 'import: [{ name: "@cost", as: "@weight" }, { name: "@listSize", as: "@items" }]';
  const imported = costModel(renamed(imports, 'a: Int @weight(weight: 4) b: [Int] @items(assumedSize: 6)'));
  expect(imported.weights.get('Query.a')).toBe(4);
  expect(imported.listSizes.get('Query.b')).toMatchObject({ assumedSize: 6 });
  const prefixed = costModel(
    renamed('as: "price"', 'a: Int @price(weight: 4) b: [Int] @price__listSize(assumedSize: 6)'),
  );
  expect(prefixed.weights.get('Query.a')).toBe(4);
  expect(prefixed.listSizes.get('Query.b')).toMatchObject({ assumedSize: 6 });
});

const product = composeSupergraph();

test('every list of objects in the product says how large it is', () => {
  const { listSizes } = costModel(product);
  const unsized: string[] = [];
  for (const type of Object.values(apiSchemaOf(product).getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const named = getNamedType(field.type);
      const isConnection = named.name.endsWith('Connection');
      const isList = isListType(getNullableType(field.type)) && isCompositeType(named);
      // These lists have the size of their parent's @listSize.
      const coordinate = `${type.name}.${field.name}`;
      const isOfMembers = ['BulkResultPage.results', 'MemberStatePage.states'].includes(coordinate);
      const isSized =
        isOfMembers || (type.name.endsWith('Connection') && ['nodes', 'edges'].includes(field.name));
      if ((isConnection || (isList && !isSized)) && !listSizes.has(coordinate)) unsized.push(coordinate);
    }
  }
  expect(unsized).toEqual([]);
});

test('a page may be larger where the list is assumed to be, and costs what is asked for', () => {
  const { of, refusal } = compiled('query ($n: Int) { members(first: $n) { nodes { id } } }');
  expect([of({ n: 900 }), of({})]).toEqual([901, 1001]);
  expect(refusal({ n: 1000 })).toBeNull();
  expect(refusal({ n: 1001 })?.message).toBe('first must be between 1 and 1000.');
});

/** Lists in member order can only be read forward. */
const MEMBER_PAGES = ['Query.bulkJobResults', 'Query.memberStates', 'BulkJob.results'];

test('every connection in the product takes its size from first or last', () => {
  const connections = [...costModel(product).listSizes].filter(
    ([coordinate, { sizedFields }]) => sizedFields.length > 0 && !MEMBER_PAGES.includes(coordinate),
  );
  expect(connections.length).toBeGreaterThan(30);
  for (const [coordinate, size] of connections) {
    expect([coordinate, size.slicingArguments, size.sizedFields]).toEqual([
      coordinate,
      ['first', 'last'],
      ['nodes', 'edges'],
    ]);
  }
});

const documents = new URL('../../../rest-adapter/src/', import.meta.url);

test('every document of the REST adapter stays below the limit with its largest page, with room for more fields', () => {
  const api = apiSchemaOf(product);
  const weights = costModel(product);
  // A row sends one operation of a file, with its used fragments.
  const texts = globSync('**/*.graphql', { cwd: documents }).map((file) =>
    readFileSync(new URL(file, documents), 'utf8'),
  );
  const costs = texts.flatMap((text) =>
    Object.values(separateOperations(parse(text))).map((document) => {
      expect(documentRefusal(document)).toBeNull();
      const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION)!;
      const { of, refusal } = compileCost(api, weights, document, operation);
      const isOfMembers = /^List(BulkResults|MemberStates)$/.test(operation.name!.value);
      const variables = { limit: isOfMembers ? 1000 : limits.pageSize };
      expect(refusal(variables)).toBeNull();
      return of(variables);
    }),
  );
  expect(costs.length).toBeGreaterThan(15);
  expect(Math.max(...costs)).toBeLessThan(0.75 * limits.cost);
});
