import { expect, test } from '@jest/globals';
import { callerOf, useServices } from '@loyalty/test/harness/services';
import { ask, given } from '../loyalty.fixture.ts';
import { updateMember } from '../member-details/member-details.service.ts';
import {
  archiveCustomField,
  type DefineCustomField,
  defineCustomField,
  updateCustomField,
} from './custom-fields.service.ts';

const { services, ctx, fresh } = useServices();

const color: DefineCustomField = {
  key: 'color',
  label: 'Colour',
  type: 'ENUM',
  options: ['red', 'green', 'blue'],
};
const VALUES = `query ($memberId: ID, $key: String, $first: Int, $after: String, $offset: Int) {
  customFieldValues(memberId: $memberId, key: $key, first: $first, after: $after, offset: $offset) {
    totalCount pageInfo { hasNextPage endCursor } nodes { member { id } key value updatedAt } } }`;

test('a defined field is listed, read by key and audited', async () => {
  const define = `mutation ($input: DefineCustomFieldInput!) {
      defineCustomField(input: $input) { id key label type options
      } }`;
  const { defineCustomField: made } = await ask(ctx, define, { input: color });
  expect(made).toMatchObject(color);
  const read = `{ customFields { totalCount nodes { key type options archivedAt } }
      customField(key: "color") { label }
      }`;
  expect(await ask(fresh(), read)).toEqual({
    customFields: {
      totalCount: 1,
      nodes: [{ key: 'color', type: 'ENUM', options: ['red', 'green', 'blue'], archivedAt: null }],
    },
    customField: { label: 'Colour' },
  });
  expect(
    await ctx.sql.query('SELECT action FROM platform.audit_entries WHERE resource_id = $1', [made.id]),
  ).toEqual([{ action: 'defineCustomField' }]);
});

test('a key is unique in its workspace, also of fifty admins at once and after archiving', async () => {
  const attempts = await Promise.allSettled(
    Array.from({ length: 50 }, () => defineCustomField(fresh(), color)),
  );
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await archiveCustomField(ctx, 'color');
  await expect(defineCustomField(ctx, color)).rejects.toMatchObject({
    code: 'CUSTOM_FIELD_EXISTS',
    category: 'CONFLICT',
  });
  await expect(defineCustomField(fresh(callerOf()), color)).resolves.toMatchObject({ key: 'color' });
});

test.each<[Partial<DefineCustomField>, string]>([
  [{ key: 'Color' }, 'VALIDATION_FAILED'],
  [{ key: '1st' }, 'VALIDATION_FAILED'],
  [{ key: 'a'.repeat(64) }, 'VALIDATION_FAILED'],
  [{ key: 'email' }, 'VALIDATION_FAILED'],
  [{ label: ' ' }, 'VALIDATION_FAILED'],
  [{ options: [] }, 'VALIDATION_FAILED'],
  [{ options: ['a', ' a'] }, 'VALIDATION_FAILED'],
  [{ options: [''] }, 'VALIDATION_FAILED'],
  [{ type: 'TEXT' }, 'VALIDATION_FAILED'],
  [{ options: Array.from({ length: 201 }, (_, i) => `o${i}`) }, 'VALIDATION_FAILED'],
  [{ options: ['4111111111111111'] }, 'VALIDATION_FAILED'],
  [{ key: 'passport_number' }, 'SENSITIVE_FIELD'],
  [{ label: 'Your religion' }, 'SENSITIVE_FIELD'],
])('a wrong definition is refused (%#)', async (over, code) => {
  await expect(defineCustomField(ctx, { ...color, ...over })).rejects.toMatchObject({
    code,
    category: 'BAD_USER_INPUT',
  });
});

