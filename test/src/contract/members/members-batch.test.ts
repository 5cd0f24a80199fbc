import { beforeAll, describe, expect, test } from '@jest/globals';
import { useStack } from '../../harness/stack.ts';
import { expectError, shapes } from '../shapes.ts';
import { defineFields, enrol } from './members.fixture.ts';

const stack = useStack();
let token: string;
let key: string;

beforeAll(async () => {
  ({ token } = await stack.signUp());
  key = (await stack.key(token)).secret;
  await defineFields(stack, token);
});

const post = (body: unknown, as = key) => stack.rest('POST', '/api/v2/members/batch', { as, body });
const total = async () => (await stack.rest('GET', '/api/v2/members?limit=1', { as: key })).body.total;

describe('POST /members/batch', () => {
  test('answers 200 where every row succeeded', async () => {
    const known = await enrol(stack, key);
    const { status, body } = await post({
      members: [
        { email: 'new.row@example.com', fullName: 'New Row', customAttributes: { size: 'm' } },
        { email: known.email, fullName: 'Renamed' },
      ],
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...{ total: 2, succeeded: 2, failed: 0 },
      results: [
        { index: 0, ok: true, id: shapes.uuid, created: true, error: null },
        { index: 1, ok: true, id: known.id, created: false, error: null },
      ],
    });
    const read = await stack.rest('GET', `/api/v2/members/${body.results[0].id}`, { as: key });
    expect(read.body).toMatchObject({ ...shapes.member, name: 'New Row', customAttributes: { size: 'm' } });
    expect((await stack.rest('GET', `/api/v2/members/${known.id}`, { as: key })).body.name).toBe('Renamed');
  });

  test('answers 207 where a row failed, and keeps the others', async () => {
    const { status, body } = await post({
      members: [
        { email: 'nope' },
        { email: 'kept@example.com' },
        { email: 'x@example.com', customAttributes: { shoe: 1 } },
      ],
    });
    expect(status).toBe(207);
    expect(body).toEqual({
      ...{ total: 3, succeeded: 1, failed: 2 },
      results: [
        {
          ...{ index: 0, ok: false, id: null, created: null },
          error: expect.stringMatching(/^email must be/),
        },
        { index: 1, ok: true, id: shapes.uuid, created: true, error: null },
        {
          ...{ index: 2, ok: false, id: null, created: null },
          error: expect.stringMatching(/^customAttributes\.shoe /),
        },
      ],
    });
  });

  test.each([
    ['no rows', { members: [] }, 'VALIDATION_FAILED', /^members must be 1 to 100/],
    [
      'too many rows',
      { members: Array.from({ length: 101 }, (_, n) => ({ email: `many${n}@example.com` })) },
      'VALIDATION_FAILED',
      /^members must be 1 to 100/,
    ],
    [
      'too many rows with a bad one',
      { members: Array.from({ length: 101 }, (_, n) => ({ email: `many${n}@example.com`, tags: n && [] })) },
      'VALIDATION_FAILED',
      /^members\[0\]\.tags must be/,
    ],
    [
      'a field beside the rows',
      { members: [{ email: 5 }], mode: 'x' },
      'UNKNOWN_FIELD',
      /^mode is not a field/,
    ],
    ['nothing', {}, 'VALIDATION_FAILED', 'members is required'],
    ['no array', { members: { email: 'a@b.co' } }, 'VALIDATION_FAILED', 'members must be an array'],
  ])('%s is 400 for the whole, and nothing is written', async (_, body, code, sentence) => {
    const before = await total();
    expectError(await post(body), 400, code, sentence);
    expect(await total()).toBe(before);
  });

  test('a value that does not fit fails its row, and the others are kept', async () => {
    const before = await total();
    const rows = [
      [{ birthDate: '1990-02-30' }, /^birthDate must be a day/],
      [{ fullName: 5 }, /^fullName must be a string/],
      [{ tags: 'vip' }, /^tags must be an array/],
      [{ customAttributes: [] }, /^customAttributes must be an object/],
      [{ nickname: 'x' }, /^nickname is not known; known are email, /],
      [{ fullName: 'a\0b' }, /must not contain the character U\+0000/],
    ] as const;
    const good = [{ email: 'first.row@example.com' }, { email: 'last.row@example.com' }];
    const bad = rows.map(([more], n) => ({ email: `bad${n}@example.com`, ...more }));
    const { status, body } = await post({ members: [good[0], ...bad, null, good[1]] });
    const refused = (index: number, error: RegExp) => ({
      ...{ index, ok: false, id: null, created: null },
      error: expect.stringMatching(error),
    });
    const done = (index: number) => ({ index, ok: true, id: shapes.uuid, created: true, error: null });
    expect([status, body]).toEqual([
      207,
      {
        ...{ total: 9, succeeded: 2, failed: 7 },
        results: [
          done(0),
          ...rows.map(([, sentence], n) => refused(n + 1, sentence)),
          refused(7, /^members\[7\] must not be null/),
          done(8),
        ],
      },
    ]);
    expect(await total()).toBe(before + 2);
  });

  test('checks the caller even if no row is valid', async () => {
    const body = { members: [{ email: 5 }, { email: 'a@b.co', birthDate: 'x' }] };
    const all = await post(body);
    expect([all.status, all.body]).toMatchObject([207, { total: 2, succeeded: 0, failed: 2 }]);
    const { secret } = await stack.key(token, ['members:read']);
    expectError(await post(body, secret), 403, 'SCOPE_MISSING', /members:write/);
    expectError(await post(body, 'lk_live_wrong'), 401, 'CREDENTIAL_INVALID', /./);
  });

  test('an Idempotency-Key stands for the rows that were done', async () => {
    const headers = { 'idempotency-key': 'rows-1' };
    const send = (members: readonly unknown[]) =>
      stack.rest('POST', '/api/v2/members/batch', { as: key, body: { members }, headers });
    const rows = [{ email: 'once.row@example.com' }, { email: 'bad@example.com', birthDate: 'x' }];
    const first = await send(rows);
    expect([first.status, first.body.results[0].created]).toEqual([207, true]);
    expect((await send(rows)).body).toEqual(first.body);
    expectError(
      await send([rows[0], { email: 'bad@example.com', birthDate: '1990-01-01' }]),
      ...([409, 'IDEMPOTENCY_KEY_REUSED', /new key/] as const),
    );
  });

  test('accepts a hundred rows', async () => {
    const members = Array.from({ length: 100 }, (_, n) => ({
      ...{ email: `row${n}@example.com`, fullName: `Row Number ${n}`, externalId: `row-${n}` },
      ...{ phone: '912345678', locale: 'pt-PT', birthDate: '1990-01-01', tags: ['imported'] },
    }));
    const { status, body } = await post({ members });
    expect({ status, succeeded: body.succeeded }).toEqual({ status: 200, succeeded: 100 });
  });

  test('needs members:write', async () => {
    const { secret } = await stack.key(token, ['members:read']);
    expectError(
      await post({ members: [{ email: 'a@b.co' }] }, secret),
      403,
      'SCOPE_MISSING',
      /members:write/,
    );
  });
});

describe('GET /members?status=deleted', () => {
  test('lists erased members, of whom nothing personal is left', async () => {
    const { id } = await enrol(stack, key);
    await stack.graph('mutation ($id: ID!) { requestErasure(memberId: $id) { id } }', { id }, token);
    const listed = async (status: string) =>
      (await stack.rest('GET', `/api/v2/members?status=${status}`, { as: key })).body.members;
    expect(await listed('deactivation_pending')).toMatchObject([{ id, status: 'deactivation_pending' }]);
    await stack.services.database.sql.query(
      `UPDATE loyalty.members SET erase_after = '2020-01-01' WHERE id = $1`,
      [id],
    );
    const { eraseDueMembersJob } = await import('@loyalty/loyalty-subgraph/member-status/member-status.jobs');
    const { callerOf, contextOf } = await import('../../harness/services.ts');
    await eraseDueMembersJob.run(contextOf(stack.services, callerOf()), {});
    expect(await listed('deleted')).toEqual([
      { ...shapes.member, id, email: null, name: null, status: 'deleted', customAttributes: {} },
    ]);
    expectError(await stack.rest('GET', `/api/v2/members/${id}`, { as: key }), 404, 'MEMBER_NOT_FOUND', id);
  });
});
