import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../../harness/eventually.ts';
import { type Stack, useStack } from '../../harness/stack.ts';
import { expectModelError, shapes } from '../shapes.ts';
import { type ModelTenant, modelTenant, remoteAdapter, v1Scopes } from './model.fixture.ts';

const stack = useStack();
let tenant: ModelTenant;
beforeAll(async () => {
  await stack.work();
  tenant = await modelTenant(stack);
  await eventually(async () => expect(await balance()).toBe(50_000));
});

async function balance(): Promise<number> {
  const query = '{ wallet { balance } }';
  const { data } = await stack.graph<{ wallet: { balance: number } }>(query, {}, tenant.token);
  return data.wallet.balance;
}

interface File {
  readonly kind: string;
  readonly format: string;
  readonly content: string;
  readonly mapping: object;
}
const send = (body: object, as = tenant.key, { rest }: Pick<Stack, 'rest'> = stack) =>
  rest('POST', '/api/v1/data', { as, body });
const confirm = (file: File, token: unknown, as = tenant.key) =>
  send({ ...file, confirmed: true, token }, as);
const csv = (kind: string, content: string): File => ({ kind, format: 'csv', content, mapping: {} });

let batches = 0;
const members = (count = 2): { file: File; ids: string[] } => {
  batches += 1;
  const ids = Array.from({ length: count }, (_, index) => `m-${batches}-${index}`);
  const rows = ids.map((id) => `${id},${id}@example.com,2026-01-05T10:00:00Z`);
  return { file: csv('members', ['external_id,email,created_at', ...rows, ''].join('\n')), ids };
};
const events = (rows: readonly string[]) =>
  csv('events', ['external_id,member_id,type,occurred_at', ...rows, ''].join('\n'));

/** Imports members and returns their ids. */
async function imported(count = 2): Promise<string[]> {
  const { file, ids } = members(count);
  const { body } = await send(file);
  const confirmed = await confirm(file, body.token);
  expect(confirmed.status).toBe(200);
  return ids.map((id) => confirmed.body.mappings[id]);
}

