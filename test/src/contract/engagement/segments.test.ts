import { beforeAll, describe, expect, test } from '@jest/globals';
import { computeSegment } from '@loyalty/engagement-subgraph/profiles/computations.service';
import { givenProfiles } from '@loyalty/engagement-subgraph/profiles/profiles.fixture';
import { systemCaller } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { createContext } from '@loyalty/platform/database/create-context';
import { useStack } from '../../harness/stack.ts';
import { expectError, shapes } from '../shapes.ts';

const stack = useStack();
const PATH = '/api/v2/segments';
const definition = { op: 'and', conditions: [{ field: 'points_balance', operator: 'at_least', value: 100 }] };
const scopes = ['segments:read', 'segments:write', 'members:read', 'members:write'];
let key: string;
let testKey: string;
let foreignKey: string;
let readOnlyKey: string;
let ownerToken: string;
let membersKey: string;
let ctx: Context;

beforeAll(async () => {
  const { token, workspaceId } = await stack.signUp();
  ownerToken = token;
  key = (await stack.key(token, scopes)).secret;
  testKey = (await stack.key(token, scopes, 'TEST')).secret;
  readOnlyKey = (await stack.key(token, ['segments:read'])).secret;
  membersKey = (await stack.key(token, ['members:read'])).secret;
  foreignKey = (await stack.key((await stack.signUp()).token, scopes)).secret;
  const caller = systemCaller('test', { workspaceId, mode: 'LIVE' });
  ctx = createContext(stack.services, { caller, requestId: 'test' });
});

const call = (method: string, path: string, body?: unknown, as = key) =>
  stack.rest(method, `${PATH}${path}`, { as, ...(body !== undefined && { body }) });

let made = 0;
const create = async (body: object = {}) => {
  made += 1;
  return (await call('POST', '', { name: `Segment ${made}`, definition, ...body })).body.data;
};

const segment = {
  id: shapes.uuid,
  name: expect.any(String),
  description: null,
  definition,
  member_count: 0,
  computed_at: null,
  created_at: shapes.instant,
  updated_at: shapes.instant,
};

describe('POST /segments', () => {
  test('answers 201 with the segment, which is listed then', async () => {
    const { status, body } = await call('POST', '', { name: 'Rich', description: 'Much', definition });
    expect([status, body]).toEqual([201, { data: { ...segment, name: 'Rich', description: 'Much' } }]);
    const listed = await call('GET', '?search=rich');
    expect(listed.body).toEqual({ segments: [body.data], total: 1 });
    expect((await call('GET', `/${body.data.id}`)).body).toEqual({ data: body.data });
  });

  test.each([
    [{ definition }, 'name'],
    [{ name: 'A' }, 'definition'],
    [{ name: '', definition }, 'name'],
    [{ name: 'A', definition: 'all' }, 'definition'],
    [{ name: 'A', definition: [] }, 'definition'],
    [{ name: 'A', definition: {} }, 'definition'],
    [
      { name: 'A', definition: { op: 'and', conditions: [{ field: 'shoe' }] } },
      'definition.conditions[0].field',
    ],
    [
      { name: 'A', definition: { op: 'or', conditions: [{ field: 'status', operator: 'resembles' }] } },
      'definition.conditions[0].operator',
    ],
    [{ name: 'A', definition, status: 'live' }, 'status'],
  ])('%j is refused with 400 that names %s', async (body, field) => {
    const before = (await call('GET', '')).body.total;
    const answer = await call('POST', '', body);
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(field)]);
    expect((await call('GET', '')).body.total).toBe(before);
  });

  test('refuses a name that is taken with 409', async () => {
    const { name } = await create();
    expectError(await call('POST', '', { name, definition }), 409, 'SEGMENT_EXISTS', 'has this name');
  });

  test('needs the scope segments:write', async () => {
    expectError(
      await call('POST', '', { name: 'A', definition }, readOnlyKey),
      403,
      'SCOPE_MISSING',
      'segments:write',
    );
  });
});

