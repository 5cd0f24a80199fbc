import { beforeAll, expect, test } from '@jest/globals';
import { composeGateway } from '@loyalty/cli/serve/compose-process';
import { localTransports } from '@loyalty/cli/subgraphs';
import { createLog } from '@loyalty/platform/observe/log';
import { type Client, clientOf } from '../harness/client.ts';
import { eventually } from '../harness/eventually.ts';
import { useStack } from '../harness/stack.ts';

const stack = useStack();
const lines: Record<string, unknown>[] = [];
let client: Client;

beforeAll(async () => {
  const write = (line: string) => void lines.push(JSON.parse(line));
  const log = createLog({ level: 'info', name: 'test', destination: { write } });
  const config = { ...stack.services.config, ACCESS_LOG: true };
  const services = { ...stack.services, config, log };
  const gateway = await composeGateway(services, localTransports(services));
  stack.beforeClose(() => gateway.close());
  client = clientOf(await gateway.app.listen({ port: 0, host: '127.0.0.1' }));
});

test('with ACCESS_LOG each request is one line with its route, status and key, and nothing personal', async () => {
  const { token, workspaceId } = await stack.signUp();
  const { id, secret } = await stack.key(token);
  const body = { email: 'bo.personal@example.com', fullName: 'Bo Personalname' };
  const headers = { 'x-request-id': 'the-write' };
  const member = await client.rest('POST', '/api/v2/members', { as: secret, body, headers });
  await client.rest('GET', `/api/v2/members/${member.body.id}?expand=QUERYTEXT`, { as: secret });
  await client.rest('GET', '/api/v2/stores', { headers: { 'x-request-id': 'the-stranger' } });
  const logged = await eventually(() => {
    const found = lines.filter(({ msg, route }) => msg === 'request' && String(route).startsWith('/api/'));
    expect(found).toHaveLength(3);
    return found;
  });
  const byRoute = new Map(logged.map((line) => [line['route'], line]));
  expect(byRoute.get('/api/v2/members')).toMatchObject({
    method: 'POST',
    status: 201,
    durationMs: expect.any(Number),
    requestId: 'the-write',
    workspaceId,
    actor: `key:${id}`,
  });
  expect(byRoute.get('/api/v2/members/:id')).toMatchObject({ method: 'GET' });
  expect(byRoute.get('/api/v2/stores')).toMatchObject({ status: 401, workspaceId: null });
  expect(JSON.stringify(logged)).not.toMatch(/personal|QUERYTEXT|lk_live/i);
  expect(JSON.stringify(logged)).not.toContain(member.body.id);
});
