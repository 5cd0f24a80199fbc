import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { callerOf, useServices } from '@loyalty/test/harness/services';
import { ask, given } from '../loyalty.fixture.ts';
import { eraseDueMembers, requestErasure } from '../member-status/member-status.service.ts';
import { listTags, setTagLabel, tagMember, tagMembers, untagMember } from './tags.service.ts';

const { services, ctx, fresh } = useServices();

const counts = async (where = fresh()) =>
  Object.fromEntries((await listTags(where, {})).rows.map(({ key, memberCount }) => [key, memberCount]));
const keysOf = async (id: string) =>
  (
    await ask(fresh(), 'query ($id: ID!) { member(id: $id) { tags { tag { key } } } }', { id })
  ).member.tags.map(({ tag }: { tag: { key: string } }) => tag.key);

test('an unknown key becomes a tag; the same again changes and publishes nothing', async () => {
  const { id } = await given.member(ctx);
  const tag = `mutation ($id: ID!, $key: String, $keys: [String!]) {
    tagMember(memberId: $id, key: $key, keys: $keys)
    { tags { tag { id key label memberCount createdAt } source addedAt } } }`;
  const { tagMember: first } = await ask(ctx, tag, { id, key: ' VIP  customers ' });
  expect(first.tags).toEqual([
    {
      tag: {
        ...{ id: expect.any(String), key: 'vip_customers', label: 'VIP  customers', memberCount: 1 },
        createdAt: '2026-03-02T10:00:00.000Z',
      },
      ...{ source: 'APPLICATION', addedAt: '2026-03-02T10:00:00.000Z' },
    },
  ]);
  expect((await ask(fresh(), tag, { id, keys: ['vip_customers', 'Vip Customers'] })).tagMember).toEqual(
    first,
  );
  expect(await publishedEvents(ctx, 'member.tagged')).toEqual([
    { memberId: id, tagId: first.tags[0].tag.id },
  ]);
});

test('a tag says who gave it', async () => {
  const { id } = await given.member(ctx);
  const key = fresh({ ...ctx.caller, kind: 'KEY', actor: 'key:1' });
  await tagMember(key, id, { key: 'by-key' });
  await tagMember(fresh(systemCaller('journey', ctx.scope)), id, { key: 'by-product' });
  const { member } = await ask(fresh(), 'query ($id: ID!) { member(id: $id) { tags { source } } }', { id });
  expect(member.tags.map(({ source }: { source: string }) => source).sort()).toEqual(['API', 'AUTOMATION']);
});

test('thirty callers who add the same tags in any order add each once, and the count is exact', async () => {
  const members = await Promise.all(Array.from({ length: 6 }, () => given.member(ctx)));
  const keys = ['a', 'b', 'c'];
  await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      tagMember(fresh(), members[n % 6]!.id, { keys: n % 2 ? keys : keys.toReversed() }),
    ),
  );
  expect(await counts()).toEqual({ a: 6, b: 6, c: 6 });
  expect(await publishedEvents(ctx, 'member.tagged')).toHaveLength(18);
});

test('of ten callers who take a tag one takes it, and the count follows', async () => {
  const { id } = await given.member(ctx);
  const other = await given.member(ctx);
  for (const member of [id, other.id]) await tagMember(ctx, member, { key: 'vip' });
  const attempts = await Promise.allSettled(
    Array.from({ length: 10 }, () => untagMember(fresh(), id, 'VIP')),
  );
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const codes = attempts.flatMap((attempt) => (attempt.status === 'rejected' ? [attempt.reason.code] : []));
  expect(new Set(codes)).toEqual(new Set(['MEMBER_TAG_NOT_FOUND']));
  expect(await counts()).toEqual({ vip: 1 });
  expect(await publishedEvents(ctx, 'member.untagged')).toHaveLength(1);
  expect([await keysOf(id), await keysOf(other.id)]).toEqual([[], ['vip']]);
});

test('a creation adds tags with the member', async () => {
  const { id } = await given.member(ctx, { tags: ['Beta testers', 'vip'] });
  expect(await keysOf(id)).toEqual(['beta_testers', 'vip']);
  await expect(given.member(ctx, { tags: ['!'] })).rejects.toMatchObject({
    details: { field: 'input.tags' },
  });
});

