import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { type Asked, accessesIn, appOver, schemaOf } from '../adapter.fixture.ts';
import { faults, operationsOf, schemasOf, structureFaults } from '../openapi/openapi.fixture.ts';
import { openApi } from '../openapi/openapi.ts';
import { GET, POST, type Row } from './row.ts';

const schema = schemaOf(/* GraphQL */ `
  directive @access(scopes: [[String!]!], callers: [String!]) on FIELD_DEFINITION
  scalar FileText
  type Query {
    jobs(limit: Int): [Job!]! @access(scopes: [["jobs:read"]])
    results("Of a job that has results." id: ID!, limit: Int): [Job!]! @access(scopes: [["jobs:read"]])
    job("Of any job." id: ID!): Job @access(scopes: [["jobs:read"]])
  }
  type Mutation {
    "Looks at a file."
    preview(content: FileText!): Preview! @access(scopes: [["data:preview"]])
    "Keeps a file."
    confirm(content: FileText!, token: String): Confirmed! @access(scopes: [["data:write"]])
    createJob(name: String!): Job! @access(scopes: [["jobs:write"]])
    pauseJob(id: ID!): Job! @access(scopes: [["jobs:write"]])
    batch(names: [String!]!): Batch! @access(scopes: [["jobs:write"]])
  }
  type Preview { token: String! }
  type Confirmed { inserted: Int! }
  type Job { name: String! state: String pause: BulkPauseReason }
  enum BulkPauseReason { OUT_OF_PAPER }
  type Batch { failed: Int! results: [Item!]! }
  type Item { id: ID! data: JSONObject result: Job error: Fault }
  type Fault { code: String! message: String! }
  scalar JSONObject
`);
const rows: readonly Row[] = [
  POST(
    '/api/v1/files',
    'mutation Confirm($content: FileText!, $token: String) {' +
      ' reply: confirm(content: $content, token: $token) { inserted } }',
    { when: { confirmed: true }, bodyBytesMax: 512 * 1024 },
  ),
  POST(
    '/api/v1/files',
    'mutation Preview($content: FileText!) { reply: preview(content: $content) { token } }',
  ),
  POST(
    '/api/v1/jobs',
    'mutation CreateJob($name: String!) { reply: createJob(name: $name) { name state } }',
    {
      status: 202,
      when: { action: 'create' },
    },
  ),
  POST('/api/v1/jobs', 'mutation PauseJob($id: ID!) { reply: pauseJob(id: $id) { name state } }', {
    when: { action: 'pause' },
  }),
  GET('/api/v1/jobs', 'query Job($id: ID!) { job: job(id: $id) { name pause } }', {
    about: { id: 'bulk job' },
  }),
  GET('/api/v1/jobs', 'query Jobs($limit: Int) { reply: jobs(limit: $limit) { name state } }'),
  GET(
    '/api/v1/jobs',
    'query Results($id: ID!, $limit: Int) { reply: results(id: $id, limit: $limit) { name state } }',
    {
      when: { view: 'results' },
    },
  ),
  POST(
    '/api/v1/jobs/batch',
    `mutation Batch($names: [String!]!) {
      reply: batch(names: $names) {
        failed results { id data result { name state } error { code message } } } }`,
    { isBatch: true, omitNull: ['result', 'error'] },
  ),
];
const table = { rows, schema, access: accessesIn(schema) };
const id = '0197a3c2-5f1a-7d02-8c44-9be1c07d6a21';
const job = { name: 'x', state: null };

let app: FastifyInstance;
let asked: Asked[];
beforeAll(async () => {
  const item = { id, data: { result: null }, result: job, error: null };
  ({ app, asked } = await appOver(
    {
      Preview: { data: { reply: { token: 't' } } },
      Confirm: { data: { reply: { inserted: 1 } } },
      CreateJob: { data: { reply: job } },
      PauseJob: { data: { reply: job } },
      Jobs: { data: { reply: [] } },
      Results: { data: { reply: [] } },
      Batch: {
        data: {
          reply: {
            failed: 1,
            results: [item, { ...item, data: null, result: null, error: { code: 'X', message: 'No.' } }],
          },
        },
      },
    },
    table,
  ));
});
afterAll(() => app.close());

