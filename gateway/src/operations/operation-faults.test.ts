import { composeServices } from '@apollo/composition';
import { beforeEach, expect, test } from '@jest/globals';
import { anonymous, type Caller, systemCaller } from '@loyalty/platform/base/caller';
import { readTypeDefs } from '@loyalty/platform/graph/type-defs';
import type { Log } from '@loyalty/platform/observe/log';
import { parse } from 'graphql';
import { createGraph } from '../graph.ts';
import { loadSupergraph } from '../supergraph/supergraph.ts';
import { answering } from '../transport/transport.fixture.ts';
import type { Transport } from '../transport/transport.ts';
import type { Operation } from './operations.ts';

const sdl = `
  type Query {
    shelf(filter: Filter): Shelf @access
    note(text: String, value: JSON, color: Color): String @access(callers: ["anonymous", "user"])
    crash: String @access
  }
  type Subscription { noted: String @access  shelved: Shelf @access }
  input Filter { title: String  color: Color  and: [Filter!] }
  enum Color { RED BLUE }
  type Shelf { title: String }`;

const prelude = readTypeDefs('/nonexistent');
const { supergraphSdl, errors: composing } = composeServices([
  {
    name: 'loyalty',
    url: 'subgraph://loyalty',
    typeDefs: { ...prelude, definitions: [...prelude.definitions, ...parse(sdl).definitions] },
  },
]);
if (!supergraphSdl) throw composing![0];
const supergraph = loadSupergraph(supergraphSdl);

const user: Caller = {
  ...systemCaller('test', { workspaceId: 'w', mode: 'LIVE' }),
  kind: 'USER',
  role: 'OWNER',
  actor: 'user:1',
};

const asked: string[] = [];
const logged: unknown[] = [];
beforeEach(() => {
  asked.length = 0;
  logged.length = 0;
});
const loyalty = answering(({ query }) => {
  asked.push(query);
  if (query.includes('crash')) throw new Error('the transport itself is broken');
  return { data: { shelf: { title: 'One' }, note: 'kept' } };
});
const log = { error: (fields: object) => void logged.push(fields) } as unknown as Log;
const graphOver = (transports: Record<string, Transport>) => createGraph({ supergraph, transports, log });
const graph = graphOver({ loyalty });

const requestId = 'r-1';
const run = (operation: Operation, caller = user) => graph.execute(operation, { caller, requestId });
const reasonOf = async (query: string, variables: Record<string, unknown> = {}, caller = user) => {
  const { data, errors } = await run({ query, variables }, caller);
  expect(data).toBeUndefined();
  expect(asked).toEqual([]);
  const { code, reason, field } = errors![0]!.extensions!;
  expect(code).toBe('BAD_USER_INPUT');
  return { reason, field, message: errors![0]!.message };
};

test.each([
  ['alone', '{ __type(name: "Filter") { isOneOf } }', {}],
  ['beside data', '{ shelf { title } __type(name: "Filter") { isOneOf } }', { shelf: { title: 'One' } }],
  [
    'in a fragment beside data',
    '{ ...A } fragment A on Query { shelf { title } ...B } fragment B on Query { __type(name: "Filter") { ...C } } fragment C on __Type { isOneOf }',
    { shelf: { title: 'One' } },
  ],
  [
    'in one of two operations',
    'query A { __type(name: "Filter") { isOneOf } } query B { shelf { title } }',
    {},
  ],
  [
    'under a condition that holds',
    'query A($yes: Boolean = true) { shelf { title } ... @include(if: $yes) { __type(name: "Filter") { isOneOf } } }',
    { shelf: { title: 'One' } },
  ],
])('the newest fields of introspection are answered %s', async (_, query, data) => {
  const operationName = query.includes('query A') ? 'A' : undefined;
  const answer = await run({ query, operationName });
  expect(answer.errors).toBeUndefined();
  expect(answer.data).toEqual({ ...data, __type: { isOneOf: false } });
  expect(asked).toHaveLength('shelf' in data ? 1 : 0);
});

test.each([
  'subscription ($s: Boolean!) { noted @skip(if: $s) }',
  'subscription ($s: Boolean!) { noted @include(if: $s) }',
  'subscription { noted @skip(if: true) }',
  'subscription { ... @include(if: false) { noted } }',
  'subscription ($s: Boolean!) { ...F @skip(if: $s) } fragment F on Subscription { noted }',
  'subscription ($s: Boolean!) { ...F } fragment F on Subscription { ... { noted @skip(if: $s) } }',
])('a condition at the root of a subscription is refused with its place: %s', async (query) => {
  const operation = { query, variables: { s: false } };
  const refused = await graph.subscribe(operation, { caller: user, requestId });
  expect(refused).toMatchObject({
    errors: [
      {
        message: 'A subscription must not have @skip or @include on its root field.',
        locations: [{ line: 1 }],
        extensions: { code: 'BAD_USER_INPUT', reason: 'OPERATION_INVALID' },
      },
    ],
  });
});

