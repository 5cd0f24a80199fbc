import { Writable } from 'node:stream';
import { composeServices } from '@apollo/composition';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { anonymous } from '@loyalty/platform/base/caller';
import { createLog } from '@loyalty/platform/observe/log';
import { parse } from 'graphql';
import { createGraph } from '../../graph.ts';
import { loadSupergraph } from '../../supergraph/supergraph.ts';
import { answering } from '../../transport/transport.fixture.ts';

const header = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])';
const { supergraphSdl } = composeServices(
  Object.entries({
    books: `type Query { mine: Shelf } type Shelf { label: String books: [Book!] }
      type Book @key(fields: "id") { id: ID! title: String }`,
    prices: 'type Query { rate: Int } type Book @key(fields: "id") { id: ID! price: Int }',
    stock: 'type Book @key(fields: "id") { id: ID! stock: Int }',
  }).map(([name, text]) => ({ name, url: name, typeDefs: parse(header + text) })),
);

/** The answer of the subgraph of prices for two books. */
let prices: unknown;
let lines: Record<string, unknown>[];
beforeEach(() => {
  lines = [];
});

const book = (id: string) => ({ __typename: 'Book', id, title: `T${id}` });
const always = (answer: unknown) => answering(async () => structuredClone(answer) as never);
const destination = new Writable({
  write(line: Buffer, _, done) {
    lines.push(JSON.parse(line.toString()) as Record<string, unknown>);
    done();
  },
});
const parts = {
  supergraph: loadSupergraph(supergraphSdl!),
  transports: {
    books: always({ data: { mine: { label: 'L', books: [book('1'), book('2')] } } }),
    prices: answering(async () => JSON.parse(JSON.stringify(prices))),
    stock: always({ data: { _entities: [{ stock: 1 }, { stock: 2 }] } }),
  },
  log: createLog({ level: 'info', name: 'test', destination }),
};
const graphs = { ours: createGraph(parts), open: createGraph({ ...parts, isOpen: true }) };

async function ask(answer: unknown, query = '{ mine { label books { title price stock } } }') {
  prices = answer;
  const from = { caller: anonymous, requestId: 'asked' };
  return JSON.parse(JSON.stringify(await graphs.open.execute({ query }, from)));
}

const healthy = (...costs: unknown[]) => ({
  mine: {
    label: 'L',
    books: costs.map((price, index) => ({ title: `T${index + 1}`, price, stock: index + 1 })),
  },
});
const priced = [{ price: 5 }, { price: 6 }];
const undescribed = {
  message: 'The subgraph prices answered with errors it did not describe.',
  path: ['mine', 'books'],
  extensions: { code: 'INTERNAL_SERVER_ERROR', reason: 'SUBGRAPH_ERRORS_UNDESCRIBED' },
};
const unreadable = {
  message: 'The subgraph prices answered with something else than it was asked.',
  path: ['mine', 'books'],
  extensions: { code: 'INTERNAL_SERVER_ERROR', reason: 'SUBGRAPH_ANSWER_INVALID' },
};
const kept = (message: string, ...path: unknown[]) => ({
  message,
  path,
  extensions: { code: 'DOWNSTREAM_SERVICE_ERROR' },
});

describe('what a subgraph sends in place of errors costs nobody else anything', () => {
  test.each<[unknown]>([
    [[null]],
    [{}],
    [5],
    ['text'],
    [true],
    [[{}]],
    [[1, 'x']],
    [[{ message: 7 }]],
    [[{ message: null, path: ['_entities', 0] }]],
    [[{ message: '' }]],
    [[[{ message: 'inner' }]]],
    [{ message: 'no list' }],
  ])('errors %j become one that says so, at the path of the fetch', async (errors) => {
    const whole = await ask({ data: { _entities: priced }, errors });
    expect(whole).toEqual({ data: healthy(5, 6), errors: [undescribed] });
    const lost = await ask({ data: null, errors });
    expect(lost).toEqual({ data: healthy(null, null), errors: [undescribed] });
    expect(await ask({ errors })).toEqual(lost);
  });

  test.each<[string, unknown]>([
    ['nulls', Array(5_000).fill(null)],
    ['characters', 'x'.repeat(5_000)],
  ])('five thousand %s are one error, too', async (_, errors) => {
    const answer = await ask({ data: { _entities: priced }, errors });
    expect(answer).toEqual({ data: healthy(5, 6), errors: [undescribed] });
  });

  test.each<[unknown]>([[null], [[]]])('errors %j are none', async (errors) => {
    expect(await ask({ data: { _entities: priced }, errors })).toEqual({ data: healthy(5, 6) });
    expect(await ask({ data: null, errors })).toEqual({ data: healthy(null, null), errors: [unreadable] });
  });

  test('errors among others are read', async () => {
    const errors = [null, { message: 'No.', path: ['_entities', 1, 'price'] }, 5];
    const answer = await ask({ data: { _entities: [{ price: 5 }, { price: null }] }, errors });
    expect(answer).toEqual({
      data: healthy(5, null),
      errors: [kept('No.', 'mine', 'books', 1, 'price'), undescribed],
    });
  });

  test('behind a gateway that words errors itself, it is said and logged', async () => {
    prices = { data: { _entities: priced }, errors: 'text' };
    const from = { caller: anonymous, requestId: 'asked' };
    const query = '{ mine { books { price } } }';
    const { errors } = await graphs.ours.execute({ query }, from);
    expect(errors).toEqual([undescribed]);
    expect(lines).toMatchObject([{ requestId: 'asked', faults: [{ path: 'mine.books' }] }]);
  });
});

