import { afterEach, expect, test } from '@jest/globals';
import { maskEmail, maskName } from '@loyalty/platform/base/masks';
import type { Context } from '@loyalty/platform/context';
import { executeSubgraph } from '@loyalty/platform/graph/subgraph';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { wrongCounts } from '@loyalty/test/harness/row-counts';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import { storeOf } from '../coupons/coupons.fixture.ts';
import { defineCustomField } from '../fields/custom-fields.service.ts';
import { ask, given } from '../loyalty.fixture.ts';
import { createMember, updateMember } from '../member-details/member-details.service.ts';
import { loyalty } from '../subgraph.ts';

const { services, ctx, fresh, newContext } = useServices();
afterEach(async () => expect(await wrongCounts(services.database.sql)).toEqual([]));

const CREATE = `mutation ($input: CreateMemberInput!) { createMember(input: $input) {
  id email name phone birthOn externalId programId locale status enrollmentSource customAttributes
  homeStore { id } workspace { id } createdAt lastActivityAt isRestricted } }`;
const READ =
  'query ($id: ID!) { member(id: $id) { id email name phone birthOn externalId customAttributes } }';

test('creating a member answers with unmasked personal fields and publishes member.created', async () => {
  const { id: storeId } = await storeOf(ctx);
  const input = {
    email: ' Jane.Doe@Example.com',
    fullName: 'Jane van Doe',
    phone: '+351 912-345-678',
    birthOn: '1990-02-28',
    externalId: 'crm-1',
    programId: 'gold',
    locale: 'pt-pt',
    homeStoreId: storeId,
  };
  const { createMember: member } = await ask(ctx, CREATE, { input });
  expect(member).toMatchObject({
    email: 'jane.doe@example.com',
    name: 'Jane van Doe',
    phone: '+351912345678',
    birthOn: '1990-02-28',
    locale: 'pt-PT',
    status: 'ACTIVE',
    enrollmentSource: 'API',
    customAttributes: {},
    homeStore: { id: storeId },
    workspace: { id: ctx.scope.workspaceId },
    createdAt: '2026-03-02T10:00:00.000Z',
    isRestricted: false,
  });
  expect(await publishedEvents(ctx, 'member.created')).toEqual([{ memberId: member.id }]);
});

test.each([
  ['API', 'ACTIVE'],
  ['IMPORT', 'ACTIVE'],
  ['QR', 'PENDING'],
  ['PORTAL', 'PENDING'],
  ['WEB', 'PENDING'],
] as const)('a member from %s begins %s', async (enrollmentSource, status) => {
  expect((await given.member(ctx, { enrollmentSource })).status).toBe(status);
});

test('nothing personal is stored or published in plain text', async () => {
  const member = await given.member(ctx, {
    email: 'secret.person@example.com',
    fullName: 'Secret Person',
    phone: '912345678',
    birthOn: '1991-01-01',
  });
  const [stored] = await ctx.sql.query<{ row: string }>(
    'SELECT row_to_json(m)::text AS row FROM loyalty.members m WHERE id = $1',
    [member.id],
  );
  const outbox = await ctx.sql.query('SELECT payload FROM platform.outbox WHERE workspace_id = $1', [
    ctx.scope.workspaceId,
  ]);
  expect(stored!.row + JSON.stringify(outbox)).not.toMatch(/secret|person|912345678|1991-01-01/i);
});

test('one member is read unmasked, staff read lists so, too; references are masked', async () => {
  const { id } = await given.member(ctx, {
    email: 'jane@example.co.uk',
    fullName: 'Jane Doe',
    phone: '912345678',
    birthOn: '1990-01-01',
  });
  const { member } = await ask(fresh(), READ, { id });
  expect(member).toMatchObject({
    email: 'jane@example.co.uk',
    name: 'Jane Doe',
    phone: '912345678',
    birthOn: '1990-01-01',
  });
  const masked = { email: 'j***@e***.uk', name: 'J. D.', phone: '***78', birthOn: null };
  const clear = { email: 'jane@example.co.uk', name: 'Jane Doe', phone: '912345678', birthOn: null };
  const listed = async (of: Context, args = '') =>
    (await ask(of, `{ members${args} { nodes { email name phone birthOn } } }`)).members.nodes;
  expect(await listed(fresh())).toEqual([clear]);
  expect(await listed(fresh(), '(masked: true)')).toEqual([masked]);
  expect(await listed(fresh({ kind: 'KEY', actor: 'key:1', scopes: ['members:read'] }))).toEqual([masked]);
  const reference = `query ($r: [_Any!]!) { _entities(representations: $r) { ... on Member { email name phone
    birthOn emailIndex } } }`;
  const { _entities } = await ask(fresh(), reference, { r: [{ __typename: 'Member', id }] });
  expect(_entities).toEqual([{ ...masked, emailIndex: expect.stringMatching(/^[\w-]{43}$/) }]);
});