test('below the root a subscription may have conditions, and it still needs one root field', async () => {
  const below = 'subscription ($s: Boolean!) { shelved { title @skip(if: $s) } }';
  await graph.subscribe({ query: below, variables: { s: true } }, { caller: user, requestId });
  expect(asked).toHaveLength(1);
  asked.length = 0;
  expect(await reasonOf('subscription { noted shelved { title } }')).toMatchObject({
    reason: 'OPERATION_INVALID',
  });
});

const nested = (levels: number): unknown =>
  JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as unknown;

test.each([
  ['value', nested(34), 'value must be at most 32 levels deep.'],
  ['value', nested(3_000), 'value must be at most 32 levels deep.'],
  [
    'value',
    JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`),
    'value must be at most 32 levels deep.',
  ],
  [
    'value.rows[1].name',
    { rows: [{}, { name: 'a\ud800' }] },
    'value.rows[1].name must not contain half of a surrogate pair; send whole characters.',
  ],
  ['value', { '\udc00': 1 }, 'value must not contain half of a surrogate pair; send whole characters.'],
  ['value', 'a\0b', 'value must not contain the character U+0000.'],
])(
  'a variable that nobody can store is refused by the name of its place, case %#: %s',
  async (field, value, message) => {
    const query = 'query ($value: JSON) { note(value: $value) }';
    expect(await reasonOf(query, { value })).toEqual({ reason: 'VALIDATION_FAILED', field, message });
    const refused = await graph.subscribe(
      {
        query: 'subscription ($value: Boolean) { shelved { title @skip(if: $value) } }',
        variables: { value } as never,
      },
      { caller: user, requestId },
    );
    expect(refused).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
  },
);

test('so is text written into the document', async () => {
  expect(await reasonOf('{ note(text: "a\\u0000b") }')).toMatchObject({
    reason: 'OPERATION_INVALID',
    message: 'text must not contain the character U+0000.',
  });
  expect(await reasonOf('{ shelf(filter: { and: [{ title: "\\u0000" }] }) { title } }')).toMatchObject({
    message: 'title must not contain the character U+0000.',
  });
  expect(await reasonOf('{ note(text: "\\ud800") }')).toMatchObject({ reason: 'PARSE_FAILED' });
});

test('what can be stored passes: 32 levels, every character and empty containers', async () => {
  const value = { deep: nested(31), text: 'é 😀 \u{10ffff} \u0001', empty: [{}, []] };
  const { errors } = await run({
    query: 'query ($value: JSON) { note(value: $value) }',
    variables: { value },
  });
  expect(errors).toBeUndefined();
});

test.each([
  ['{ shelff { title } }', 'Did you mean "shelf"'],
  ['{ shelf { titel } }', 'Shelf'],
  ['{ shelf(filtre: 1) { title } }', 'filter'],
  ['{ shelf { title } } fragment F on Bok { a }', 'Bok'],
  ['query ($f: Filtr) { shelf(filter: $f) { title } }', 'Filter'],
])('only callers with a credential see what is wrong in %s', async (query, hint) => {
  expect((await reasonOf(query)).message).toContain(hint);
  const { errors } = await run({ query }, anonymous);
  expect(errors).toEqual([
    {
      message: 'The operation does not fit the schema. Send a credential to see where.',
      extensions: { code: 'BAD_USER_INPUT', reason: 'OPERATION_INVALID' },
    },
  ]);
  const streamed = await graph.subscribe({ query }, { caller: anonymous, requestId });
  expect(streamed).toEqual({ errors });
});

test('only callers with a credential see suggestions of values; everybody sees what is written wrongly', async () => {
  const query = 'query ($color: Color) { note(color: $color) }';
  const known = await reasonOf(query, { color: 'RAD' });
  expect(known.message).toMatch(/does not exist in "Color" enum\. Did you mean the enum value "RED"\?$/);
  const { message } = await reasonOf(query, { color: 'RAD' }, anonymous);
  expect(message).toMatch(/does not exist in "Color" enum\.$/);
  expect(await reasonOf('{ note(text: "a" }', {}, anonymous)).toMatchObject({
    reason: 'PARSE_FAILED',
    message: expect.stringMatching(/^Syntax Error/),
  });
});

test("an operation that cannot be planned is the request's fault, and its cause is in the log", async () => {
  const broken = graphOver({});
  const { data, errors } = await broken.execute(
    { query: '{ shelf { title } }' },
    { caller: user, requestId },
  );
  expect(data).toBeUndefined();
  expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', reason: 'OPERATION_UNSUPPORTED' } }]);
  expect(logged).toMatchObject([{ requestId, err: expect.any(Error) }]);
});

test('a fault of ours while it runs stays a fault of ours', async () => {
  const { errors } = await run({ query: '{ crash }' });
  const extensions = { code: 'INTERNAL_SERVER_ERROR', reason: 'SUBGRAPH_ANSWER_INVALID' };
  expect(errors).toMatchObject([{ extensions }]);
  expect(logged).toMatchObject([{ requestId, err: expect.any(Error) }]);
});
