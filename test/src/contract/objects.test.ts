import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../harness/eventually.ts';
import { useStack } from '../harness/stack.ts';
import { enrol } from './members/members.fixture.ts';
import { expectError, shapes } from './shapes.ts';

const stack = useStack();
let token: string;
let key: string;
let foreignKey: string;
let member: string;
let record: { id: string; data: Record<string, unknown> };

const objects = '/api/v2/objects';
const records = `${objects}/tickets/records`;

async function mutate(mutation: string, as = token): Promise<void> {
  const { errors } = await stack.graph(`mutation { ${mutation} }`, {}, as);
  if (errors) throw new Error(JSON.stringify(errors));
}

beforeAll(async () => {
  ({ token } = await stack.signUp());
  await stack.enable(token, 'custom_objects');
  key = (await stack.key(token)).secret;
  const other = await stack.signUp();
  await stack.enable(other.token, 'custom_objects');
  foreignKey = (await stack.key(other.token)).secret;
  member = (await enrol(stack, key)).id;
  await mutate(`defineObjectType(input: {type: "tickets", label: "Support tickets", fields: [
    {key: "subject", type: TEXT, required: true}
    {key: "status", type: ENUM, options: ["open", "closed"]}
    {key: "customer", type: MEMBER_REF}
    {key: "score", type: NUMBER}
    {key: "tags", type: LIST}]}) { id }`);
  await mutate('publishObjectType(type: "tickets") { id }');
  await mutate('defineObjectType(input: {type: "drafts", label: "Drafts", fields: []}) { id }');
});

const rest = (method: string, path: string, body?: unknown, as = key) =>
  stack.rest(method, path, body === undefined ? { as } : { as, body });