test('staff read names of members that are referred to: noted once, and fifty as cheaply as one', async () => {
  const names = Array.from({ length: 50 }, (_, n) => `Jane Doe${n}`);
  const ids: string[] = [];
  for (const fullName of names) ids.push((await given.member(ctx, { fullName })).id);
  const query = `query ($r: [_Any!]!, $masked: Boolean) { _entities(representations: $r) {
    ... on Member { name(masked: $masked) } } }`;
  const read = async (of: Context, count: number, masked: boolean | null) => {
    const r = ids.slice(0, count).map((id) => ({ __typename: 'Member', id }));
    services.statements.length = 0;
    const { _entities } = await ask(of, query, { r, masked });
    const shown = _entities.map(({ name }: { readonly name: string }) => name);
    return { names: shown, statements: services.statements.length };
  };
  const { statements } = await read(fresh(), 1, false);
  expect(await read(fresh(), 50, false)).toEqual({ names, statements });
  const hidden = [
    await read(fresh(), 1, true),
    await read(fresh(), 1, null),
    await read(fresh({ scopes: ['members:write'] }), 1, false),
    await read(fresh({ kind: 'KEY', actor: 'key:1', scopes: ['members:read'] }), 1, false),
  ];
  expect(hidden.map((each) => each.names)).toEqual(Array(4).fill(['J. D.']));
  const noted = await ctx.sql.query<{ members: string[] }>(
    `SELECT after->'members' AS members FROM platform.audit_entries
      WHERE workspace_id = $1 AND action = 'readMembers' ORDER BY jsonb_array_length(after->'members')`,
    [ctx.scope.workspaceId],
  );
  expect(noted.map(({ members }) => members)).toEqual([[ids[0]], ids]);
});

test('masks show at most one character of each part', () => {
  expect(['a@b.c', 'x.y@sub.example.com'].map(maskEmail)).toEqual(['a***@b***.c', 'x***@s***.com']);
  expect(['Cher', ' ana  maria lópez ', '😀 smile'].map(maskName)).toEqual(['C.', 'A. L.', '😀. S.']);
});

test('of fifty callers with one new address in any case exactly one enrols it', async () => {
  const attempts = await Promise.allSettled(
    Array.from({ length: 50 }, (_, i) =>
      createMember(ctx, { email: i % 2 ? 'Same@Example.com' : 'same@example.com' }),
    ),
  );
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const codes = attempts.flatMap((attempt) => (attempt.status === 'rejected' ? [attempt.reason.code] : []));
  expect(new Set(codes)).toEqual(new Set(['MEMBER_EXISTS']));
  expect(await publishedEvents(ctx, 'member.created')).toHaveLength(1);
});

test('an external id belongs to one member', async () => {
  await given.member(ctx, { externalId: 'crm-7' });
  await expect(given.member(ctx, { externalId: 'crm-7' })).rejects.toMatchObject({
    code: 'EXTERNAL_ID_EXISTS',
    category: 'CONFLICT',
  });
  const other = await given.member(ctx);
  await expect(updateMember(ctx, other.id, { externalId: 'crm-7' })).rejects.toMatchObject({
    code: 'EXTERNAL_ID_EXISTS',
  });
});

