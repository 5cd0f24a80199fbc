import { beforeAll, expect, test } from '@jest/globals';
import { renderMetrics } from '@loyalty/platform/observe/metrics';
import { eventually } from '../harness/eventually.ts';
import { useStack } from '../harness/stack.ts';

const stack = useStack();
let token: string;
let key: { id: string; secret: string };
beforeAll(async () => {
  ({ token } = await stack.signUp());
  key = await stack.key(token, ['members:read', 'model:data:read']);
});

const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });

test('an address is counted, recorded and answered as its route, however it is spelled', async () => {
  for (const [path, route] of [
    ['/api/v1/data', '/api/v1/data'],
    ['/api/%76%31/data', '/api/v1/data'],
    ['/%61pi/v1/d%61ta', '/api/v1/data'],
    ['/api/%76%32/members', '/api/v2/members'],
  ] as const) {
    const { status, headers } = await stack.rest('GET', path, { as: key.secret });
    const counted = route.startsWith('/api/v1') ? 'model-requests' : 'requests';
    expect([path, status, headers.get('ratelimit')]).toEqual([
      path,
      200,
      expect.stringContaining(`"${counted}";`),
    ]);
    const anonymous = await stack.rest('GET', path);
    const error = route.startsWith('/api/v1')
      ? { code: expect.any(String), message: expect.any(String) }
      : expect.any(String);
    expect([anonymous.status, anonymous.body]).toEqual([401, { error }]);
  }
  const placed = await stack.rest('GET', '/api/%76%31/data', { headers: { 'x-api-key': key.secret } });
  expect([placed.status, placed.headers.get('x-error-code')]).toEqual([401, 'CREDENTIAL_MISPLACED']);
  const absent = await stack.rest('GET', '/api/%76%31/nothing', { as: key.secret });
  expect([absent.status, absent.body.error.code]).toEqual([404, 'PATH_NOT_FOUND']);
  const unreadable = await stack.rest('GET', '/api/%76%31/%zz', { as: key.secret });
  expect([unreadable.status, unreadable.body.error.code]).toEqual([404, 'PATH_NOT_FOUND']);
  const { body } = await renderMetrics(stack.services.metrics);
  expect(body).toMatch(/channel="rest",operation="GET \/api\/v1\/data",status="200"/);
  expect(body).not.toContain('%');
});

test('GraphQL at another spelling of its address is GraphQL in the call log', async () => {
  const query = '{ viewer { workspace { name } } }';
  const { status } = await stack.rest('POST', '/%67raphql', {
    as: token,
    body: { query, operationName: null },
  });
  expect(status).toBe(200);
  await eventually(async () => {
    const rows = await stack.services.database.sql.query<{ channel: string }>(
      `SELECT channel, operation FROM workspace.call_log WHERE operation LIKE '%graphql%' OR channel = 'GRAPHQL'`,
    );
    expect(rows).toContainEqual(
      expect.objectContaining({ channel: 'GRAPHQL', operation: 'anonymous operation' }),
    );
    expect(rows.filter(({ channel }) => channel === 'REST')).toEqual([]);
  });
});

test('answers of REST may not be cached, and vary by the credential', async () => {
  const vary = 'Authorization, X-API-Key, X-Loyalty-Mode, Cookie, Sec-GPC, Accept';
  for (const [method, path, as, status] of [
    ['GET', '/api/v2/members', key.secret, 200],
    ['GET', '/api/v1/data', key.secret, 200],
    ['GET', '/api/v2/members', undefined, 401],
    ['GET', '/api/v2/orders', key.secret, 403],
    ['GET', '/api/v2/members/none', key.secret, 404],
    ['GET', '/api/v2/nothing', key.secret, 404],
    ['PUT', '/api/v2/members', key.secret, 405],
    ['POST', '/api/v2/auth/login', undefined, 400],
  ] as const) {
    const { status: got, headers } = await stack.rest(method, path, { as: as ?? null });
    expect([path, got, headers.get('cache-control'), headers.get('vary')]).toEqual([
      path,
      status,
      'no-store',
      vary,
    ]);
  }
  const unreadable = await stack.rest('GET', '/api/v2/%zz');
  expect([unreadable.status, unreadable.headers.get('cache-control')]).toEqual([404, 'no-store']);
});

