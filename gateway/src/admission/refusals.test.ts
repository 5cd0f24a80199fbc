import { composeServices } from '@apollo/composition';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { anonymous, type Caller } from '@loyalty/platform/base/caller';
import { readTypeDefs } from '@loyalty/platform/graph/type-defs';
import { createLog } from '@loyalty/platform/observe/log';
import { parse } from 'graphql';
import { createGraph, type Graph } from '../graph.ts';
import { loadSupergraph } from '../supergraph/supergraph.ts';
import { answering } from '../transport/transport.fixture.ts';

const sdl = `
  type Query {
    shelf: [Book!]! @access(scopes: [["books:read"]])
    free: String @access(callers: ["anonymous", "key", "user"])
    vault: String @access(role: "OWNER")
  }
  type Book { id: ID! title: String! next: Book secret: String @access(role: "OWNER") }`;

const asked: string[] = [];
const loyalty = answering(({ query }) => {
  asked.push(query);
  return { data: { shelf: [{ __typename: 'Book', id: '1', title: 'One' }], free: 'free' } };
});

let graph: Graph;
beforeAll(() => {
  const prelude = readTypeDefs('/nonexistent');
  const typeDefs = { ...prelude, definitions: [...prelude.definitions, ...parse(sdl).definitions] };
  const { supergraphSdl } = composeServices([{ name: 'loyalty', url: 'subgraph://loyalty', typeDefs }]);
  const log = createLog({ level: 'silent', name: 'test' });
  graph = createGraph({ supergraph: loadSupergraph(supergraphSdl!), transports: { loyalty }, log });
});

const clerk: Caller = { ...anonymous, kind: 'KEY', workspaceId: 'w', actor: 'key:1', scopes: ['books:read'] };
const run = (query: string, variables = {}) =>
  graph.execute({ query, variables }, { caller: clerk, requestId: 'r-1' });

describe('a refusal', () => {
  test('names the field that was refused, by its path and in its sentence', async () => {
    const { errors } = await run('{ first: shelf { title next { hidden: secret } } }');
    expect(errors).toEqual([
      {
        message: 'This needs a signed-in user with the role owner. The field refused is first.next.hidden.',
        path: ['first', 'next', 'hidden'],
        extensions: { code: 'FORBIDDEN', reason: 'ROLE_REQUIRED', values: { role: 'OWNER' } },
      },
    ]);
  });

  test('of a field that is nullable is an error all the same, and nothing else is answered', async () => {
    const { data, errors } = await run('{ free shelf { title secret } }');
    expect(data ?? null).toBeNull();
    expect(errors).toMatchObject([{ path: ['shelf', 'secret'] }]);
  });
});

describe('what a condition leaves out asks for nothing', () => {
  const reasonOf = async (query: string, variables = {}) =>
    (await run(query, variables)).errors?.[0]?.extensions?.['reason'] ?? null;

  test.each([
    [
      '@include of false',
      'query ($x: Boolean!) { shelf { title secret @include(if: $x) } }',
      { x: false },
      null,
    ],
    [
      '@include of true',
      'query ($x: Boolean!) { shelf { title secret @include(if: $x) } }',
      { x: true },
      'ROLE_REQUIRED',
    ],
    ['@skip of true', 'query ($x: Boolean!) { shelf { title secret @skip(if: $x) } }', { x: true }, null],
    [
      '@skip of false',
      'query ($x: Boolean!) { shelf { title secret @skip(if: $x) } }',
      { x: false },
      'ROLE_REQUIRED',
    ],
    [
      'a default that leaves out',
      'query ($x: Boolean = false) { shelf { title secret @include(if: $x) } }',
      {},
      null,
    ],
    [
      'a default that does not',
      'query ($x: Boolean = true) { shelf { title secret @include(if: $x) } }',
      {},
      'ROLE_REQUIRED',
    ],
    [
      'a default that null replaces',
      'query ($x: Boolean = true) { shelf { title secret @skip(if: $x) } }',
      { x: null },
      'ROLE_REQUIRED',
    ],
    ['a constant', '{ shelf { title secret @include(if: false) } }', {}, null],
    ['a root field', 'query ($x: Boolean!) { shelf { title } vault @include(if: $x) }', { x: false }, null],
    [
      'a fragment',
      'query ($x: Boolean!) { shelf { title ...F @include(if: $x) } } fragment F on Book { secret }',
      { x: false },
      null,
    ],
    [
      'a fragment that is spread again',
      'query ($x: Boolean!) { shelf { ...F @include(if: $x) ...F } } fragment F on Book { secret }',
      { x: false },
      'ROLE_REQUIRED',
    ],
    [
      'both of two',
      'query ($x: Boolean!, $y: Boolean!) { shelf { title ... @include(if: $x) { secret @skip(if: $y) } } }',
      { x: true, y: true },
      null,
    ],
    [
      'neither of two',
      'query ($x: Boolean!, $y: Boolean!) { shelf { title ... @include(if: $x) { secret @skip(if: $y) } } }',
      { x: true, y: false },
      'ROLE_REQUIRED',
    ],
    [
      'introspection',
      'query ($x: Boolean!) { free __schema @include(if: $x) { queryType { name } } }',
      { x: false },
      null,
    ],
    [
      'introspection that is asked for',
      'query ($x: Boolean!) { free __schema @include(if: $x) { queryType { name } } }',
      { x: true },
      'SCOPE_MISSING',
    ],
  ])('%s', async (_, query, variables, expected) => {
    asked.length = 0;
    expect(await reasonOf(query, variables)).toBe(expected);
    // Each variant is asked separately: the demands of one variant are not cached for another.
    expect(asked.length > 0).toBe(expected === null);
  });

  test('whatever the number of conditions', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const query = `query (${names.map((name) => `$${name}: Boolean!`)}) {
      shelf { title ${names.map((name) => `${name}: secret @include(if: $${name})`).join(' ')} } }`;
    const none = Object.fromEntries(names.map((name) => [name, false]));
    expect(await reasonOf(query, none)).toBeNull();
    for (const name of names) {
      const { errors } = await run(query, { ...none, [name]: true });
      expect(errors).toMatchObject([{ path: ['shelf', name], extensions: { reason: 'ROLE_REQUIRED' } }]);
    }
  });

  test('also where an open socket is judged again', () => {
    const query = 'query ($x: Boolean!) { shelf { title secret @include(if: $x) } }';
    expect(graph.refused({ query, variables: { x: false } }, clerk)).toBeNull();
    expect(graph.refused({ query, variables: { x: true } }, clerk)).toMatchObject({ code: 'ROLE_REQUIRED' });
  });
});