test('the same address may enrol in another workspace and in test mode', async () => {
  const email = 'shared@example.com';
  const test = newContext({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' });
  const made = await Promise.all([ctx, test, newContext()].map((where) => createMember(where, { email })));
  expect(new Set(made.map(({ emailIndex }) => emailIndex)).size).toBe(2);
});

test('a member of another workspace or mode reads null and cannot be changed', async () => {
  const { id } = await given.member(ctx);
  for (const caller of [callerOf(), callerOf({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' })]) {
    const elsewhere = contextOf(services, caller);
    expect(await ask(elsewhere, READ, { id })).toEqual({ member: null });
    await expect(updateMember(elsewhere, id, { fullName: 'X' })).rejects.toMatchObject({
      code: 'MEMBER_NOT_FOUND',
    });
  }
});

test('search finds a whole address in any case or a whole external id, and no part of either', async () => {
  const { id } = await given.member(ctx, { email: 'find.me@example.com', externalId: 'CRM-77' });
  await given.member(ctx);
  const search = async (text: string) =>
    (
      await ask(fresh(), 'query ($s: String) { members(search: $s) { totalCount nodes { id } } }', {
        s: text,
      })
    ).members;
  for (const text of ['FIND.me@example.com ', 'CRM-77'])
    expect(await search(text)).toEqual({ totalCount: 1, nodes: [{ id }] });
  for (const text of ['find.me', 'CRM-7', 'nobody@example.com'])
    expect((await search(text)).totalCount).toBe(0);
});

test('cursor and offset page through all members newest first, and filters narrow both', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 7; i += 1)
    ids.unshift((await given.member(ctx, { programId: i % 2 ? 'odd' : 'even' })).id);
  const list = `query ($first: Int, $after: String, $offset: Int, $programId: String) { members(first: $first,
      after: $after, offset: $offset, programId: $programId) { nodes { id } pageInfo { hasNextPage endCursor }
      totalCount } }`;
  const first = (await ask(fresh(), list, { first: 3 })).members;
  const second = (await ask(fresh(), list, { first: 3, after: first.pageInfo.endCursor })).members;
  const third = (await ask(fresh(), list, { first: 3, offset: 6 })).members;
  expect([...first.nodes, ...second.nodes, ...third.nodes].map(({ id }) => id)).toEqual(ids);
  expect([first, second, third].map(({ pageInfo }) => pageInfo.hasNextPage)).toEqual([true, true, false]);
  expect(third.totalCount).toBe(7);
  expect((await ask(fresh(), list, { programId: 'odd' })).members.totalCount).toBe(3);
});

test('an update changes what was sent, clears what was null and names the fields in its event', async () => {
  const { id } = await given.member(ctx, {
    fullName: 'Old Name',
    phone: '912345678',
    locale: 'en',
    programId: 'p',
  });
  const update = `mutation ($id: ID!, $input: UpdateMemberInput!) { updateMember(id: $id,
      input: $input) { name phone locale programId } }`;
  const { updateMember: member } = await ask(ctx, update, {
    id,
    input: { fullName: 'New Name', phone: null },
  });
  expect(member).toEqual({ name: 'New Name', phone: null, locale: 'en', programId: 'p' });
  expect(await publishedEvents(ctx, 'member.updated')).toEqual([
    { memberId: id, fields: ['fullName', 'phone'] },
  ]);
  await ask(ctx, update, { id, input: {} });
  expect(await publishedEvents(ctx, 'member.updated')).toHaveLength(1);
});

test('who read a member that somebody changed meanwhile changes nothing', async () => {
  const { id, updatedAt } = await given.member(ctx, { fullName: 'Old Name' });
  const update = `mutation ($id: ID!, $input: UpdateMemberInput!, $ifUpdatedAt: DateTime) {
    updateMember(id: $id, input: $input, ifUpdatedAt: $ifUpdatedAt) { updatedAt } }`;
  const change = (fullName: string, ifUpdatedAt: unknown) =>
    ask(fresh(), update, { id, input: { fullName, status: 'INACTIVE' }, ifUpdatedAt });
  services.clock.advance(1_000);
  const answers = await Promise.allSettled(['A', 'B', 'C'].map((name) => change(name, updatedAt)));
  const refused = answers.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
  expect(refused.map(({ reason }) => reason.code)).toEqual(['MEMBER_CHANGED', 'MEMBER_CHANGED']);
  const { updatedAt: now } = (await ask(fresh(), '{ members(first: 1) { nodes { updatedAt } } }')).members
    .nodes[0];
  expect((await change('D', now)).updateMember.updatedAt).toBe(services.clock.now().toISOString());
  services.clock.advance(-1_000);
});

test('forty concurrent updates of different attribute keys all survive', async () => {
  const keys = Array.from({ length: 40 }, (_, i) => `field_${i}`);
  for (const key of keys) await defineCustomField(ctx, { key, label: key, type: 'NUMBER' });
  const { id } = await given.member(ctx, { customAttributes: { field_0: -1 } });
  await Promise.all(keys.map((key, i) => updateMember(fresh(), id, { customAttributes: { [key]: i } })));
  const { member } = await ask(fresh(), READ, { id });
  expect(member.customAttributes).toEqual(Object.fromEntries(keys.map((key, i) => [key, i])));
});

test('one unknown attribute refuses the whole write', async () => {
  await defineCustomField(ctx, { key: 'size', label: 'Size', type: 'NUMBER' });
  const { id } = await given.member(ctx, { fullName: 'Jane Doe' });
  const change = { fullName: 'Changed', customAttributes: { size: 4, nonsense: 1 } };
  await expect(updateMember(ctx, id, change)).rejects.toMatchObject({
    code: 'UNKNOWN_CUSTOM_FIELD',
    category: 'BAD_USER_INPUT',
    details: { field: 'input.customAttributes.nonsense' },
  });
  await expect(given.member(ctx, change)).rejects.toMatchObject({ code: 'UNKNOWN_CUSTOM_FIELD' });
  expect((await ask(fresh(), READ, { id })).member).toMatchObject({ name: 'Jane Doe', customAttributes: {} });
});

test('null clears an attribute and leaves the others', async () => {
  for (const key of ['a', 'b']) await defineCustomField(ctx, { key, label: key, type: 'TEXT' });
  const { id } = await given.member(ctx, { customAttributes: { a: 'x', b: 'y' } });
  expect((await updateMember(ctx, id, { customAttributes: { a: null } })).customAttributes).toEqual({
    b: 'y',
  });
});

test.each([
  ['email', 'no-address'],
  ['fullName', '  '],
  ['phone', '12'],
  ['phone', 'call me'],
  ['birthOn', '2026-03-03'],
  ['birthOn', '1899-12-31'],
  ['locale', 'not a tag!'],
  ['externalId', 'x'.repeat(201)],
  ['programId', 'x'.repeat(101)],
])('%s is refused by name where it is wrong (%#)', async (field, value) => {
  await expect(given.member(ctx, { [field]: value })).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    details: { field: `input.${field}` },
  });
});

test.each(['1900-01-01', '2026-03-02'])('a member may be born on %s', async (birthOn) => {
  const { id } = await given.member(ctx, { birthOn });
  expect((await ask(fresh(), READ, { id })).member).toMatchObject({ birthOn });
});

test('a replayed creation answers with the first member and makes no second', async () => {
  const keyed = () => fresh({}, 'key-1');
  const input = { email: 'replay@example.com', fullName: 'Jane Doe' };
  const first = await ask(keyed(), CREATE, { input });
  expect(await ask(keyed(), CREATE, { input })).toEqual(first);
  expect(await publishedEvents(ctx, 'member.created')).toHaveLength(1);
});

test('reading needs members:read and writing members:write', async () => {
  const key = { ...ctx.caller, kind: 'KEY' as const, role: null };
  const reader = contextOf(services, { ...key, scopes: ['members:read'] });
  const writer = contextOf(services, { ...key, scopes: ['members:write'] });
  await expect(ask(reader, CREATE, { input: { email: 'a@example.com' } })).rejects.toMatchObject({
    code: 'SCOPE_MISSING',
  });
  await expect(ask(writer, '{ members { totalCount } }')).rejects.toMatchObject({ code: 'SCOPE_MISSING' });
  await expect(ask(reader, '{ members { totalCount } }')).resolves.toEqual({ members: { totalCount: 0 } });
});

test('an error repeats no personal data', async () => {
  const { errors } = await executeSubgraph(
    loyalty,
    { query: CREATE, variables: { input: { email: 'very-private' } } },
    ctx,
  );
  expect(JSON.stringify(errors)).not.toContain('very-private');
});
