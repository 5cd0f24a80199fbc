import { beforeAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { useStack } from '../../harness/stack.ts';
import { expectError, shapes } from '../shapes.ts';
import { defineFields, enrol } from './members.fixture.ts';

const stack = useStack();
let key: string;

beforeAll(async () => {
  const { token } = await stack.signUp();
  key = (await stack.key(token)).secret;
  await defineFields(stack, token);
});

const unknown = newId(systemClock);

describe('POST /members', () => {
  test('answers 201 with the unmasked member', async () => {
    const body = {
      email: 'New.Person@Example.com ',
      fullName: 'New Person',
      customAttributes: { size: 'm', visits: '12' },
    };
    const reply = await stack.rest('POST', '/api/v2/members', { as: key, body });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      ...shapes.member,
      email: 'new.person@example.com',
      name: 'New Person',
      points_balance: 0,
      customAttributes: { size: 'm', visits: 12 },
    });
  });

  test('reads `name` where a client writes back what it read', async () => {
    const { body } = await stack.rest('POST', '/api/v2/members', {
      as: key,
      body: { email: 'alias@example.com', name: 'By Name' },
    });
    expect(body.name).toBe('By Name');
  });

  test('an address of the workspace twice, in any case, is 409', async () => {
    await enrol(stack, key, { email: 'twice@example.com' });
    expectError(
      await stack.rest('POST', '/api/v2/members', { as: key, body: { email: 'TWICE@example.com' } }),
      409,
      'MEMBER_EXISTS',
      /./,
    );
  });

  test.each([
    ['no body', undefined, 'VALIDATION_FAILED', 'email is required'],
    ['no email', { fullName: 'x' }, 'VALIDATION_FAILED', 'email is required'],
    ['a bad email', { email: 'nope' }, 'VALIDATION_FAILED', /^email must be an e-mail address/],
    [
      'a number for a name',
      { email: 'a@b.co', fullName: 7 },
      'VALIDATION_FAILED',
      'fullName must be a string',
    ],
    ['an unknown field', { email: 'a@b.co', nickname: 'x' }, 'UNKNOWN_FIELD', /^nickname is not a field/],
    [
      'an unknown attribute',
      { email: 'a@b.co', customAttributes: { shoe: 4 } },
      'UNKNOWN_CUSTOM_FIELD',
      /^customAttributes\.shoe /,
    ],
    [
      'an option that is none',
      { email: 'a@b.co', customAttributes: { size: 'xl' } },
      'VALIDATION_FAILED',
      /^customAttributes\.size /,
    ],
    [
      'a list with a stranger',
      { email: 'a@b.co', customAttributes: { likes: ['tea', 'gin'] } },
      'VALIDATION_FAILED',
      /^customAttributes\.likes/,
    ],
    [
      'a day that is none',
      { email: 'a@b.co', customAttributes: { since: '2026-02-30' } },
      'VALIDATION_FAILED',
      /^customAttributes\.since /,
    ],
    [
      '"true" for a boolean',
      { email: 'a@b.co', customAttributes: { vip: 'true' } },
      'VALIDATION_FAILED',
      /^customAttributes\.vip /,
    ],
    [
      'a store id that is none',
      { email: 'a@b.co', storeId: 'corner' },
      'INVALID_ID',
      'storeId must be a UUID',
    ],
    ['an array', [1], 'BODY_INVALID', 'must be a JSON object'],
  ])('%s is 400, names the field and writes nothing', async (_, body, code, sentence) => {
    const before = (await stack.rest('GET', '/api/v2/members?limit=1', { as: key })).body.total;
    expectError(
      await stack.rest('POST', '/api/v2/members', { as: key, ...(body !== undefined && { body }) }),
      400,
      code,
      sentence,
    );
    expect((await stack.rest('GET', '/api/v2/members?limit=1', { as: key })).body.total).toBe(before);
  });

  test('a store that the workspace lacks is 404, names the field and writes nothing', async () => {
    const total = async () =>
      (await stack.rest('GET', '/api/v2/members?limit=1', { as: key })).body.total as number;
    const before = await total();
    const body = { email: 'storeless@example.com', storeId: unknown };
    expectError(
      await stack.rest('POST', '/api/v2/members', { as: key, body }),
      404,
      'STORE_NOT_FOUND',
      /^storeId names no store/,
    );
    expect(await total()).toBe(before);
  });

  test('broken JSON is 400, another media type 415', async () => {
    expectError(
      await stack.rest('POST', '/api/v2/members', { as: key, body: '{"email":' }),
      400,
      'BODY_INVALID',
      /JSON/,
    );
    const xml = { as: key, body: '<x/>', headers: { 'content-type': 'application/xml' } };
    expectError(await stack.rest('POST', '/api/v2/members', xml), 415, 'MEDIA_TYPE_UNSUPPORTED', /JSON/);
  });

  test('a body over 256 KiB is 413', async () => {
    const body = { email: 'big@example.com', fullName: 'x'.repeat(300_000) };
    expectError(
      await stack.rest('POST', '/api/v2/members', { as: key, body }),
      413,
      'BODY_TOO_LARGE',
      /too large/,
    );
  });
});