test('members are listed by tag, newest first, beside the other filters', async () => {
  const [one, two, three] = [await given.member(ctx), await given.member(ctx), await given.member(ctx)];
  for (const { id } of [one, three]) await tagMember(ctx, id, { key: 'vip' });
  await tagMember(ctx, two.id, { key: 'other' });
  const list = `query ($tag: String, $status: MemberStatus, $first: Int, $after: String) { members(tag: $tag,
    status: $status, first: $first, after: $after) { totalCount nodes { id } pageInfo { endCursor } } }`;
  const all = (await ask(fresh(), list, { tag: 'VIP' })).members;
  expect(all).toMatchObject({ totalCount: 2, nodes: [{ id: three.id }, { id: one.id }] });
  const first = (await ask(fresh(), list, { tag: 'vip', first: 1 })).members;
  const next = (await ask(fresh(), list, { tag: 'vip', first: 1, after: first.pageInfo.endCursor })).members;
  expect(next.nodes).toEqual([{ id: one.id }]);
  expect((await ask(fresh(), list, { tag: 'vip', status: 'INACTIVE' })).members.totalCount).toBe(0);
  expect((await ask(fresh(), list, { tag: 'unknown' })).members.totalCount).toBe(0);
});

test('tags of fifty members load in as many statements as tags of one', async () => {
  for (let n = 0; n < 50; n += 1) await given.member(ctx, { tags: ['vip', `t${n % 3}`] });
  const list =
    'query ($first: Int) { members(first: $first) { nodes { tags { tag { key memberCount } } } } }';
  const statements = async (first: number) => {
    services.statements.length = 0;
    await ask(fresh(), list, { first });
    return services.statements.length;
  };
  expect(await statements(50)).toBe(await statements(1));
});

test('erasure takes the tags and their counts along', async () => {
  const [gone, stays] = [await given.member(ctx), await given.member(ctx)];
  for (const { id } of [gone, stays]) await tagMember(ctx, id, { keys: ['vip', 'x'] });
  await requestErasure(ctx, gone.id);
  services.clock.advance(30 * DAY_MS);
  await eraseDueMembers(fresh(systemCaller('test')));
  expect(await counts()).toEqual({ vip: 1, x: 1 });
  await expect(tagMember(fresh(), gone.id, { key: 'vip' })).rejects.toMatchObject({
    code: 'MEMBER_NOT_FOUND',
  });
});

test('a label changes, its key stays, and that is audited', async () => {
  const { id } = await given.member(ctx, { tags: ['vip'] });
  const tag = await setTagLabel(ctx, 'VIP', 'Very important');
  expect(tag).toMatchObject({ key: 'vip', label: 'Very important' });
  await tagMember(ctx, id, { key: 'Vip' });
  expect((await listTags(fresh(), {})).rows).toMatchObject([{ label: 'Very important' }]);
  await expect(setTagLabel(ctx, 'nothing', 'x')).rejects.toMatchObject({ code: 'TAG_NOT_FOUND' });
  const audited = await ctx.sql.query('SELECT action FROM platform.audit_entries WHERE resource_id = $1', [
    tag.id,
  ]);
  expect(audited).toEqual([{ action: 'setTagLabel' }]);
});

test.each([
  [{}, 'key'],
  [{ keys: [] }, 'keys'],
  [{ key: '  ' }, 'key'],
  [{ key: '-x' }, 'key'],
  [{ key: 'a/b' }, 'key'],
  [{ key: 'x'.repeat(65) }, 'key'],
  [{ keys: Array.from({ length: 21 }, (_, n) => `t${n}`) }, 'keys'],
])('%j is refused by name', async (wanted, field) => {
  const { id } = await given.member(ctx);
  await expect(tagMember(ctx, id, wanted)).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    details: { field },
  });
});

test('many members get tags and lose others in one act, and only what really changed is counted', async () => {
  const members = [await given.member(ctx, { tags: ['old'] }), await given.member(ctx, { tags: ['vip'] })];
  const ids = members.map(({ id }) => id);
  const act = `mutation ($ids: [ID!]!, $add: [String!], $remove: [String!]) {
    answer: tagMembers(memberIds: $ids, add: $add, remove: $remove) { added removed } }`;
  const change = { ids: [...ids, ids[0]!.toUpperCase()], add: ['VIP', 'new'], remove: ['Old', 'unknown'] };
  expect((await ask(fresh(), act, change)).answer).toEqual({ added: 3, removed: 1 });
  expect((await ask(fresh(), act, change)).answer).toEqual({ added: 0, removed: 0 });
  for (const id of ids) expect(await keysOf(id)).toEqual(['new', 'vip']);
  expect(await counts()).toEqual({ new: 2, old: 0, vip: 2 });
  expect(await publishedEvents(ctx, 'member.untagged')).toHaveLength(1);
});

