import { beforeAll, expect, test } from '@jest/globals';
import { composeGateway } from '@loyalty/cli/serve/compose-process';
import { localTransports } from '@loyalty/cli/subgraphs';
import { systemClock } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { createLog } from '@loyalty/platform/observe/log';
import { enrol } from '../contract/members/members.fixture.ts';
import { type Client, clientOf } from '../harness/client.ts';
import { useStack } from '../harness/stack.ts';

const stack = useStack();
/** The log lines above the level info. */
const lines: Record<string, unknown>[] = [];
let client: Client;
let key: string;
let member: string;

beforeAll(async () => {
  const write = (line: string) => void lines.push(JSON.parse(line));
  const log = createLog({ level: 'warn', name: 'test', destination: { write } });
  const services = { ...stack.services, log };
  const gateway = await composeGateway(services, localTransports(services));
  stack.beforeClose(() => gateway.close());
  client = clientOf(await gateway.app.listen({ port: 0, host: '127.0.0.1' }));
  const { token } = await stack.signUp();
  await stack.enable(token, 'custom_objects');
  key = (await stack.key(token)).secret;
  member = (await enrol(stack, key)).id;
});

const unknown = newId(systemClock);
const award = (name: string, id: string, amount = 1) =>
  `${name}: awardPoints(memberId: "${id}", input: { amount: ${amount} }) { id member { name tier { name } } }`;

test('what a client does wrong is no line above info, over REST', async () => {
  for (const [method, path, body] of [
    ['GET', `/api/v2/members/${unknown}`],
    ['GET', '/api/v2/members/none'],
    ['GET', '/api/v2/members?limit=-1'],
    ['GET', '/api/v2/members?nothing=1'],
    ['GET', '/api/v2/segments'],
    ['GET', '/api/v2/nothing'],
    ['GET', '/api/v2/%zz'],
    ['PUT', '/api/v2/members'],
    ['POST', '/api/v2/members', { email: 'no address' }],
    ['POST', '/api/v2/members', 'text'],
    ['POST', `/api/v2/members/${unknown}/points`, { amount: 1 }],
    ['POST', `/api/v2/members/${member}/points`, { amount: 0 }],
    ['POST', '/api/v2/orders', { externalOrderId: '1', currency: 'EURO', total: 1 }],
    ['POST', '/api/v2/orders/none/refund', {}],
    ['POST', '/api/v2/auth/login', { email: 'nobody@example.com', password: 'wrong' }],
    ['POST', '/api/mcp', { jsonrpc: '2.0', id: 1, method: 'nothing' }],
    ['POST', '/api/mcp', 'text'],
  ] as const) {
    const { status } = await client.rest(method, path, { as: key, ...(body !== undefined && { body }) });
    expect([method, path, status, lines]).toEqual([method, path, status, []]);
    if (path !== '/api/mcp') expect([path, Math.floor(status / 100)]).toEqual([path, 4]);
  }
});

test.each<[what: string, document: string]>([
  ['no GraphQL', '{'],
  ['an unknown field', '{ nothing }'],
  ['a refused field', '{ segments { totalCount } }'],
  ['a wrong argument', '{ members(first: -1) { nodes { id } } }'],
  [
    'several wrong arguments',
    '{ a: members(first: -1) { nodes { id } } b: orders(first: -1) { nodes { id } } }',
  ],
  [
    'unknown types',
    '{ a: objectRecords(type: "x") { totalCount } b: objectRecords(type: "y") { totalCount } }',
  ],
  ['several mutations of unknown ids', `mutation { ${award('a', unknown)} ${award('b', unknown)} }`],
  ['several wrong mutations', `mutation { ${award('a', unknown, 0)} ${award('b', unknown, 0)} }`],
])('what a client does wrong is no line above info, in the graph: %s', async (_, document) => {
  const { errors } = await client.graph(document, {}, key);
  expect(lines).toEqual([]);
  expect(errors).not.toHaveLength(0);
  for (const { extensions } of errors!) expect(extensions['code']).not.toBe('INTERNAL_SERVER_ERROR');
});

test('a mutation that was done before one that is refused is no fault of a subgraph', async () => {
  const document = `mutation { ${award('good', member)} ${award('bad', unknown)} ${award('worse', unknown)} }`;
  const { errors, data } = await client.graph(document, {}, key);
  expect(data).toBeNull();
  expect(errors!.map(({ path, extensions }) => [path, extensions['code']])).toEqual([[['bad'], 'NOT_FOUND']]);
  expect(lines).toEqual([]);
});
