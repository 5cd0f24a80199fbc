import { composeServices } from '@apollo/composition';
import { beforeAll, expect, test } from '@jest/globals';
import { anonymous, type Caller, systemCaller } from '@loyalty/platform/base/caller';
import { unavailable } from '@loyalty/platform/base/errors';
import { readTypeDefs } from '@loyalty/platform/graph/type-defs';
import { createLog } from '@loyalty/platform/observe/log';
import { parse } from 'graphql';
import { createGraph, type Graph } from './graph.ts';
import { growth } from './growth.fixture.ts';
import { loadSupergraph } from './supergraph/supergraph.ts';
import { answering } from './transport/transport.fixture.ts';
import { awayResult } from './transport/transport.ts';

const prelude = readTypeDefs('/nonexistent');
const sdl = {
  loyalty: `
    type Query {
      shelf(first: Int): [Book!]! @access(scopes: [["books:read"]])
      free: String @access(callers: ["anonymous", "key", "user"])
      vault: String @access(role: "OWNER")
      spatial: String @access(module: "location")
    }
    type Mutation { shelve(count: PositiveInt!): Int! @access(scopes: [["books:write"]], liveOnly: true) }
    type Book @key(fields: "id") { id: ID! title: String! next: Book secret: String @access(role: "OWNER") }`,
  commerce: `type Query { cheap: Int @access(callers: ["key"]) } type Book @key(fields: "id") { id: ID! price: Int }`,
};

const asked: string[] = [];
let failing: 'none' | 'away' | 'bug' = 'none';

const transports = {
  loyalty: answering(({ query }) => {
    asked.push(query);
    if (query.includes('vault')) return { data: { vault: 'gold' } };
    return {
      data: {
        shelf: [{ __typename: 'Book', id: '1', title: 'One' }],
        free: 'free',
        spatial: 'here',
        shelve: 3,
      },
    };
  }),
  commerce: answering(() => {
    if (failing === 'away') return awayResult('commerce', 'is away');
    if (failing === 'bug')
      return {
        errors: [{ message: 'TypeError: x.y is undefined at /srv/app.ts', extensions: {} } as never],
      };
    return { data: { _entities: [{ price: 12 }] } };
  }),
};

const key = (scopes: string[], more: Partial<Caller> = {}): Caller => ({
  ...systemCaller('test', { workspaceId: 'w', mode: 'LIVE' }),
  kind: 'KEY',
  actor: 'key:1',
  scopes,
  modules: [],
  ...more,
});
const user = (role: 'OWNER' | 'MEMBER'): Caller => ({ ...key(['*']), kind: 'USER', role, actor: 'user:1' });

let graph: Graph;
beforeAll(async () => {
  const services = Object.entries(sdl).map(([name, text]) => ({
    name,
    url: `subgraph://${name}`,
    typeDefs: { ...prelude, definitions: [...prelude.definitions, ...parse(text).definitions] },
  }));
  const { supergraphSdl, errors } = composeServices(services);
  if (!supergraphSdl) throw errors![0];
  graph = createGraph({
    supergraph: loadSupergraph(supergraphSdl),
    transports,
    log: createLog({ level: 'silent', name: 'test' }),
  });
});

const run = (caller: Caller, query: string, variables = {}) =>
  graph.execute({ query, variables }, { caller, requestId: 'r-1' });

test('one query joins two subgraphs, and its answer says what it cost', async () => {
  failing = 'none';
  expect(await run(key(['books:read']), '{ shelf { title price } }')).toEqual({
    data: { shelf: [{ title: 'One', price: 12 }] },
    extensions: { cost: { estimated: 10, limit: 5_000 } },
  });
});

test('each operation of one document is run, and asks for the access, by its name', async () => {
  const query = 'query Open { free } query Closed { vault }';
  const named = (operationName: string, caller: Caller) =>
    graph.execute({ query, operationName }, { caller, requestId: 'r-1' });
  expect(await named('Open', user('MEMBER'))).toMatchObject({ data: { free: 'free' } });
  expect(await named('Closed', user('MEMBER'))).toMatchObject({
    errors: [{ extensions: { reason: 'ROLE_REQUIRED' } }],
  });
  expect((await named('Closed', user('OWNER'))).data).toEqual({ vault: 'gold' });
  expect((await named('Open', user('MEMBER'))).data).toEqual({ free: 'free' });
});

test('a subgraph that is away empties its fields and says so', async () => {
  failing = 'away';
  const { data, errors } = await run(key(['books:read']), '{ shelf { title price } }');
  expect(data).toEqual({ shelf: [{ title: 'One', price: null }] });
  const { category, code } = unavailable('SUBGRAPH_UNAVAILABLE', '');
  expect(errors).toMatchObject([{ extensions: { code: category, reason: code, retryAfterSeconds: 1 } }]);
});

test('an unexpected message of a subgraph is masked', async () => {
  failing = 'bug';
  const { errors } = await run(key(['books:read']), '{ shelf { title price } }');
  expect(JSON.stringify(errors)).not.toContain('TypeError');
  expect(errors).toMatchObject([{ extensions: { code: 'INTERNAL_SERVER_ERROR', reason: 'INTERNAL' } }]);
});