describe('PATCH and DELETE /segments/{id}', () => {
  test('change what is sent, and delete', async () => {
    const { id, name } = await create();
    const changed = await call('PATCH', `/${id}`, { description: 'New' });
    expect([changed.status, changed.body]).toEqual([200, { data: { ...segment, name, description: 'New' } }]);
    const deleted = await call('DELETE', `/${id}`);
    expect([deleted.status, deleted.body]).toEqual([200, { data: { id, deleted: true } }]);
    expectError(await call('GET', `/${id}`), 404, 'SEGMENT_NOT_FOUND', 'No segment has the id');
    expectError(await call('DELETE', `/${id}`), 404, 'SEGMENT_NOT_FOUND', 'No segment has the id');
  });

  test('a segment in use is kept with 409, and a circle is refused with 400', async () => {
    const inner = await create();
    const outer = await create({ definition: { op: 'and', conditions: [{ segment: inner.id }] } });
    expectError(await call('DELETE', `/${inner.id}`), 409, 'SEGMENT_IN_USE', `the segment “${outer.name}”`);
    const circle = { definition: { op: 'and', conditions: [{ segment: outer.id }] } };
    const answer = await call('PATCH', `/${inner.id}`, circle);
    expect([answer.status, answer.body.error]).toEqual([
      400,
      expect.stringContaining('definition.conditions[0].segment'),
    ]);
    expect((await call('GET', `/${inner.id}`)).body.data.definition).toEqual(definition);
  });
});

test('another workspace and mode have 404 for each of them', async () => {
  const { id } = await create();
  for (const as of [foreignKey, testKey]) {
    for (const [method, body] of [['GET'], ['PATCH', { name: 'Mine' }], ['DELETE']] as const)
      expectError(await call(method, `/${id}`, body, as), 404, 'SEGMENT_NOT_FOUND', 'No segment has the id');
    expectError(
      await call('GET', `/${id}/export`, undefined, as),
      404,
      'SEGMENT_NOT_FOUND',
      'No segment has the id',
    );
    const listed = await stack.rest('GET', `/api/v2/members?segmentId=${id}`, { as });
    expectError(listed, 404, 'SEGMENT_NOT_FOUND', 'No segment has the id');
  }
});

/** A segment with more members than one part of a file. Loyalty knows only the first and the last of them. */
async function largeSegment(): Promise<{ id: string; memberIds: string[] }> {
  const enrol = async (email: string): Promise<string> =>
    (await stack.rest('POST', '/api/v2/members', { as: key, body: { email, externalId: `=${email}` } })).body
      .id;
  const first = await enrol('first@example.com');
  const between = await givenProfiles(
    ctx,
    Array.from({ length: 5_001 }, () => ({ pointsBalance: 100 })),
  );
  const last = await enrol('last@example.com');
  await givenProfiles(
    ctx,
    [first, last].map((memberId) => ({ memberId, pointsBalance: 100 })),
  );
  const { id } = await create();
  await computeSegment(ctx, id);
  expect((await call('GET', `/${id}`)).body.data).toMatchObject({
    ...{ member_count: between.length + 2, computed_at: shapes.instant },
  });
  return { id, memberIds: [first, last] };
}

test('members of a segment are downloaded as one file, and filter the list of members', async () => {
  const { id, memberIds } = await largeSegment();
  const download = (path = '', as = key) =>
    fetch(`${stack.url}${PATH}/${id}/export${path}`, { headers: { authorization: `Bearer ${as}` } });
  const answer = await download();
  expect([
    answer.status,
    answer.headers.get('content-type'),
    answer.headers.get('content-disposition'),
  ]).toEqual([...[200, 'text/csv; charset=utf-8', 'attachment; filename="segment-members.csv"']]);
  const [header, ...lines] = (await answer.text()).trimEnd().split('\r\n');
  expect(header).toBe('member_id,external_id,entered_at,status,tier');
  expect(lines.map((line) => line.split(',').slice(0, 2))).toEqual([
    [memberIds[0], "'=first@example.com"],
    [memberIds[1], "'=last@example.com"],
  ]);
  expect((await (await download('', readOnlyKey)).text()).split('\r\n')[0]).toBe('member_id,entered_at');
  expect((await (await download(`?after=${memberIds[0]}`)).text()).trimEnd().split('\r\n')).toHaveLength(1);
  expect((await download('?after=first')).status).toBe(400);
  const listed = await stack.rest('GET', `/api/v2/members?segmentId=${id}&limit=1`, { as: key });
  expect(listed.body.members.map(({ id: memberId }: { id: string }) => memberId)).toEqual([memberIds[1]]);
});

test('the members of a segment are not listed without segments:read', async () => {
  const { id } = await create();
  const refused = await stack.rest('GET', `/api/v2/members?segmentId=${id}`, { as: membersKey });
  expect([refused.status, refused.headers.get('x-error-code')]).toEqual([403, 'SCOPE_MISSING']);
});

test('saving a segment needs the scopes of what its conditions read; the error names them', async () => {
  const writer = (await stack.key(ownerToken, ['segments:write'])).secret;
  const refused = await call('POST', '', { name: 'Spies', definition }, writer);
  expect([refused.status, refused.headers.get('x-error-code'), refused.body.error]).toEqual([
    403,
    'SCOPE_MISSING',
    expect.stringMatching(/^definition\.conditions\[0\]\.field is refused\. .*members:read/),
  ]);
});
