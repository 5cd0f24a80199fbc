import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { buildSchema, getOperationAST, parse, validate } from 'graphql';
import { demandsOf } from './asked-fields.ts';

const schema = buildSchema(`
  type Query { node: Node item: Item list: [Item!]! }
  interface Node { id: ID name: String }
  type Item implements Node { id: ID name: String next: Item price: Int }
  type Shop implements Node { id: ID name: String till: Int }
`);
const demands: Readonly<Record<string, string>> = {
  'Item.price': 'price',
  'Item.name': 'item name',
  'Shop.name': 'shop name',
  'Shop.till': 'till',
  'Query.list': 'list',
};

function asked(text: string, variables: object = {}) {
  const document = parse(text);
  expect(validate(schema, document)).toEqual([]);
  const found = demandsOf(document, undefined, schema, (type, field) => demands[`${type}.${field}`]);
  return found({ ...variables }).map(({ demand, path }) => `${demand} at ${path.join('.')}`);
}

test('a demand is found once, at the first field that makes it, in the order of the document', () => {
  const text = '{ a: item { next { price } } list { price cost: price name } }';
  expect(asked(text)).toEqual(['price at a.next.price', 'list at list', 'item name at list.name']);
});

test('a field of an interface demands what every type demands that it may turn out to be', () => {
  expect(asked('{ node { label: name } }')).toEqual(['item name at node.label', 'shop name at node.label']);
  expect(asked('{ node { ... on Shop { till } } }')).toEqual(['till at node.till']);
});

test('an interface under an object type demands what that type demands, and nothing of the others', () => {
  expect(asked('{ item { ...N } } fragment N on Node { name }')).toEqual(['item name at item.name']);
  expect(asked('{ item { ... on Node { name ... on Shop { till } } } }')).toEqual(['item name at item.name']);
});

test('an operation of a kind that the schema lacks demands nothing', () => {
  const document = parse('subscription { anything { else } }');
  expect(demandsOf(document, undefined, schema, () => 'something')({})).toEqual([]);
});

test('of a document with several operations one is looked at', () => {
  const document = parse('query A { list { id } } query B { item { price } }');
  const found = demandsOf(document, 'B', schema, (type, field) => demands[`${type}.${field}`]);
  expect(getOperationAST(document, 'B')).not.toBeNull();
  expect(found({}).map(({ demand }) => demand)).toEqual(['price']);
});

test('a fragment is found wherever it is spread, whatever the guard that came first', () => {
  const text = `query ($x: Boolean!, $y: Boolean!) {
    item { ...P @include(if: $x) } list { ...P @skip(if: $y) } } fragment P on Item { price }`;
  expect(asked(text, { x: false, y: true })).toEqual(['list at list']);
  expect(asked(text, { x: true, y: true })).toEqual(['price at item.price', 'list at list']);
  expect(asked(text, { x: false, y: false })).toEqual(['list at list', 'price at list.price']);
  expect(asked(text, { x: true, y: false })).toEqual(['price at item.price', 'list at list']);
});

test('fragments that spread each other many times take no time to speak of', () => {
  const depth = 40;
  const fragments = Array.from(
    { length: depth },
    (_, at) => `fragment F${at} on Item { ...F${at + 1} next { ...F${at + 1} } }`,
  );
  const text = `{ item { ...F0 } } ${fragments.join('\n')} fragment F${depth} on Item { price }`;
  expect(
    demandsOf(parse(text), undefined, schema, (type, field) => demands[`${type}.${field}`])({}),
  ).toHaveLength(1);
});

/** Random nested conditions on the variables a to d around one field. */
const condition = fc.record({
  name: fc.constantFrom('a', 'b', 'c', 'd'),
  isSkip: fc.boolean(),
});

test('with any conditions and values, a field is demanded exactly where it would be answered', () => {
  const nested = fc.array(fc.array(condition, { maxLength: 4 }), { minLength: 1, maxLength: 4 });
  const values = fc.record({ a: fc.boolean(), b: fc.boolean(), c: fc.boolean(), d: fc.boolean() });
  fc.assert(
    fc.property(nested, values, (places, variables) => {
      const word = ({ name, isSkip }: { name: string; isSkip: boolean }) =>
        `@${isSkip ? 'skip' : 'include'}(if: $${name})`;
      const selections = places.map((conditions) =>
        conditions.reduce((inner, each) => `... ${word(each)} { ${inner} }`, 'price'),
      );
      const text = `query ($a: Boolean!, $b: Boolean!, $c: Boolean!, $d: Boolean!) {
        item { id ${selections.join(' ')} } }`;
      const found = demandsOf(parse(text), undefined, schema, (type, field) => demands[`${type}.${field}`]);
      const isAnswered = places.some((conditions) =>
        conditions.every(({ name, isSkip }) => variables[name as 'a'] !== isSkip),
      );
      expect(found(variables).length).toBe(isAnswered ? 1 : 0);
    }),
  );
});
