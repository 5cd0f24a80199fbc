import { expect, test } from '@jest/globals';
import { committedSupergraph, loadSupergraph, type Supergraph } from '@loyalty/gateway/supergraph/supergraph';
import { printSchema } from 'graphql';
import { createStack, type Stack, useStack } from './harness/stack.ts';
import { connect } from './mcp/mcp.fixture.ts';

/*
 * A process makes the graph, the documents and the tools only once, because they depend on committed files
 * alone. The two products here run in one process and differ in everything that settings and databases
 * decide.
 */
const [here, there] = ['https://here.example.com', 'https://there.example.com'];
const stack = useStack({ settings: { PUBLIC_URL: here } });
let other: Stack;

/** The OpenAPI document of a product, over REST and as a resource of MCP. */
async function documentsOf({ url }: Stack, key: string) {
  const client = await connect({ url }, key);
  const { contents } = await client.readResource({ uri: 'loyalty://openapi/v2' });
  await client.close();
  const [{ text }] = contents as unknown as [{ text: string }];
  return [await (await fetch(`${url}/openapi/v2.json`)).text(), text];
}

test('two products of one process share no address, no credential and no row', async () => {
  other = await createStack(undefined, { PUBLIC_URL: there });
  stack.beforeClose(() => other.close());
  const keyHere = (await stack.key((await stack.signUp()).token)).secret;
  const keyThere = (await other.key((await other.signUp()).token)).secret;
  for (const [served, key, own, foreign] of [
    [stack, keyHere, here, there],
    [other, keyThere, there, here],
  ] as const) {
    for (const document of await documentsOf(served, key))
      expect([document.includes(`${own}/docs`), document.includes(foreign)]).toEqual([true, false]);
  }
  const body = { email: 'ada@example.com', name: 'Ada' };
  expect((await stack.rest('POST', '/api/v2/members', { as: keyHere, body })).status).toBe(201);
  const read = async (served: Stack, as: string) => served.rest('GET', '/api/v2/members', { as });
  expect((await read(stack, keyHere)).body.total).toBe(1);
  expect((await read(other, keyThere)).body.total).toBe(0);
  expect([(await read(other, keyHere)).status, (await read(stack, keyThere)).status]).toEqual([401, 401]);
});

test('serving changes nothing of the graph that they share', async () => {
  const { token } = await stack.signUp();
  const asked = await stack.graph(
    '{ __schema { types { name fields { name } } } viewer { kind } }',
    {},
    token,
  );
  expect(asked.errors).toBeUndefined();
  const shared = committedSupergraph();
  const fresh = loadSupergraph(shared.sdl, { isValid: true });
  const partsOf = ({ schema, fullSchema, access, plannedFields, chainedFields }: Supergraph) => ({
    schema: printSchema(schema),
    fullSchema: printSchema(fullSchema),
    access: [...access],
    plannedFields: [...plannedFields],
    chainedFields: [...chainedFields],
  });
  expect(partsOf(shared)).toEqual(partsOf(fresh));
});