describe('custom objects', () => {
  test('POST /objects/{type}/records answers 201 with the record', async () => {
    const data = { subject: 'Card does not scan', status: 'open', customer: member, score: 3, tags: ['x'] };
    const { status, body } = await rest('POST', records, { data });
    expect({ status, body }).toEqual({ status: 201, body: { data: { id: shapes.uuid, data } } });
    record = body.data;
  });

  test('GET /objects lists published types with their count', async () => {
    const { status, body } = await rest('GET', objects);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: [{ type: 'tickets', label: 'Support tickets', record_count: 1, updated_at: shapes.instant }],
      },
    });
  });

  test('GET /objects/{type} describes the fields', async () => {
    const { status, body } = await rest('GET', `${objects}/tickets`);
    const field = (name: string, type: string, more: object = {}) => ({
      key: name,
      type,
      required: false,
      options: null,
      ...more,
    });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          type: 'tickets',
          label: 'Support tickets',
          fields: [
            field('subject', 'text', { required: true }),
            field('status', 'enum', { options: ['open', 'closed'] }),
            field('customer', 'member_ref'),
            field('score', 'number'),
            field('tags', 'list'),
          ],
        },
      },
    });
  });

  test('GET /objects/{type}/records lists records and the total', async () => {
    expect(await rest('GET', records)).toMatchObject({ status: 200, body: { data: [record], total: 1 } });
    expect(Object.keys((await rest('GET', records)).body)).toEqual(['data', 'total']);
  });

  test.each([
    ['f_status=open', 1],
    ['f_status=closed', 0],
    ['f_score=3&f_tags=x&f_status=open', 1],
    ['f_score=3&f_tags=y', 0],
    ['search=DOES%20NOT', 1],
    ['search=nothing', 0],
    ['sortBy=title_asc&limit=200&offset=0', 1],
    ['sortBy=created_asc', 1],
    ['sortBy=updated_desc', 1],
  ])('GET /objects/{type}/records?%s finds %i', async (query, total) => {
    const { status, body } = await rest('GET', `${records}?${query}`);
    expect({ status, body }).toEqual({ status: 200, body: { data: total ? [record] : [], total } });
  });

  test('GET /objects/{type}/records?memberId finds the records of a member', async () => {
    expect((await rest('GET', `${records}?memberId=${member}`)).body).toEqual({ data: [record], total: 1 });
  });

  test.each([
    [
      'f_colour=red',
      'UNKNOWN_FIELD',
      'f_colour names a field that tickets lacks; known are subject, status,',
    ],
    ['f_score=many', 'VALIDATION_FAILED', 'f_score must be a number.'],
    ['f_status=lost', 'VALIDATION_FAILED', 'f_status must be one of open, closed.'],
    ['f_status=open&f_status=closed', 'VALIDATION_FAILED', 'f_status is given more than once.'],
    ['filters=x', 'UNKNOWN_FIELD', 'filters is not a field of this request'],
    ['sortBy=random', 'VALIDATION_FAILED', 'sortBy must be one of created_desc, created_asc,'],
    ['limit=201', 'VALIDATION_FAILED', 'limit must be between 1 and 200.'],
    ['memberId=x', 'INVALID_ID', 'memberId must be a UUID.'],
  ])('GET /objects/{type}/records?%s is refused by name', async (query, code, sentence) => {
    expectError(await rest('GET', `${records}?${query}`), 400, code, sentence);
  });

  test('GET /objects/{type}/records/{recordId} reads one record', async () => {
    const { status, body } = await rest('GET', `${records}/${record.id}`);
    expect({ status, body }).toEqual({ status: 200, body: { data: record } });
  });

  test('PATCH merges, and replaces with replace', async () => {
    const path = `${records}/${record.id}`;
    const merged = { ...record.data, status: 'closed', score: 4 };
    expect(await rest('PATCH', path, { data: { status: 'closed', score: 4 } })).toMatchObject({
      status: 200,
    });
    expect((await rest('GET', path)).body).toEqual({ data: { id: record.id, data: merged } });
    const replaced = { subject: 'Solved' };
    const { status, body } = await rest('PATCH', path, { data: replaced, replace: true });
    expect({ status, body }).toEqual({ status: 200, body: { data: { id: record.id, data: replaced } } });
  });

  test.each([
    [{ data: { status: 'lost' } }, 'data.status must be one of open, closed.'],
    [{ data: { colour: 'red' } }, 'data.colour names a field that tickets lacks'],
    [{ data: { subject: null } }, 'data.subject is required.'],
    [
      { data: { customer: '0197a3c2-4be0-7c31-9a55-2f6d1f0c8e11' } },
      'data.customer must be the id of a member.',
    ],
    [{ data: { status: 'open' }, replace: true }, 'data.subject is required.'],
    [{ data: 'x' }, 'data must be an object.'],
    [{}, 'data is required.'],
  ])('PATCH with %j is refused', async (body, sentence) => {
    expectError(await rest('PATCH', `${records}/${record.id}`, body), 400, 'VALIDATION_FAILED', sentence);
  });

  test('DELETE answers that it is deleted, a second time 404', async () => {
    const { data } = (await rest('POST', records, { data: { subject: 'short-lived' } })).body;
    const path = `${records}/${data.id}`;
    const { status, body } = await rest('DELETE', path);
    expect({ status, body }).toEqual({ status: 200, body: { data: { id: data.id, deleted: true } } });
    for (const method of ['DELETE', 'GET'])
      expectError(await rest(method, path), 404, 'RECORD_NOT_FOUND', 'No record has the id');
    expectError(await rest('GET', `${records}/42`), 404, 'RECORD_NOT_FOUND', 'No record has the id 42.');
  });

  test('unknown, draft and foreign types are 404 everywhere', async () => {
    const sentence = 'There is no object type of this name';
    const write = { data: { subject: 'x' } };
    for (const [type, as] of [
      ['never', key],
      ['drafts', key],
      ['Bad%20name', key],
      ['tickets', foreignKey],
    ] as const) {
      const path = `${objects}/${type}`;
      for (const [method, tail, body] of [
        ['GET', '', undefined],
        ['GET', '/records', undefined],
        ['POST', '/records', write],
        ['GET', `/records/${record.id}`, undefined],
        ['PATCH', `/records/${record.id}`, write],
        ['DELETE', `/records/${record.id}`, undefined],
      ] as const)
        expectError(await rest(method, path + tail, body, as), 404, 'OBJECT_TYPE_NOT_FOUND', sentence);
    }
    expect((await rest('GET', objects, undefined, foreignKey)).body).toEqual({ data: [] });
  });

  test('test keys keep records of their own', async () => {
    const test = (await stack.key(token, undefined, 'TEST')).secret;
    expect((await rest('GET', records, undefined, test)).body).toEqual({ data: [], total: 0 });
    expectError(
      await rest('GET', `${records}/${record.id}`, undefined, test),
      404,
      'RECORD_NOT_FOUND',
      'No record',
    );
  });

  test('writing needs objects:write, everything needs the module', async () => {
    const reader = (await stack.key(token, ['objects:read'])).secret;
    const write = await rest('POST', records, { data: { subject: 'x' } }, reader);
    expectError(write, 403, 'SCOPE_MISSING', 'objects:write');
    const plain = await stack.signUp();
    const without = (await stack.key(plain.token)).secret;
    expectError(await rest('GET', objects, undefined, without), 403, 'MODULE_DISABLED', 'custom_objects');
  });

  test('a required field with a default reaches the records that were there before', async () => {
    await stack.work();
    await mutate(
      'addObjectField(type: "tickets", field: {key: "lane", type: TEXT, required: true, defaultValue: "slow"}) { id }',
    );
    await eventually(async () => {
      const { body } = await rest('GET', `${records}?f_lane=slow`);
      expect(body.total).toBe(1);
      expect(body.data[0].data).toEqual({ subject: 'Solved', lane: 'slow' });
    });
  });
});