const send = async (method: 'GET' | 'POST', url: string, payload?: unknown, authorization = 'Bearer key') => {
  asked.length = 0;
  const headers = { authorization, ...(payload !== undefined && { 'content-type': 'application/json' }) };
  const body = payload === undefined ? {} : { payload: JSON.stringify(payload) };
  const response = await app.inject({ method, url, headers, ...body });
  return { status: response.statusCode, body: response.json(), asked: asked.map((one) => one.operationName) };
};
const files = (body: unknown, as?: string) => send('POST', '/api/v1/files', body, as);

test('a field of the body chooses the operation and is not one of its variables', async () => {
  expect(await files({ content: 'a', confirmed: true, token: 't' })).toMatchObject({
    status: 200,
    body: { inserted: 1 },
  });
  expect(asked).toEqual([{ operationName: 'Confirm', variables: { content: 'a', token: 't' } }]);
});

test.each([{ content: 'a' }, { content: 'a', confirmed: false }])(
  'the row without `when` answers the body %j',
  async (body) => {
    expect(await files(body)).toMatchObject({ status: 200, body: { token: 't' } });
    expect(asked).toEqual([{ operationName: 'Preview', variables: { content: 'a' } }]);
  },
);

test.each([['true'], [1], [null], [{}]])('confirmed: %j is 400 and runs no operation', async (confirmed) => {
  expect(await files({ content: 'a', confirmed })).toEqual({
    status: 400,
    body: { error: { code: 'VALIDATION_FAILED', message: 'confirmed must be true or false.' } },
    asked: [],
  });
});

test('a field of the other operation is refused as unknown', async () => {
  expect(await files({ content: 'a', token: 't' })).toMatchObject({
    status: 400,
    body: {
      error: { code: 'UNKNOWN_FIELD', message: expect.stringMatching(/^token .* content, confirmed/) },
    },
  });
});

test('a caller who may use none of the operations is refused before the body is read', async () => {
  const [nobody, reader] = [await files('{', ''), await files('{', 'Bearer reader')];
  expect([nobody.status, nobody.body.error.code]).toEqual([401, 'CREDENTIAL_MISSING']);
  expect([reader.status, reader.body.error.code]).toEqual([403, 'SCOPE_MISSING']);
});

test('a caller who may use one operation is refused for the other one', async () => {
  expect((await files({ content: 'a' }, 'Bearer previewer')).status).toBe(200);
  expect(await files({ content: 'a', confirmed: true, token: 5 }, 'Bearer previewer')).toMatchObject({
    status: 403,
    body: { error: { code: 'SCOPE_MISSING', message: expect.stringContaining('data:write') } },
    asked: [],
  });
});

test('a field with several values chooses the operation, each with its own status', async () => {
  expect(await send('POST', '/api/v1/jobs', { action: 'create', name: 'x' })).toMatchObject({
    status: 202,
    asked: ['CreateJob'],
  });
  expect(await send('POST', '/api/v1/jobs', { action: 'pause', id })).toMatchObject({
    status: 200,
    asked: ['PauseJob'],
  });
});

test.each([
  [{ name: 'x' }, 'action is required.'],
  [{ action: 'erase', id }, 'action must be one of create, pause.'],
  [{ action: ['pause'], id }, 'action must be one of create, pause.'],
])('%j chooses no operation and is 400', async (body, message) => {
  const refused = { status: 400, body: { error: { code: 'VALIDATION_FAILED', message } }, asked: [] };
  expect(await send('POST', '/api/v1/jobs', body)).toEqual(refused);
});

test('a query parameter chooses the operation of a GET', async () => {
  expect((await send('GET', '/api/v1/jobs?limit=5')).asked).toEqual(['Jobs']);
  expect((await send('GET', `/api/v1/jobs?view=results&id=${id}`)).asked).toEqual(['Results']);
  expect((await send('GET', '/api/v1/jobs?view=all')).status).toBe(400);
});

test('the largest limit among the rows of a path limits the body', async () => {
  expect((await files({ content: 'a'.repeat(400 * 1024) })).status).toBe(200);
  expect(await files({ content: 'a'.repeat(512 * 1024) })).toMatchObject({
    status: 413,
    body: { error: { code: 'BODY_TOO_LARGE' } },
  });
  expect((await send('POST', '/api/v1/jobs/batch', { names: ['a'.repeat(257 * 1024)] })).status).toBe(413);
});

test('the text of a file must be a string', async () => {
  expect((await files({ content: 5 })).body.error.message).toBe('content must be the text of a file.');
});

