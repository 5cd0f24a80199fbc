import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../../harness/eventually.ts';
import { useStack } from '../../harness/stack.ts';
import { CSV, importer } from './imports.fixture.ts';

const stack = useStack();
let token: string;
let live: string;
let imported: ReturnType<typeof importer>;

beforeAll(async () => {
  ({ token } = await stack.signUp());
  live = (await stack.key(token)).secret;
  imported = importer(stack, live);
  await stack.work();
});

describe('refusals', () => {
  const post = (kind: string, body: unknown, as: string | null = live, headers = {}) =>
    stack.rest('POST', `/api/v2/${kind}/import`, { as, body, headers });

  test('of a body that is not a file', async () => {
    const rows = [{ externalOrderId: 'x' }];
    const answers = await Promise.all([
      post('orders', { format: 'xml', rows }),
      post('orders', { format: 'json' }),
      post('orders', { format: 'json', rows: [] }),
      post('orders', { format: 'csv', content: '' }),
      post('orders', { format: 'json', rows, mapping: { a: 'nonsense' } }),
      post('orders', { format: 'json', rows, more: 1 }),
      post('orders', '', live, CSV),
      post('orders', 'x', live, { 'content-type': 'text/csv; charset=iso-8859-1' }),
      post('orders', 'x', live, { 'content-type': 'text/plain' }),
      post('orders', { format: 'csv', content: 'x'.repeat(11 * 1024 * 1024) }),
      post('orders', { format: 'json', rows }, null),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([
      400, 400, 400, 400, 400, 400, 400, 415, 415, 413, 401,
    ]);
  });

  test('of rows and content together, whichever name the rows have', async () => {
    const content = 'external_id,name\n1,Tea\n';
    const rows = [{ externalId: '1', name: 'Tea' }];
    const importsNow = async () =>
      (await stack.graph<{ imports: { totalCount: number } }>('{ imports { totalCount } }', {}, live)).data;
    const before = await importsNow();
    const answers = [
      await post('catalog', { format: 'json', content: '[]', rows }),
      await post('catalog', { format: 'json', content: '[]', products: rows }),
      await post('catalog', { format: 'json', rows, products: rows }),
      await post('catalog', { format: 'csv', content, products: rows }),
      await post('members', { format: 'json', content: '[]', rows: [] }),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(400);
      expect(body.error.message ?? body.error).toContain('cannot come together with');
    }
    expect(await importsNow()).toEqual(before);
  });

  test('of keys without the scope, of other kinds, modes and workspaces', async () => {
    const { body } = await post('orders', { format: 'json', rows: [{ externalOrderId: 'S-1' }] });
    const { id } = body.data;
    const reader = (await stack.key(token, ['members:read', 'orders:write'])).secret;
    const other = await stack.signUp();
    const stranger = (await stack.key(other.token)).secret;
    const sandbox = (await stack.key(token, undefined, 'TEST')).secret;
    const get = async (kind: string, as: string) =>
      (await stack.rest('GET', `/api/v2/${kind}/import/${id}`, { as })).status;
    expect((await post('members', { format: 'csv', content: 'email\n' }, reader)).status).toBe(403);
    expect([await get('orders', live), await get('orders', reader)]).toEqual([200, 200]);
    expect(await get('members', live)).toBe(404);
    expect([await get('orders', stranger), await get('orders', sandbox)]).toEqual([404, 404]);
    for (const mutation of [
      'cancelImport(id: $id)',
      'retryImport(id: $id)',
      'startImport(id: $id, parts: 1)',
    ]) {
      const text = `mutation ($id: ID!) { ${mutation} { id } }`;
      const { errors } = await stack.graph(text, { id }, stranger);
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});

describe('the graph', () => {
  const open = async (input: object, as = live): Promise<string> => {
    const text = 'mutation ($input: CreateImportInput!) { createMemberImport(input: $input) { id } }';
    const { data } = await stack.graph<{ createMemberImport: { id: string } }>(text, { input }, as);
    return data.createMemberImport.id;
  };
  const append = (id: string, part: number, text: string) =>
    stack.graph(
      'mutation ($id: ID!, $part: NonNegativeInt!, $data: String!) { appendImport(id: $id, part: $part, data: $data) { id } }',
      { id, part, data: Buffer.from(text).toString('base64') },
      live,
    );
  const start = (id: string, parts: number) =>
    stack.graph(
      'mutation ($id: ID!, $parts: PositiveInt!) { startImport(id: $id, parts: $parts) { status } }',
      { id, parts },
      live,
    );

  test('takes parts in any order and twice, and misses none', async () => {
    const id = await open({ format: 'CSV' });
    await append(id, 1, 'race@example.com\n');
    expect((await start(id, 2)).errors?.[0]?.extensions).toMatchObject({ reason: 'IMPORT_PART_MISSING' });
    await append(id, 0, 'x');
    await append(id, 0, 'email\ng');
    expect((await start(id, 2)).data).toEqual({ startImport: { status: 'QUEUED' } });
    expect((await append(id, 2, 'x')).errors?.[0]?.extensions).toMatchObject({ reason: 'IMPORT_STARTED' });
    await eventually(async () => {
      const { body } = await stack.rest('GET', `/api/v2/members/import/${id}`, { as: live });
      expect(body.data).toMatchObject({ status: 'completed', inserted: 1 });
    });
  });

  test('previews members and orders, and writes nothing', async () => {
    const id = await open({ format: 'CSV', mapping: { Post: 'email' } });
    await append(id, 0, 'Post,Name,Other\nnew@example.com,Ada,x\nbad,B,\ncut@exam');
    const text = `query ($id: ID!) { previewImport(id: $id) {
      columns { column header field } rows { row isRefused values } issues { severity row column field }
    } }`;
    const { data } = await stack.graph(text, { id }, live);
    expect(data).toEqual({
      previewImport: {
        columns: [
          { column: 'A', header: 'Post', field: 'email' },
          { column: 'B', header: 'Name', field: 'full_name' },
          { column: 'C', header: 'Other', field: null },
        ],
        rows: [
          { row: 2, isRefused: false, values: { email: 'new@example.com', full_name: 'Ada' } },
          { row: 3, isRefused: true, values: { email: 'bad', full_name: 'B' } },
        ],
        issues: [
          { severity: 'WARNING', row: 1, column: 'C', field: null },
          { severity: 'ERROR', row: 3, column: 'A', field: 'email' },
        ],
      },
    });
    const order = await stack.graph<{ createOrderImport: { id: string } }>(
      'mutation { createOrderImport(input: {format: NDJSON}) { id } }',
      {},
      live,
    );
    await append(order.data.createOrderImport.id, 0, '{"externalOrderId":"P-1","total":"1.5"}\n');
    const preview = await stack.graph(text, { id: order.data.createOrderImport.id }, live);
    expect(preview.data).toMatchObject({
      previewImport: { columns: [], rows: [{ row: 1, isRefused: true }], issues: expect.any(Array) },
    });
  });

  test('cancels an import once, and nothing starts it again', async () => {
    const id = await open({ format: 'CSV' });
    await append(id, 0, 'email\nnever@example.com\n');
    const cancel = () =>
      stack.graph('mutation ($id: ID!) { cancelImport(id: $id) { status } }', { id }, live);
    expect((await cancel()).data).toEqual({ cancelImport: { status: 'CANCELLED' } });
    expect((await cancel()).data).toEqual({ cancelImport: { status: 'CANCELLED' } });
    expect((await start(id, 1)).errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT' });
  });
});

test('an import subscribes nobody again, and stays in its mode', async () => {
  const sandbox = (await stack.key(token, undefined, 'TEST')).secret;
  const email = 'gone@example.com';
  await imported('members', { format: 'csv', content: `email\n${email}\n` });
  await stack.rest('POST', '/api/v2/members/unsubscribe', { as: live, body: { email } });
  await eventually(async () => {
    const { body } = await stack.rest('GET', '/api/v2/members?status=unsubscribed', { as: live });
    expect(body.total).toBe(1);
  });
  const again = await imported('members', { format: 'csv', content: `email,name\n${email},Gone\n` });
  expect(again).toMatchObject({ updated: 1 });
  const { body } = await stack.rest('GET', '/api/v2/members?status=unsubscribed', { as: live });
  expect(body.total).toBe(1);
  await imported(
    'members',
    { format: 'csv', content: 'email\na@example.com\nb@example.com\n' },
    { as: sandbox },
  );
  const test = await stack.rest('GET', '/api/v2/members', { as: sandbox });
  expect(test.body.total).toBe(2);
});