describe('preview and confirmation', () => {
  test('map names that objects have by themselves, also where REST runs apart', async () => {
    const remote = await remoteAdapter(stack);
    try {
      const names = ['__proto__', 'constructor', 'toString'];
      for (const client of [stack, remote]) {
        const rows = names.map((name) => `${name},,2026-01-05T10:00:00Z`);
        const file = csv('members', ['external_id,email,created_at', ...rows, ''].join('\n'));
        const { token } = (await send(file, tenant.key, client)).body;
        const { body } = await send({ ...file, confirmed: true, token }, tenant.key, client);
        expect(Object.keys(body.mappings)).toEqual(names);
        expect(Object.values(body.mappings)).toEqual(names.map(() => shapes.uuid));
      }
    } finally {
      await remote.close();
    }
  });

  test('are bound to the administrator, not to the key', async () => {
    const { secret: second } = await stack.key(tenant.token, v1Scopes);
    const { file, ids } = members();
    const { token } = (await send(file)).body;
    const confirmed = await confirm(file, token, second);
    expect(confirmed).toMatchObject({ status: 200, body: { inserted: 2 } });
    expect(Object.keys(confirmed.body.mappings)).toEqual(ids);
  });

  test('a preview answers issues, token and counts, and writes nothing', async () => {
    const { file } = members();
    const before = await stack.rest('GET', '/api/v1/data', { as: tenant.key });
    const reply = await send(file);
    expect(reply).toMatchObject({ status: 200 });
    expect(reply.body).toEqual({
      issues: [],
      issue_count: 0,
      token: expect.any(String),
      inserted: 2,
      skipped: 0,
      cost: 0,
    });
    expect((await stack.rest('GET', '/api/v1/data', { as: tenant.key })).body).toEqual(before.body);
  });

  test('the identical body, confirmed with the token, imports and maps the members', async () => {
    const { file, ids } = members();
    const { token } = (await send({ ...file, confirmed: false })).body;
    const reply = await confirm(file, token);
    expect(reply).toMatchObject({ status: 200 });
    expect(reply.body).toEqual({
      batchId: shapes.uuid,
      inserted: 2,
      skipped: 0,
      mappings: { [ids[0]!]: shapes.uuid, [ids[1]!]: shapes.uuid },
    });
    const status = await stack.rest('GET', '/api/v1/data', { as: tenant.key });
    expect(Object.keys(status.body).sort()).toEqual(['activated', 'batches', 'counts', 'mappings']);
    expect(status.body.batches[0]).toEqual({
      id: reply.body.batchId,
      kind: 'members',
      inserted: 2,
      skipped: 0,
      created_at: shapes.instant,
      actor: expect.stringMatching(/^key:/),
    });
    expect(status.body.mappings).toContainEqual({
      external_id: ids[0],
      member_id: reply.body.mappings[ids[0]!],
    });
    expect(Object.keys(status.body.counts).sort()).toEqual([
      'channel_receipts',
      'events',
      'members',
      'order_lines',
      'order_updates',
      'orders',
    ]);
  });

  test('an imported member is a member of the v2 API by the same id', async () => {
    const [id] = await imported();
    const { status, body } = await stack.rest('GET', `/api/v2/members/${id}`, { as: tenant.v2Key });
    expect([status, body.id]).toEqual([200, id]);
  });

  test('the same confirmation again answers what the first did', async () => {
    const { file } = members();
    const { token } = (await send(file)).body;
    const first = await confirm(file, token);
    const again = await confirm(file, token);
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  test('JSON is accepted, too', async () => {
    const rows = [{ external_id: 'json-1', email: 'json1@example.com', created_at: '2026-01-05T10:00:00Z' }];
    const file = { kind: 'members', format: 'json', content: JSON.stringify(rows), mapping: {} };
    expect((await send(file)).body).toMatchObject({ issues: [], inserted: 1 });
  });

  test('columns of other names are mapped', async () => {
    const content = 'kundennummer,seit\nk-1,2026-01-05T10:00:00Z\n';
    const mapping = { kundennummer: 'external_id', seit: 'created_at' };
    const reply = await send({ kind: 'members', format: 'csv', content, mapping });
    expect(reply.body).toMatchObject({ issues: [], inserted: 1 });
  });
});

describe('a confirmation is 409', () => {
  test.each([
    ['without a token', undefined],
    ['with null as token', null],
    ['with another token', 'bm9uZQ'],
  ])('%s', async (_, token) => {
    const { file } = members();
    await send(file);
    expectModelError(await confirm(file, token), 409, /^[A-Z_]+$/);
  });

  test('of other data than was previewed', async () => {
    const { file } = members();
    const { token } = (await send(file)).body;
    const other = members().file;
    expectModelError(await confirm(other, token), 409, /^[A-Z_]+$/);
  });

  test('by another administrator than the one that previewed, and in another workspace', async () => {
    const { file } = members();
    const { token } = (await send(file)).body;
    const stranger = await modelTenant(stack);
    const colleague = await stack.key(tenant.token, ['model:data:write']);
    await stack.services.database.sql.query(
      `WITH joined AS (
         INSERT INTO workspace.memberships (workspace_id, account_id, role)
         SELECT $1, account_id, 'ADMIN' FROM workspace.memberships WHERE workspace_id = $2
         RETURNING account_id)
       UPDATE workspace.api_keys SET created_by_id = joined.account_id FROM joined WHERE id = $3`,
      [tenant.workspaceId, stranger.workspaceId, colleague.id],
    );
    for (const as of [colleague.secret, stranger.key])
      expectModelError(await confirm(file, token, as), 409, /^[A-Z_]+$/);
  });

  test('after 15 minutes', async () => {
    const { file } = members();
    const { token } = (await send(file)).body;
    stack.services.clock.advance(15 * 60_000 + 1);
    expectModelError(await confirm(file, token), 409, /^[A-Z_]+$/);
  });

  test('of a file with issues, which the preview names by row and column', async () => {
    const file = events(['e-1,0197a3c2-5f1a-7d02-8c44-9be1c07d6a21,view,2026-01-06T10:00:00Z']);
    const { body } = await send(file);
    expect(body.issues).toEqual([
      {
        row: expect.any(Number),
        column: 'member_id',
        code: expect.stringMatching(/^[A-Z_]+$/),
        message: expect.any(String),
      },
    ]);
    expect([body.issue_count, typeof body.token]).toEqual([1, 'string']);
    expectModelError(await confirm(file, body.token), 409, /^[A-Z_]+$/);
  });
});

describe('events', () => {
  test('cost a credit each where they are new, nothing where they are repeated', async () => {
    const [id] = await imported(1);
    const file = events([
      `${id}-1,${id},view,2026-01-06T10:00:00Z`,
      `${id}-2,${id},view,2026-01-07T10:00:00Z`,
    ]);
    const before = await balance();
    const preview = await send(file);
    expect(preview.body).toMatchObject({ issues: [], inserted: 2, skipped: 0, cost: 2 });
    expect(await balance()).toBe(before);
    expect((await confirm(file, preview.body.token)).body).toMatchObject({ inserted: 2, skipped: 0 });
    expect(await balance()).toBe(before - 2);
    const again = await send(file);
    expect(again.body).toMatchObject({ issues: [], inserted: 0, skipped: 2, cost: 0 });
    expect((await confirm(file, again.body.token)).body).toMatchObject({ inserted: 0, skipped: 2 });
    expect(await balance()).toBe(before - 2);
  });

  test('of a known id with other data are an issue at the preview already', async () => {
    const [id] = await imported(1);
    const file = events([`${id}-1,${id},view,2026-01-06T10:00:00Z`]);
    const { token } = (await send(file)).body;
    await confirm(file, token);
    const changed = events([`${id}-1,${id},view,2026-01-09T10:00:00Z`]);
    expect((await send(changed)).body.issues).toMatchObject([{ code: 'ID_CONFLICT' }]);
  });
});

test('PATCH enables training on the data, and GET shows it', async () => {
  const patched = await stack.rest('PATCH', '/api/v1/data', { as: tenant.key, body: { activate: true } });
  expect([patched.status, patched.body.activated]).toEqual([200, true]);
  const { body } = await stack.rest('GET', '/api/v1/data', { as: tenant.key });
  expect(body.activated).toBe(true);
  const refused = await stack.rest('PATCH', '/api/v1/data', { as: tenant.key, body: { activate: 'yes' } });
  expectModelError(refused, 400, 'VALIDATION_FAILED', /^activate must be true or false/);
});

test('the graph takes a file of the same length, as text alone, and a confirmation without a token', async () => {
  const { file } = members();
  const input = { ...file, kind: 'MEMBERS', format: 'CSV' };
  const PREVIEW = 'mutation ($input: DataImportInput!) { previewDataImport(input: $input) { inserted } }';
  const CONFIRM = 'mutation ($input: DataImportInput!) { confirmDataImport(input: $input) { inserted } }';
  const long = { ...input, content: `${input.content}${' '.repeat(1024 * 1024)}` };
  expect((await stack.graph(PREVIEW, { input: long }, tenant.key)).status).toBe(200);
  const [number] = (await stack.graph(PREVIEW, { input: { ...input, content: 5 } }, tenant.key)).errors!;
  expect(number!.extensions).toMatchObject({ code: 'BAD_USER_INPUT' });
  const [tokenless] = (await stack.graph(CONFIRM, { input }, tenant.key)).errors!;
  expect(tokenless!.extensions).toMatchObject({ code: 'CONFLICT' });
});

test('a test key imports test rows, which a live key does not see', async () => {
  const { secret } = await stack.key(tenant.token, ['model:data:read', 'model:data:write'], 'TEST');
  const { file, ids } = members();
  const { token } = (await send(file, secret)).body;
  expect((await confirm(file, token, secret)).status).toBe(200);
  const shown = async (as: string) => JSON.stringify((await stack.rest('GET', '/api/v1/data', { as })).body);
  expect(await shown(secret)).toContain(ids[0]);
  expect(await shown(tenant.key)).not.toContain(ids[0]);
});

test('a file above 5 MiB is 413, one close to it is read, through either adapter', async () => {
  const remote = await remoteAdapter(stack);
  try {
    const row = (index: number) => `long-${index},"${'a'.repeat(90)}"`;
    const rows = (bytes: number) => Array.from({ length: Math.floor(bytes / 106) }, (_, index) => row(index));
    const file = (bytes: number) => csv('members', ['external_id,note', ...rows(bytes)].join('\n'));
    for (const client of [stack, remote]) {
      expect((await send(file(4.8 * 1024 * 1024), tenant.key, client)).status).toBe(200);
      expectModelError(await send(file(5.6 * 1024 * 1024), tenant.key, client), 413, 'TOO_LARGE');
    }
  } finally {
    await remote.close();
  }
});