describe('an error is kept where it points to nothing that was asked for', () => {
  test.each<[unknown]>([
    [['_entities', 2, 'price']],
    [['_entities', -1]],
    [['_entities', 0.5]],
    [['_entities', '0', 'price']],
    [['_entities']],
    [['_service', 'sdl']],
    [['mine', 'books', 0]],
    ['_entities.0.price'],
    [[]],
    [[null]],
    [[{}]],
    [5],
    [{ 0: '_entities' }],
  ])('path %j: at the path of the fetch', async (path) => {
    const answer = await ask({ data: { _entities: priced }, errors: [{ message: 'No.', path }] });
    expect(answer).toEqual({ data: healthy(5, 6), errors: [kept('No.', 'mine', 'books')] });
  });

  test('of a root: nowhere', async () => {
    const answer = await ask(
      { data: { rate: 5 }, errors: [{ message: 'No.', path: ['other', 1] }] },
      '{ rate }',
    );
    const { path: _, ...nowhere } = kept('No.');
    expect(answer).toEqual({ data: { rate: 5 }, errors: [nowhere] });
  });
});

test.each([100, 101, 5_000])(
  'of %i errors at most 100 are passed on, and that there are more',
  async (count) => {
    const errors = Array.from({ length: count }, (_, n) => ({ message: `No ${n}.`, path: ['_entities', 0] }));
    const answer = await ask({ data: { _entities: priced }, errors });
    expect(answer.errors).toHaveLength(100);
    expect(answer.errors[98].message).toBe('No 98.');
    const last = 'The subgraph prices answered with more than 100 errors.';
    expect(answer.errors[99].message).toBe(count === 100 ? 'No 99.' : last);
    const mixed = await ask({ data: { _entities: priced }, errors: [...errors.slice(0, 100), null] });
    expect(mixed.errors).toHaveLength(100);
    expect(mixed.errors[99]).toEqual(undescribed);
  },
);

test.each<[unknown, unknown]>([
  ['text', {}],
  [['list'], {}],
  [{ http: { status: 999, headers: 5 }, hint: 'h' }, { hint: 'h' }],
  [{ code: 'OWN', http: { status: 200 } }, { code: 'OWN' }],
])('extensions %j say nothing of our own answer', async (extensions, shown) => {
  const { errors } = await ask({ data: { _entities: priced }, errors: [{ message: 'No.', extensions }] });
  expect(errors).toEqual([
    { message: 'No.', extensions: { code: 'DOWNSTREAM_SERVICE_ERROR', ...(shown as object) } },
  ]);
  const raw = await graphs.open.answer(
    { query: '{ mine { books { price } } }' },
    { caller: anonymous, requestId: 'r' },
  );
  expect(raw.errors?.[0]?.extensions ?? {}).not.toHaveProperty('http');
});

describe('data that do not fit the request are an error, and siblings stay', () => {
  test.each<[string, unknown]>([
    ['a number', 5],
    ['a text', 'data'],
    ['a list', [1]],
    ['a list of what might be entities', [{ price: 5 }, { price: 6 }]],
    ['no entities', {}],
    ['entities that are no list', { _entities: { 0: { price: 1 } } }],
    ['numbers for entities', { _entities: [5, 6] }],
    ['lists for entities', { _entities: [[{ price: 5 }], []] }],
    [
      'entities of another type',
      {
        _entities: [
          { __typename: 'Shelf', price: 5 },
          { __typename: 'Ghost', price: 6 },
        ],
      },
    ],
    [
      'a type that is no name',
      {
        _entities: [
          { __typename: 5, price: 5 },
          { __typename: {}, price: 6 },
        ],
      },
    ],
  ])('%s', async (_, data) => {
    expect(await ask({ data })).toEqual({ data: healthy(null, null), errors: [unreadable] });
  });

  test('one entity that is none does not cost the others', async () => {
    const answer = await ask({ data: { _entities: ['x', { __typename: 'Book', price: 6 }] } });
    expect(answer).toEqual({ data: healthy(null, 6), errors: [unreadable] });
  });
});