test('public documents may be cached and revalidated', async () => {
  const { headers } = await stack.rest('GET', '/openapi/v2.json');
  expect([headers.get('cache-control'), headers.get('vary')]).toEqual(['no-cache', null]);
  const again = await stack.rest('GET', '/openapi/v2.json', {
    headers: { 'if-none-match': headers.get('etag')! },
  });
  expect(again.status).toBe(304);
});

/** Sends a query as urql does by default: a short query by GET, with these parameters and headers. */
async function asUrql(query: string, headers: Record<string, string>) {
  const url = new URL('/graphql', stack.url);
  url.searchParams.set('operationName', 'Names');
  url.searchParams.set('query', query);
  url.searchParams.set('variables', '{}');
  const accept =
    'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed';
  const response = await fetch(url, { method: 'GET', headers: { accept, ...headers } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test('a query of urql with its default settings is answered to whoever sends a credential in a header', async () => {
  const query = 'query Names { members(first: 1) { nodes { name } __typename } }';
  for (const headers of [bearer(key.secret), { 'x-api-key': key.secret }, bearer(token)]) {
    const { status, body } = await asUrql(query, headers);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ data: { members: { nodes: [], __typename: 'MemberConnection' } } }),
    ]);
  }
  const mutation = await asUrql('mutation Names { logout }', bearer(key.secret));
  expect(mutation.status).toBeGreaterThanOrEqual(400);
});

test('a query by GET that a link could have sent is refused as before', async () => {
  for (const headers of [{}, { cookie: 'a=b' }] as Record<string, string>[]) {
    const { status, body } = await asUrql('query Names { __typename }', headers);
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('REQUEST_INVALID')]);
  }
});

test('introspection of isOneOf is answered, and @skip at the root of a subscription is 400 with a message', async () => {
  for (const [name, isOneOf] of [
    ['Member', null],
    ['CreateMemberInput', false],
  ]) {
    const { status, data } = await stack.graph(`{ __type(name: "${name}") { isOneOf } }`, {}, token);
    expect([status, data]).toEqual([200, { __type: { isOneOf } }]);
  }
  const query = 'subscription ($s: Boolean!) { walletChanged @skip(if: $s) { balance } }';
  const response = await fetch(`${stack.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
      ...bearer(token),
    },
    body: JSON.stringify({ query, variables: { s: true } }),
  });
  expect([response.status, await response.json()]).toEqual([
    400,
    { errors: [expect.objectContaining({ message: expect.stringContaining('@skip or @include') })] },
  ]);
});

const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
const half = 'must not contain half of a surrogate pair; send whole characters.';

test('nested values and halves of characters are 400 that names the field over REST', async () => {
  const { secret } = await stack.key(token, [
    'members:write',
    'members:read',
    'imports:write',
    'orders:write',
  ]);
  const rest = async (path: string, text: string) => {
    const { status, body } = await stack.rest('POST', path, { as: secret, body: text });
    return [status, body.error];
  };
  expect(await rest('/api/v2/members', `{"email":"a@b.example","customAttributes":${deep}}`)).toEqual([
    400,
    'customAttributes must be at most 32 levels deep.',
  ]);
  expect(await rest('/api/v2/members', '{"email":"a@b.example","fullName":"Ann \\ud800"}')).toEqual([
    400,
    `fullName ${half}`,
  ]);
  expect(
    await rest('/api/v2/members/import', '{"format":"csv","content":"email,name\\na@b.example,\\ud800"}'),
  ).toEqual([400, `content ${half}`]);
});

test('nested values and halves of characters in variables of the graph are 400, too', async () => {
  const { secret } = await stack.key(token, ['members:write', 'members:read']);
  const mutation = 'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }';
  const graph = async (input: string) => {
    const response = await fetch(`${stack.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json',
        ...bearer(secret),
      },
      body: `{"query":${JSON.stringify(mutation)},"variables":{"input":${input}}}`,
    });
    const { errors } = (await response.json()) as {
      errors: { message: string; extensions: { field: string } }[];
    };
    return [response.status, errors[0]!.message, errors[0]!.extensions.field];
  };
  expect(await graph(`{"email":"a@b.example","customAttributes":${deep}}`)).toEqual([
    400,
    'input must be at most 32 levels deep.',
    'input',
  ]);
  expect(await graph('{"email":"a@b.example","fullName":"\\udc00"}')).toEqual([
    400,
    `input.fullName ${half}`,
    'input.fullName',
  ]);
  expect((await stack.rest('GET', '/api/v2/members', { as: secret })).body.data ?? []).toEqual([]);
});
