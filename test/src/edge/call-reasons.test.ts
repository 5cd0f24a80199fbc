import { beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { eventually } from '../harness/eventually.ts';
import { useStack } from '../harness/stack.ts';
import { watch } from '../harness/watch.ts';
import { connect } from '../mcp/mcp.fixture.ts';

const stack = useStack();
let token: string;
let key: { id: string; secret: string };
beforeAll(async () => {
  ({ token } = await stack.signUp());
  key = await stack.key(token, ['members:read', 'members:write']);
});

const LOG = `query ($apiKeyId: ID!) {
  callLog(apiKeyId: $apiKeyId) { nodes { channel operation status reason } }
}`;

interface Logged {
  readonly channel: string;
  readonly operation: string;
  readonly status: number;
  readonly reason: string | null;
}

test('the call log says why a call failed, whatever API was called', async () => {
  const id = newId(systemClock);
  const client = await connect(stack, key.secret);
  stack.beforeClose(() => client.close());
  await client.callTool({ name: 'members_get', arguments: { id } });
  await stack.rest('GET', `/api/v2/members/${id}`, { as: key.secret });
  await stack.rest('GET', '/api/v2/members', { as: key.secret });
  await stack.rest('GET', '/api/v2/orders', { as: key.secret });
  const graph = (query: string) =>
    stack.rest('POST', '/graphql', { as: key.secret, body: { query, operationName: query.split(' ')[1] } });
  await graph(`mutation Tag { tagMember(memberId: "${id}", key: "vip") { id } }`);
  await graph('query Refused { orders { totalCount } }');
  await graph('query Wrong { members { nothing } }');
  await graph('query Fine { members { totalCount } }');
  const socket = await watch(
    stack.url,
    { query: `subscription { memberActivity(memberId: "${id}") { kind } }` },
    key.secret,
  );
  await eventually(async () => {
    const { data } = await stack.graph<{ callLog: { nodes: readonly Logged[] } }>(
      LOG,
      { apiKeyId: key.id },
      token,
    );
    const calls = data.callLog.nodes.map((each) => Object.values(each).join(' '));
    expect(calls).toEqual(
      expect.arrayContaining([
        'MCP MCP members_get 200 MEMBER_NOT_FOUND',
        'REST GET /api/v2/members/:id 404 MEMBER_NOT_FOUND',
        'REST GET /api/v2/members 200 ',
        'REST GET /api/v2/orders 403 SCOPE_MISSING',
        'GRAPHQL Tag 200 MEMBER_NOT_FOUND',
        'GRAPHQL Refused 403 SCOPE_MISSING',
        'GRAPHQL Wrong 400 OPERATION_INVALID',
        'GRAPHQL Fine 200 ',
        'GRAPHQL anonymous operation 404 MEMBER_NOT_FOUND',
      ]),
    );
  });
  await socket.stop();
});