test('one unknown or erased member among many leaves all as they are', async () => {
  const [stays, gone] = [await given.member(ctx), await given.member(ctx)];
  await requestErasure(ctx, gone.id);
  services.clock.advance(30 * DAY_MS);
  await eraseDueMembers(fresh(systemCaller('test')));
  for (const other of [gone.id, newId(services.clock)])
    await expect(tagMembers(fresh(), [stays.id, other], { add: ['vip'] })).rejects.toMatchObject({
      code: 'MEMBER_NOT_FOUND',
    });
  const elsewhere = fresh(callerOf());
  await expect(tagMembers(elsewhere, [stays.id], { add: ['vip'] })).rejects.toMatchObject({
    code: 'MEMBER_NOT_FOUND',
  });
  expect(await counts()).toEqual({});
});

test('two hundred members are tagged in as many statements as one', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 200; n += 1) ids.push((await given.member(ctx)).id);
  const statements = async (some: readonly string[], tag: string) => {
    services.statements.length = 0;
    await tagMembers(fresh(), some, { add: [tag], remove: ['none'] });
    return services.statements.length;
  };
  expect(await statements(ids, 'many')).toBe(await statements(ids.slice(0, 1), 'one'));
  expect(await counts()).toEqual({ many: 200, one: 1 });
});

test('twenty callers who tag and untag the same members in any order do not stop each other', async () => {
  const ids = await Promise.all(Array.from({ length: 5 }, async () => (await given.member(ctx)).id));
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => {
      const [some, tags] = n % 2 ? [ids, ['a', 'b']] : [ids.toReversed(), ['b', 'a']];
      return tagMembers(fresh(), some, n % 3 ? { add: tags } : { remove: tags });
    }),
  );
  await tagMembers(fresh(), ids, { add: ['a', 'b'] });
  expect(await counts()).toEqual({ a: 5, b: 5 });
});

test.each([
  [[], { add: ['x'] }, 'memberIds'],
  [Array.from({ length: 201 }, () => randomUUID()), { add: ['x'] }, 'memberIds'],
  [['x'], { add: ['x'] }, 'memberIds'],
  [null, {}, 'add'],
  [null, { add: ['a/b'] }, 'add'],
  [null, { remove: ['  '] }, 'remove'],
  [null, { add: ['VIP'], remove: ['vip'] }, 'remove'],
])('of many members, %j with %j is refused by name', async (memberIds, wanted, field) => {
  const ids = memberIds ?? [(await given.member(ctx)).id];
  await expect(tagMembers(ctx, ids, wanted)).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    details: { field },
  });
});

test("another workspace's or mode's member and tags are not reached", async () => {
  const { id } = await given.member(ctx, { tags: ['vip'] });
  for (const place of [callerOf(), callerOf({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' })]) {
    const elsewhere = fresh(place);
    for (const act of [
      () => tagMember(elsewhere, id, { key: 'x' }),
      () => untagMember(elsewhere, id, 'vip'),
      () => tagMember(elsewhere, newId(services.clock), { key: 'x' }),
    ])
      await expect(act()).rejects.toMatchObject({ code: 'MEMBER_NOT_FOUND' });
    expect(await counts(elsewhere)).toEqual({});
    await given.member(elsewhere, { tags: ['vip'] });
  }
  expect(await counts()).toEqual({ vip: 1 });
});

test('a tag is found by reference', async () => {
  await given.member(ctx, { tags: ['vip'] });
  const [tag] = (await listTags(fresh(), {})).rows;
  const reference = 'query ($r: [_Any!]!) { _entities(representations: $r) { ... on Tag { key } } }';
  const { _entities } = await ask(fresh(), reference, { r: [{ __typename: 'Tag', id: tag!.id }] });
  expect(_entities).toEqual([{ key: 'vip' }]);
});
