import { beforeAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { useStack } from '../../harness/stack.ts';
import { expectError, shapes } from '../shapes.ts';
import { enrol } from './members.fixture.ts';

const stack = useStack();
let token: string;
let key: string;

beforeAll(async () => {
  ({ token } = await stack.signUp());
  key = (await stack.key(token)).secret;
});

const unknown = newId(systemClock);
const at = (id: string, tagKey?: string) => `/api/v2/members/${id}/tags${tagKey ? `/${tagKey}` : ''}`;
const tag = (name: string, label = name) => ({ key: name, label, added_at: shapes.instant, source: 'api' });

describe('tags of a member', () => {
  test('are added one by one or together, as often as they are sent', async () => {
    const { id } = await enrol(stack, key);
    for (let n = 0; n < 2; n += 1) {
      const { status, body } = await stack.rest('POST', at(id), {
        as: key,
        body: { tagKey: 'VIP customers' },
      });
      expect({ status, body }).toEqual({
        status: 200,
        body: { memberId: id, tags: [tag('vip_customers', 'VIP customers')] },
      });
    }
    const { body } = await stack.rest('POST', at(id), { as: key, body: { tags: ['beta', 'vip_customers'] } });
    // The clock stands still, so the tags have one time and are sorted by their keys.
    expect(body).toEqual({ memberId: id, tags: [tag('beta'), tag('vip_customers', 'VIP customers')] });
    expect((await stack.rest('GET', at(id), { as: key })).body).toEqual(body);
  });

  test('can be given when a member is created', async () => {
    const { id } = await enrol(stack, key, { tags: ['early bird'] });
    expect((await stack.rest('GET', at(id), { as: key })).body.tags).toEqual([
      tag('early_bird', 'early bird'),
    ]);
  });

  test('are removed by key; a tag that the member lacks is 404', async () => {
    const { id } = await enrol(stack, key, { tags: ['a', 'two words'] });
    const { status, body } = await stack.rest('DELETE', at(id, 'two%20words'), { as: key });
    expect({ status, body }).toEqual({ status: 200, body: { memberId: id, tags: [tag('a')] } });
    for (const tagKey of ['two_words', 'never'])
      expectError(
        await stack.rest('DELETE', at(id, tagKey), { as: key }),
        404,
        'MEMBER_TAG_NOT_FOUND',
        /tag/,
      );
  });

  test('of a member that does not exist are 404', async () => {
    for (const id of [unknown, 'nobody']) {
      const replies = [
        await stack.rest('GET', at(id), { as: key }),
        await stack.rest('POST', at(id), { as: key, body: { tagKey: 'x' } }),
        await stack.rest('DELETE', at(id, 'x'), { as: key }),
      ];
      for (const reply of replies) expectError(reply, 404, 'MEMBER_NOT_FOUND', id);
    }
  });

  test.each([
    ['no tag', {}, 'VALIDATION_FAILED', 'tagKey must name a tag'],
    ['no tags', { tags: [] }, 'VALIDATION_FAILED', 'tags must name a tag'],
    ['a bad tag', { tagKey: '/' }, 'VALIDATION_FAILED', /^tagKey must be letters/],
    ['one tag as a list', { tags: 'x' }, 'VALIDATION_FAILED', 'tags must be an array'],
    ['an unknown field', { tag: 'x' }, 'UNKNOWN_FIELD', /^tag is not a field/],
  ])('%s is 400', async (_, body, code, sentence) => {
    const { id } = await enrol(stack, key);
    expectError(await stack.rest('POST', at(id), { as: key, body }), 400, code, sentence);
  });

  test('are read with members:read and written with members:write', async () => {
    const { id } = await enrol(stack, key);
    const reader = (await stack.key(token, ['members:read'])).secret;
    expect((await stack.rest('GET', at(id), { as: reader })).status).toBe(200);
    const write = await stack.rest('POST', at(id), { as: reader, body: { tagKey: 'x' } });
    expectError(write, 403, 'SCOPE_MISSING', /members:write/);
  });
});

test('GET /tags lists the tags with their members, newest first', async () => {
  const { token: other } = await stack.signUp();
  const as = (await stack.key(other)).secret;
  expect((await stack.rest('GET', '/api/v2/tags', { as })).body).toEqual({ tags: [], total: 0 });
  await enrol(stack, as, { tags: ['first'] });
  await enrol(stack, as, { tags: ['second', 'first'] });
  const { status, body } = await stack.rest('GET', '/api/v2/tags?limit=1', { as });
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      tags: [{ key: 'second', label: 'second', member_count: 1, created_at: shapes.instant }],
      total: 2,
    },
  });
  const next = await stack.rest('GET', '/api/v2/tags?limit=1&offset=1', { as });
  expect(next.body.tags).toMatchObject([{ key: 'first', member_count: 2 }]);
});