test('fields of `omitNull` are left out if they are null; other fields and free JSON are not', async () => {
  const { status, body } = await send('POST', '/api/v1/jobs/batch', { names: [] });
  expect([status, body.results]).toEqual([
    207,
    [
      { id, data: { result: null }, result: job },
      { id, data: null, error: { code: 'X', message: 'No.' } },
    ],
  ]);
});

test('the model API refuses X-API-Key, also together with a bearer token', async () => {
  for (const authorization of ['', 'Bearer key']) {
    const headers = { 'x-api-key': 'lk_live_x', ...(authorization && { authorization }) };
    const response = await app.inject({ method: 'GET', url: '/api/v1/jobs', headers });
    expect([response.statusCode, response.headers['www-authenticate'], response.json().error.code]).toEqual([
      401,
      'Bearer',
      'CREDENTIAL_MISPLACED',
    ]);
  }
});

test.each([
  ['GET', '/api/v1/nothing', 404, 'PATH_NOT_FOUND'],
  ['GET', '/api/v1', 404, 'PATH_NOT_FOUND'],
  ['GET', '/api/v1?x=1', 404, 'PATH_NOT_FOUND'],
  ['PUT', '/api/v1/jobs', 405, 'METHOD_NOT_ALLOWED'],
  ['OPTIONS', '/api/v1/jobs', 405, 'METHOD_NOT_ALLOWED'],
] as const)('%s %s is %d in the form of v1', async (method, url, status, code) => {
  const response = await app.inject({ method, url, headers: { authorization: 'Bearer key' } });
  expect([response.statusCode, response.json()]).toEqual([
    status,
    { error: { code, message: expect.any(String) } },
  ]);
  if (status === 405) expect(response.headers['allow']).toBe('POST, GET, HEAD');
});

test('HEAD is answered like GET, without a body', async () => {
  const response = await app.inject({
    method: 'HEAD',
    url: '/api/v1/jobs',
    headers: { authorization: 'Bearer key' },
  });
  expect([response.statusCode, response.body]).toEqual([200, '']);
});

const document = openApi('v1', table);
const at = schemasOf(document);
const [files0, jobs0] = ['/api/v1/files', '/api/v1/jobs'].map(
  (path) => operationsOf(document).find((one) => one.path === path && one.method === 'post')!,
);
const body = (pointer: string) => at(`${pointer}/requestBody/content/application~1json/schema`);

test('OpenAPI shows the rows of a path as one operation with alternative bodies and answers', () => {
  expect(structureFaults(document)).toEqual([]);
  expect([files0!.operation.operationId, jobs0!.operation.operationId]).toEqual(['Preview', 'CreateJob']);
  expect(files0!.operation.description).toMatch(/^Looks at a file.*With `confirmed: true`: Keeps a file/s);
  const check = body(files0!.pointer);
  for (const sent of [
    { content: 'a' },
    { content: 'a', confirmed: false },
    { content: 'a', confirmed: true },
  ])
    expect([sent, faults(check, sent)]).toEqual([sent, []]);
  expect(faults(check, { content: 'a', token: 't' })).not.toEqual([]);
  const answer = at(`${files0!.pointer}/responses/200/content/application~1json/schema`);
  expect([faults(answer, { token: 't' }), faults(answer, { inserted: 1 })]).toEqual([[], []]);
  expect(faults(answer, {})).not.toEqual([]);
});

test('OpenAPI requires the field that chooses, and lists every status', () => {
  const check = body(jobs0!.pointer);
  expect(faults(check, { action: 'pause', id })).toEqual([]);
  expect(faults(check, { id })).not.toEqual([]);
  expect(Object.keys(jobs0!.operation.responses)).toEqual(
    expect.arrayContaining(['200', '202', '402', '413']),
  );
  const { operation } = operationsOf(document).find(
    (one) => one.path === '/api/v1/jobs' && one.method === 'get',
  )!;
  expect(operation.parameters.map(({ name }: { name: string }) => name).sort()).toEqual([
    'id',
    'limit',
    'view',
  ]);
  expect(operation.parameters.filter(({ required }: { required: boolean }) => required)).toEqual([]);
  expect(operation.description).toMatch(/\n\nWith `id`: .*\n\nWith `view: results`: /);
  expect(JSON.stringify(operation.responses['200'])).toContain('OUT_OF_PAPER');
});
