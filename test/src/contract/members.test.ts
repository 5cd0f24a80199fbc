import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '@loyalty/platform/clock';
import { newId } from '@loyalty/platform/ids';
import { createStack, type Stack } from '../stack.ts';
import { expectError, shapes } from './shapes.ts';

let stack: Stack;
let token: string;
let key: string;

beforeAll(async () => {
  stack = await createStack();
  ({ token } = await stack.signUp());
  key = (await stack.key(token)).secret;
  const fields = [
    { key: 'size', label: 'Size', type: 'ENUM', options: ['s', 'm', 'l'] },
    { key: 'visits', label: 'Visits', type: 'NUMBER' },
    { key: 'likes', label: 'Likes', type: 'LIST', options: ['tea', 'coffee'] },
    { key: 'since', label: 'Since', type: 'DATE' },
    { key: 'vip', label: 'VIP', type: 'BOOLEAN' },
    { key: 'note', label: 'Note', type: 'TEXT' },
  ];
  for (const input of fields) {
    const { errors } = await stack.graph(
      'mutation ($input: DefineCustomFieldInput!) { defineCustomField(input: $input) { id } }',
      { input },
      token,
    );
    expect(errors).toBeUndefined();
  }
}, 60_000);
afterAll(() => stack.close());

let people = 0;
const enrol = async (more: object = {}) => {
  people += 1;
  const body = { email: `m${people}@example.com`, fullName: `Maria Da Silva ${people}`, ...more };
  return (await stack.rest('POST', '/api/v2/members', { as: key, body })).body;
};
const unknown = newId(systemClock);