describe('GET /members', () => {
  test('answers a page of masked members and the total', async () => {
    await enrol(stack, key);
    const { status, body } = await stack.rest('GET', '/api/v2/members?limit=2', { as: key });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['members', 'total']);
    expect(body.members[0]).toEqual({
      ...shapes.member,
      email: expect.stringMatching(/^m\*\*\*@e\*\*\*\.com$/),
      name: expect.stringMatching(/^M\. /),
    });
    expect(body.total).toBeGreaterThanOrEqual(1);
  });

  test('pages by offset without gap or repetition, newest first', async () => {
    for (let n = 0; n < 5; n += 1) await enrol(stack, key);
    const all = (await stack.rest('GET', '/api/v2/members?limit=200', { as: key })).body.members;
    const paged = [];
    for (let offset = 0; offset < all.length; offset += 2) {
      paged.push(
        ...(await stack.rest('GET', `/api/v2/members?limit=2&offset=${offset}`, { as: key })).body.members,
      );
    }
    expect(paged).toEqual(all);
    expect(all.map(({ id }: { id: string }) => id)).toEqual(
      all
        .map(({ id }: { id: string }) => id)
        .sort()
        .reverse(),
    );
  });

  test.each([
    ['limit=0', 'VALIDATION_FAILED', 'limit must be between 1 and 200'],
    ['limit=201', 'VALIDATION_FAILED', 'limit must be between 1 and 200'],
    ['limit=ten', 'VALIDATION_FAILED', 'limit must be a whole number'],
    ['limit=1.5', 'VALIDATION_FAILED', 'limit must be a whole number'],
    ['limit=99999999999999', 'VALIDATION_FAILED', 'limit must be a whole number'],
    ['offset=-1', 'VALIDATION_FAILED', /^offset must be/],
    ['status=happy', 'VALIDATION_FAILED', /^status must be one of pending, active/],
    ['stauts=active', 'UNKNOWN_FIELD', /^stauts is not a field/],
  ])('?%s is 400 and names the parameter', async (query, code, sentence) => {
    expectError(await stack.rest('GET', `/api/v2/members?${query}`, { as: key }), 400, code, sentence);
  });
});

describe('GET and PATCH /members/{id}', () => {
  test('a single read is unmasked', async () => {
    const { id } = await enrol(stack, key, { fullName: 'Clara Clear' });
    const { status, body } = await stack.rest('GET', `/api/v2/members/${id}`, { as: key });
    expect(status).toBe(200);
    expect(body).toEqual({ ...shapes.member, id, name: 'Clara Clear' });
  });

  test.each([unknown, 'not-a-uuid'])('%s is 404', async (id) => {
    expectError(await stack.rest('GET', `/api/v2/members/${id}`, { as: key }), 404, 'MEMBER_NOT_FOUND', id);
  });

  test('PATCH changes only the keys that are sent and clears with null', async () => {
    const { id } = await enrol(stack, key, { customAttributes: { size: 's', visits: 3, note: 'x' } });
    const { status, body } = await stack.rest('PATCH', `/api/v2/members/${id}`, {
      as: key,
      body: { customAttributes: { size: 'l', note: null } },
    });
    expect(status).toBe(200);
    expect(body).toEqual({ ...shapes.member, id, customAttributes: { size: 'l', visits: 3 } });
  });

  test('concurrent PATCHes of different keys all survive', async () => {
    const { id } = await enrol(stack, key);
    const values = { size: 's', visits: 9, likes: ['tea'], since: '2026-01-31', vip: false, note: 'n' };
    const replies = await Promise.all(
      Object.entries(values).map(([name, value]) =>
        stack.rest('PATCH', `/api/v2/members/${id}`, {
          as: key,
          body: { customAttributes: { [name]: value } },
        }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect((await stack.rest('GET', `/api/v2/members/${id}`, { as: key })).body.customAttributes).toEqual(
      values,
    );
  });

  test('PATCH of a status other than active and inactive is 400', async () => {
    const { id } = await enrol(stack, key);
    expectError(
      await stack.rest('PATCH', `/api/v2/members/${id}`, { as: key, body: { status: 'deleted' } }),
      400,
      'VALIDATION_FAILED',
      /^status must be one of/,
    );
    expect(
      (await stack.rest('PATCH', `/api/v2/members/${id}`, { as: key, body: { status: 'inactive' } })).body
        .status,
    ).toBe('inactive');
  });
});
