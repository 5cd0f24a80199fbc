import { expect, test } from '@jest/globals';
import { useStack } from '../harness/stack.ts';

const stack = useStack();

test('operations are counted by name where REST knows them, and otherwise as one', async () => {
  const { token } = await stack.signUp();
  await stack.rest('GET', '/api/v2/members/unknown', { as: token });
  for (const operationName of ['GetMember', 'MadeUpByAClient']) {
    const body = { query: `query ${operationName} { viewer { id } }`, operationName };
    await stack.rest('POST', '/graphql', { as: token, body });
  }
  const { body } = await stack.rest('GET', '/metrics');
  expect(body).toContain('channel="rest",operation="GET /api/v2/members/:id"');
  expect(body).toContain('channel="graphql",operation="GetMember"');
  expect(body).toContain('channel="graphql",operation="other"');
  expect(body).not.toContain('MadeUpByAClient');
});

test('what is refused with 200, as old clients of GraphQL expect, is counted as refused', async () => {
  const { token } = await stack.signUp();
  const body = { query: 'query GetStore { no }', operationName: 'GetStore' };
  const headers = { accept: 'application/json' };
  expect((await stack.rest('POST', '/graphql', { as: token, body, headers })).status).toBe(200);
  const { body: measured } = await stack.rest('GET', '/metrics');
  expect(measured).toMatch(/channel="graphql",operation="GetStore",status="400"/);
});