test.each([
  ['a key without the scope', key([]), '{ shelf { title } }', 'FORBIDDEN', 'SCOPE_MISSING'],
  [
    'a fragment that hides the field',
    key([]),
    'query { ...F } fragment F on Query { again: shelf { title } }',
    'FORBIDDEN',
    'SCOPE_MISSING',
  ],
  ['nobody', anonymous, '{ shelf { title } }', 'UNAUTHENTICATED', 'CREDENTIAL_MISSING'],
  ['a role that is too low', user('MEMBER'), '{ vault }', 'FORBIDDEN', 'ROLE_REQUIRED'],
  ['a key where a role is asked', key(['*']), '{ vault }', 'FORBIDDEN', 'ROLE_REQUIRED'],
  [
    'a field of an entity with its own rule',
    key(['books:read']),
    '{ shelf { secret } }',
    'FORBIDDEN',
    'ROLE_REQUIRED',
  ],
  ['a module that is off', key(['*']), '{ spatial }', 'FORBIDDEN', 'MODULE_DISABLED'],
  [
    'a test key at what live shares',
    key(['books:write'], { mode: 'TEST' }),
    'mutation { shelve(count: 1) }',
    'FORBIDDEN',
    'LIVE_ONLY',
  ],
  [
    'introspection without its scope',
    key([]),
    '{ __schema { types { name } } }',
    'FORBIDDEN',
    'SCOPE_MISSING',
  ],
  ['introspection by nobody', anonymous, '{ __type(name: "Book") { name } }', 'FORBIDDEN', 'SCOPE_MISSING'],
])('%s is refused before anything runs', async (_, caller, query, code, reason) => {
  asked.length = 0;
  const { data, errors } = await run(caller, query);
  expect(data ?? null).toBeNull();
  expect(errors).toMatchObject([{ extensions: { code, reason } }]);
  expect(asked).toEqual([]);
});

test('an owner reads what needs an owner', async () => {
  expect(await run(user('OWNER'), '{ vault }')).toMatchObject({ data: { vault: 'gold' } });
});

test('introspection is for users and keys with the scope', async () => {
  for (const caller of [user('MEMBER'), key(['introspection:read'])]) {
    expect((await run(caller, '{ __schema { queryType { name } } }')).errors).toBeUndefined();
  }
});

const deep = (levels: number): string =>
  `{ shelf { title ${'next { title '.repeat(levels)} ${'}'.repeat(levels)} } }`;

test.each([
  ['depth', deep(9)],
  [
    'depth through fragments',
    `{ shelf { ...A } } fragment A on Book { next { next { next { ...B } } } } fragment B on Book { next { next { next { next { next { next { title } } } } } } }`,
  ],
  ['aliases', `{ ${Array.from({ length: 31 }, (_, n) => `a${n}: free`).join(' ')} }`],
  ['root fields', `{ ${Array.from({ length: 21 }, (_, n) => `a${n}: free`).join(' ')} }`],
  ['tokens', `{ free ${'__typename '.repeat(2_000)} }`],
])('an operation over the limit of %s is refused', async (_, query) => {
  asked.length = 0;
  const { errors } = await run(key(['*']), query);
  expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  expect(asked).toEqual([]);
});

test('fragments that spread one another many times are measured without being written out', async () => {
  const spread = (steps: number) => {
    const fragments = Array.from(
      { length: steps },
      (_, n) => `fragment F${n} on Book { ...F${n + 1} ...F${n + 1} }`,
    ).join(' ');
    return run(key(['*']), `{ shelf { ...F0 } } ${fragments} fragment F${steps} on Book { title }`);
  };
  // With fragments expanded, the document would grow 512 times.
  expect(
    await growth(
      () => spread(9),
      () => spread(18),
    ),
  ).toBeLessThan(30);
});

test('a value that its scalar refuses is named before a subgraph is asked', async () => {
  asked.length = 0;
  const { errors } = await run(
    key(['books:write']),
    'mutation ($count: PositiveInt!) { shelve(count: $count) }',
    { count: -4 },
  );
  expect(errors?.[0]?.message).toContain('$count');
  expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  expect(asked).toEqual([]);
});

test.each([
  ['two fields', 'mutation { a: shelve(count: 1) b: shelve(count: 2) }', true],
  [
    'two fields in fragments',
    'mutation { ...A ... { ...A } b: shelve(count: 2) } fragment A on Mutation { shelve(count: 1) }',
    true,
  ],
  ['one field', 'mutation { __typename shelve(count: 1) }', false],
  [
    'one field in a fragment twice',
    'mutation { ...A ...A } fragment A on Mutation { shelve(count: 1) }',
    false,
  ],
])('an Idempotency-Key stands for one mutation: %s', async (_, query, isRefused) => {
  asked.length = 0;
  const from = { caller: key(['books:write']), requestId: 'r-1', idempotencyKey: 'k' };
  const { errors } = await graph.execute({ query }, from);
  if (isRefused) {
    expect(errors).toMatchObject([
      {
        message: 'Idempotency-Key stands for one mutation: send each mutation in a request of its own.',
        extensions: { code: 'BAD_USER_INPUT', reason: 'VALIDATION_FAILED' },
      },
    ]);
  } else expect(errors).toBeUndefined();
  expect(asked).toHaveLength(isRefused ? 0 : 1);
});

test('a query that does not parse or fit is the fault of the request', async () => {
  expect((await run(key(['*']), '{ shelf {')).errors).toMatchObject([
    { extensions: { code: 'BAD_USER_INPUT', reason: 'PARSE_FAILED' } },
  ]);
  expect((await run(key(['*']), '{ nope }')).errors).toMatchObject([
    { extensions: { code: 'BAD_USER_INPUT', reason: 'OPERATION_INVALID' } },
  ]);
});