test('an option that nobody holds can be removed, one that a live or test member holds cannot', async () => {
  await defineCustomField(ctx, color);
  await defineCustomField(ctx, { key: 'tastes', label: 'Tastes', type: 'LIST', options: ['red', 'white'] });
  const testMode = fresh(callerOf({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' }));
  await given.member(testMode, { customAttributes: { color: 'red', tastes: ['white'] } });
  const inUse = { code: 'OPTION_IN_USE', category: 'CONFLICT' };
  await expect(updateCustomField(ctx, 'color', { removeOptions: ['red'] })).rejects.toMatchObject(inUse);
  await expect(updateCustomField(ctx, 'tastes', { removeOptions: ['white'] })).rejects.toMatchObject(inUse);
  const change = { label: 'Favourite', removeOptions: ['green'], addOptions: ['pink'] };
  expect(await updateCustomField(ctx, 'color', change)).toMatchObject({
    label: 'Favourite',
    options: ['red', 'blue', 'pink'],
  });
  expect(await updateCustomField(ctx, 'tastes', { removeOptions: ['red'] })).toMatchObject({
    options: ['white'],
  });
});

test('no member ever holds an option that was removed, however removal and writes race', async () => {
  await defineCustomField(ctx, {
    ...color,
    options: ['keep', ...Array.from({ length: 20 }, (_, i) => `o${i}`)],
  });
  const members = await Promise.all(Array.from({ length: 20 }, async () => (await given.member(ctx)).id));
  await Promise.allSettled(
    members.flatMap((id, i) => [
      updateMember(fresh(), id, { customAttributes: { color: `o${i}` } }),
      updateCustomField(fresh(), 'color', { removeOptions: [`o${i}`] }),
    ]),
  );
  const orphans = await ctx.sql.query(
    `SELECT m.id FROM loyalty.members m JOIN loyalty.custom_fields f USING (workspace_id)
      WHERE m.workspace_id = $1 AND m.custom_attributes ? 'color'
        AND NOT m.custom_attributes->>'color' = ANY(f.options)`,
    [ctx.scope.workspaceId],
  );
  expect(orphans).toEqual([]);
});

test('an archived field keeps its values, hides them and takes no more', async () => {
  await defineCustomField(ctx, color);
  const { id } = await given.member(ctx, { customAttributes: { color: 'red' } });
  expect(await archiveCustomField(ctx, 'color')).toMatchObject({ archivedAt: services.clock.now() });
  await expect(updateMember(ctx, id, { customAttributes: { color: 'blue' } })).rejects.toMatchObject({
    code: 'CUSTOM_FIELD_ARCHIVED',
  });
  const read = `query ($id: ID!) { member(id: $id) { customAttributes } customFields { totalCount }
    archived: customFields(isArchived: true) { nodes { key } } customFieldValues { totalCount } }`;
  expect(await ask(fresh(), read, { id })).toEqual({
    member: { customAttributes: {} },
    customFields: { totalCount: 0 },
    archived: { nodes: [{ key: 'color' }] },
    customFieldValues: { totalCount: 0 },
  });
  expect(
    await ctx.sql.query('SELECT custom_attributes AS held FROM loyalty.members WHERE id = $1', [id]),
  ).toEqual([{ held: { color: 'red' } }]);
});

test('values page by cursor and by offset, filtered by member and key', async () => {
  await defineCustomField(ctx, color);
  await defineCustomField(ctx, { key: 'age', label: 'Age', type: 'NUMBER' });
  const ids: string[] = [];
  for (let age = 0; age < 3; age += 1)
    ids.unshift((await given.member(ctx, { customAttributes: { color: 'red', age } })).id);
  const all = ids.flatMap((id, i) => [
    [id, 'age', 2 - i],
    [id, 'color', 'red'],
  ]);
  const rows = (page: { nodes: { member: { id: string }; key: string; value: unknown }[] }) =>
    page.nodes.map(({ member, key, value }) => [member.id, key, value]);
  const read = async (variables: object) => (await ask(fresh(), VALUES, { ...variables })).customFieldValues;
  const first = await read({ first: 3 });
  expect(rows(first)).toEqual(all.slice(0, 3));
  expect(first).toMatchObject({ totalCount: 6, pageInfo: { hasNextPage: true } });
  expect(rows(await read({ first: 3, after: first.pageInfo.endCursor }))).toEqual(all.slice(3));
  expect(rows(await read({ first: 2, offset: 4 }))).toEqual(all.slice(4));
  expect(rows(await read({ key: 'color' }))).toEqual(all.filter(([, key]) => key === 'color'));
  expect(rows(await read({ memberId: ids[1] }))).toEqual(all.slice(2, 4));
  await expect(read({ after: 'bm9uc2Vuc2U' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
});

test('fields are changed by live admins only and belong to their workspace', async () => {
  await defineCustomField(ctx, color);
  const archive = 'mutation { archiveCustomField(key: "color") { key } }';
  const testMode = callerOf({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' });
  await expect(ask(fresh(testMode), archive)).rejects.toMatchObject({ code: 'LIVE_ONLY' });
  await expect(ask(fresh({ ...ctx.caller, role: 'MEMBER' }), archive)).rejects.toMatchObject({
    code: 'ROLE_REQUIRED',
  });
  await expect(ask(fresh(callerOf()), archive)).rejects.toMatchObject({ code: 'CUSTOM_FIELD_NOT_FOUND' });
  expect(await ask(fresh(callerOf()), '{ customField(key: "color") { key } }')).toEqual({
    customField: null,
  });
  expect(await ask(fresh(testMode), '{ customField(key: "color") { key } }')).toEqual({
    customField: { key: 'color' },
  });
  const key = fresh({ ...ctx.caller, kind: 'KEY', role: null, scopes: ['custom_fields:read'] });
  expect(await ask(key, '{ customFields { totalCount } }')).toEqual({ customFields: { totalCount: 1 } });
});