describe('POST /members', () => {
  test('answers 201 with the member in clear', async () => {
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
    await enrol({ email: 'twice@example.com' });
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
    await enrol();
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
    for (let n = 0; n < 5; n += 1) await enrol();
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
  test('a single read is in clear', async () => {
    const { id } = await enrol({ fullName: 'Clara Clear' });
    const { status, body } = await stack.rest('GET', `/api/v2/members/${id}`, { as: key });
    expect(status).toBe(200);
    expect(body).toEqual({ ...shapes.member, id, name: 'Clara Clear' });
  });

  test.each([unknown, 'not-a-uuid'])('%s is 404', async (id) => {
    expectError(await stack.rest('GET', `/api/v2/members/${id}`, { as: key }), 404, 'MEMBER_NOT_FOUND', id);
  });

  test('PATCH changes only the keys that are sent and clears with null', async () => {
    const { id } = await enrol({ customAttributes: { size: 's', visits: 3, note: 'x' } });
    const { status, body } = await stack.rest('PATCH', `/api/v2/members/${id}`, {
      as: key,
      body: { customAttributes: { size: 'l', note: null } },
    });
    expect(status).toBe(200);
    expect(body).toEqual({ ...shapes.member, id, customAttributes: { size: 'l', visits: 3 } });
  });

  test('concurrent PATCHes of different keys all survive', async () => {
    const { id } = await enrol();
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
    const { id } = await enrol();
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

describe('points and tier', () => {
  test('POST points raises the balance and records a transaction; GET shows it', async () => {
    const { id } = await enrol();
    const award = await stack.rest('POST', `/api/v2/members/${id}/points`, {
      as: key,
      body: { amount: 30, description: 'order 9' },
    });
    expect(award.status).toBe(200);
    expect(award.body).toEqual({ transactionId: shapes.uuid, balance: 30 });
    const { body } = await stack.rest('GET', `/api/v2/members/${id}/points`, { as: key });
    expect(body).toEqual({
      memberId: id,
      balance: 30,
      transactions: [
        {
          ...shapes.pointsTransaction,
          id: award.body.transactionId,
          amount: 30,
          balance_after: 30,
          description: 'order 9',
        },
      ],
    });
  });

  test('the ledger shows ten unless told, newest first', async () => {
    const { id } = await enrol();
    for (let n = 1; n <= 12; n += 1)
      await stack.rest('POST', `/api/v2/members/${id}/points`, { as: key, body: { amount: n } });
    const ten = (await stack.rest('GET', `/api/v2/members/${id}/points`, { as: key })).body.transactions;
    expect(ten.map(({ amount }: { amount: number }) => amount)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
    expect(
      (await stack.rest('GET', `/api/v2/members/${id}/points?limit=2`, { as: key })).body.transactions,
    ).toHaveLength(2);
  });

  test.each([
    [{ amount: 0 }, 'VALIDATION_FAILED', 'amount must be a whole number, at least 1'],
    [{ amount: -5 }, 'VALIDATION_FAILED', /^amount must be/],
    [{ amount: 1.5 }, 'VALIDATION_FAILED', /^amount must be/],
    [{ amount: '5' }, 'VALIDATION_FAILED', /^amount must be/],
    [{}, 'VALIDATION_FAILED', 'amount is required'],
    [{ amount: 100_001 }, 'AMOUNT_OVER_CAP', /^amount must be at most 100000/],
  ])('POST points with %j is 400 and moves nothing', async (body, code, sentence) => {
    const { id } = await enrol();
    expectError(
      await stack.rest('POST', `/api/v2/members/${id}/points`, { as: key, body }),
      400,
      code,
      sentence,
    );
    expect((await stack.rest('GET', `/api/v2/members/${id}/points`, { as: key })).body).toEqual({
      memberId: id,
      balance: 0,
      transactions: [],
    });
  });

  test('an Idempotency-Key awards once and replays the answer', async () => {
    const { id } = await enrol();
    const send = (amount: number) =>
      stack.rest('POST', `/api/v2/members/${id}/points`, {
        as: key,
        body: { amount },
        headers: { 'idempotency-key': `sale-${id}` },
      });
    const [first, again] = [await send(5), await send(5)];
    expect(again.body).toEqual(first.body);
    expectError(await send(6), 409, 'IDEMPOTENCY_KEY_REUSED', /Idempotency-Key/);
    expect((await stack.rest('GET', `/api/v2/members/${id}/points`, { as: key })).body.balance).toBe(5);
  });

  test('GET tier shows the current one and all by rank; earning crosses the threshold', async () => {
    for (const input of [
      { name: 'Bronze', rank: 1, upgradeThreshold: 10, multiplier: 1 },
      { name: 'Gold', rank: 2, upgradeThreshold: 100, multiplier: 1.5 },
    ]) {
      const { errors } = await stack.graph(
        'mutation ($input: CreateTierInput!) { createTier(input: $input) { id } }',
        { input },
        token,
      );
      expect(errors).toBeUndefined();
    }
    const { id } = await enrol();
    const none = await stack.rest('GET', `/api/v2/members/${id}/tier`, { as: key });
    expect(none.body).toEqual({
      currentTier: null,
      allTiers: [
        { ...shapes.tier, name: 'Bronze' },
        { ...shapes.tier, name: 'Gold', multiplier: 1.5 },
      ],
    });
    await stack.rest('POST', `/api/v2/members/${id}/points`, { as: key, body: { amount: 100 } });
    const { body } = await stack.rest('GET', `/api/v2/members/${id}/tier`, { as: key });
    expect(body.currentTier).toEqual({
      ...shapes.tier,
      name: 'Gold',
      rank: 2,
      upgrade_threshold: 100,
      multiplier: 1.5,
    });
    expect((await stack.rest('GET', `/api/v2/members/${id}`, { as: key })).body.current_tier_id).toBe(
      body.currentTier.id,
    );
  });

  test.each(['points', 'tier'])('GET %s of an unknown member is 404', async (what) => {
    for (const id of [unknown, 'x'])
      expectError(
        await stack.rest('GET', `/api/v2/members/${id}/${what}`, { as: key }),
        404,
        'MEMBER_NOT_FOUND',
        id,
      );
  });

  test('POST points for an unknown member is 404', async () => {
    expectError(
      await stack.rest('POST', `/api/v2/members/${unknown}/points`, { as: key, body: { amount: 1 } }),
      404,
      'MEMBER_NOT_FOUND',
      unknown,
    );
  });
});

describe('unsubscribe', () => {
  test('POST suppresses an address, also one without a member, as often as it is sent', async () => {
    for (let n = 0; n < 2; n += 1) {
      const { status, body } = await stack.rest('POST', '/api/v2/members/unsubscribe', {
        as: key,
        body: { email: ' Gone@Example.com' },
      });
      expect({ status, body }).toEqual({
        status: 200,
        body: { data: { email: 'gone@example.com', unsubscribed: true } },
      });
    }
    const { body } = await stack.rest('GET', '/api/v2/members/unsubscribe?email=GONE@example.com', {
      as: key,
    });
    expect(body).toEqual({ data: { email: 'gone@example.com', unsubscribed: true } });
  });

  test('GET of an address that nobody opted out is false', async () => {
    const { status, body } = await stack.rest('GET', '/api/v2/members/unsubscribe?email=here@example.com', {
      as: key,
    });
    expect({ status, body }).toEqual({
      status: 200,
      body: { data: { email: 'here@example.com', unsubscribed: false } },
    });
  });

  test('a missing or bad address is 400', async () => {
    expectError(
      await stack.rest('POST', '/api/v2/members/unsubscribe', { as: key, body: {} }),
      400,
      'VALIDATION_FAILED',
      'email is required',
    );
    expectError(
      await stack.rest('GET', '/api/v2/members/unsubscribe?email=x', { as: key }),
      400,
      'VALIDATION_FAILED',
      /^email must be an e-mail/,
    );
  });
});

describe('custom fields', () => {
  test('GET /custom-fields lists the definitions', async () => {
    const { body } = await stack.rest('GET', '/api/v2/custom-fields', { as: key });
    expect(body.total).toBe(6);
    expect(body.fields).toContainEqual({
      key: 'size',
      label: 'Size',
      type: 'enum',
      options: ['s', 'm', 'l'],
      created_at: shapes.instant,
    });
    expect(body.fields).toContainEqual({
      key: 'vip',
      label: 'VIP',
      type: 'boolean',
      options: null,
      created_at: shapes.instant,
    });
  });

  test('GET /custom-fields/values lists what members hold', async () => {
    const { id } = await enrol({ customAttributes: { visits: 4 } });
    const { body } = await stack.rest('GET', `/api/v2/custom-fields/values?memberId=${id}`, { as: key });
    expect(body).toEqual({
      values: [{ memberId: id, key: 'visits', value: 4, updated_at: shapes.instant }],
      total: 1,
    });
  });
});
