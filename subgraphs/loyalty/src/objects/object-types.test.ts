import { expect, test } from '@jest/globals';
import type { Context } from '@loyalty/platform/context';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { callerOf, useServices } from '@loyalty/test/harness/services';
import { ask, given } from '../loyalty.fixture.ts';
import type { ObjectFieldInput } from './object-fields.ts';
import { createRecord, fillDefault, updateRecord } from './object-records.service.ts';
import {
  addObjectField,
  archiveObjectType,
  defineObjectType,
  publishObjectType,
  setVisibility,
  unpublishObjectType,
  updateObjectField,
} from './object-type-editor.service.ts';
import { givenTickets } from './objects.fixture.ts';
import { listRecords } from './record-lists.service.ts';

const { services, ctx, fresh } = useServices();

const types = async (where = fresh()) =>
  (await ask(where, '{ objectTypes { type } }')).objectTypes.map(({ type }: { type: string }) => type);
const find = (where: Context, type = 'tickets') =>
  ask(where, 'query ($t: String!) { objectType(type: $t) { type } }', { t: type });

test('a type is defined as a draft, is found once published, and both changes are events', async () => {
  const define = `mutation ($input: DefineObjectTypeInput!) { defineObjectType(input: $input) {
    type label status apiVisible recordCount createdAt updatedAt
    fields { key label type required options refType defaultValue } } }`;
  const options = ['open', 'closed'];
  const plain = { required: false, options: null, refType: null, defaultValue: null };
  const input = {
    type: 'tickets',
    label: 'Support tickets',
    fields: [
      { key: 'status', type: 'ENUM', options, required: true, defaultValue: 'open' },
      { key: 'parent', type: 'RECORD_REF', refType: 'tickets', label: 'Parent ticket' },
    ],
  };
  const { defineObjectType: type } = await ask(ctx, define, { input });
  expect(type).toEqual({
    type: 'tickets',
    label: 'Support tickets',
    status: 'DRAFT',
    apiVisible: true,
    recordCount: 0,
    createdAt: '2026-03-02T10:00:00.000Z',
    updatedAt: '2026-03-02T10:00:00.000Z',
    fields: [
      {
        ...plain,
        key: 'status',
        label: 'status',
        type: 'ENUM',
        required: true,
        options,
        defaultValue: 'open',
      },
      { ...plain, key: 'parent', label: 'Parent ticket', type: 'RECORD_REF', refType: 'tickets' },
    ],
  });
  expect(await types()).toEqual([]);
  await ask(ctx, 'mutation { publishObjectType(type: "tickets") { status } }');
  await publishObjectType(ctx, 'tickets');
  expect(await types()).toEqual(['tickets']);
  expect(await publishedEvents(ctx, 'object_type.changed')).toHaveLength(2);
  const audited = await ctx.sql.query<{ action: string }>(
    'SELECT action FROM platform.audit_entries WHERE workspace_id = $1 ORDER BY id',
    [ctx.scope.workspaceId],
  );
  expect(audited.map(({ action }) => action)).toEqual(['defineObjectType', 'publishObjectType']);
});

test('draft, hidden, archived, unknown and foreign types are not found, in the same words', async () => {
  await defineObjectType(ctx, { type: 'drafts', label: 'Drafts', fields: [] });
  await defineObjectType(ctx, { type: 'gone', label: 'Gone', fields: [] });
  await publishObjectType(ctx, 'gone');
  await archiveObjectType(ctx, 'gone');
  await givenTickets(ctx);
  await setVisibility(ctx, 'tickets', false);
  const refused = await Promise.all(
    ['drafts', 'gone', 'tickets', 'never'].map((type) => find(fresh(), type).catch((error) => error)),
  );
  refused.push(await find(fresh(callerOf()), 'tickets').catch((error) => error));
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['OBJECT_TYPE_NOT_FOUND']));
  expect(new Set(refused.map(({ message }) => message)).size).toBe(1);
  for (const type of ['drafts', 'gone', 'tickets'])
    await expect(createRecord(ctx, type, { subject: 'x' })).rejects.toMatchObject({
      code: 'OBJECT_TYPE_NOT_FOUND',
      category: 'NOT_FOUND',
    });
  await setVisibility(ctx, 'tickets', true);
  expect(await types()).toEqual(['tickets']);
  const all = await ask(fresh(), '{ objectTypeDefinitions { type status apiVisible } }');
  expect(all.objectTypeDefinitions).toEqual([
    { type: 'drafts', status: 'DRAFT', apiVisible: true },
    { type: 'gone', status: 'ARCHIVED', apiVisible: true },
    { type: 'tickets', status: 'PUBLISHED', apiVisible: true },
  ]);
});

test.each<[string, Partial<ObjectFieldInput>, string]>([
  ['key', { key: 'Bad Key' }, 'VALIDATION_FAILED'],
  ['key', { key: 'passport' }, 'SENSITIVE_FIELD'],
  ['label', { label: 'Credit card' }, 'SENSITIVE_FIELD'],
  ['options', { type: 'ENUM' }, 'VALIDATION_FAILED'],
  ['options', { type: 'ENUM', options: ['a', 'a'] }, 'VALIDATION_FAILED'],
  ['options', { type: 'TEXT', options: ['a'] }, 'VALIDATION_FAILED'],
  ['refType', { type: 'RECORD_REF' }, 'VALIDATION_FAILED'],
  ['refType', { type: 'RECORD_REF', refType: 'nowhere' }, 'VALIDATION_FAILED'],
  ['refType', { type: 'TEXT', refType: 'tickets' }, 'VALIDATION_FAILED'],
  ['defaultValue', { type: 'NUMBER', required: true, defaultValue: 'x' }, 'VALIDATION_FAILED'],
  ['defaultValue', { type: 'NUMBER', defaultValue: 1 }, 'VALIDATION_FAILED'],
])('a field with a bad %s is refused by name (%#)', async (at, wrong, code) => {
  const fields = [{ key: 'plain', type: 'TEXT' as const, ...wrong }];
  const defined = defineObjectType(ctx, { type: 'tickets', label: 'T', fields });
  await expect(defined).rejects.toMatchObject({ code, details: { field: `input.fields[0].${at}` } });
});

test('a machine name is used once, and of twenty who define it at once one succeeds', async () => {
  const attempts = await Promise.allSettled(
    Array.from({ length: 20 }, () => defineObjectType(fresh(), { type: 'cars', label: 'Cars', fields: [] })),
  );
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const refused = attempts.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
  expect(new Set(refused)).toEqual(new Set(['OBJECT_TYPE_EXISTS']));
  const twice = [
    { key: 'a', type: 'TEXT' as const },
    { key: 'a', type: 'NUMBER' as const },
  ];
  await expect(defineObjectType(ctx, { type: 'vans', label: 'V', fields: twice })).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
  });
});

test('a required field comes to a type with records only with a default, which all records get', async () => {
  await givenTickets(ctx);
  const test = fresh(callerOf({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' }));
  const live = await createRecord(ctx, 'tickets', { subject: 'Live' });
  await createRecord(test, 'tickets', { subject: 'Test' });
  const field = { key: 'lane', type: 'TEXT' as const, required: true };
  await expect(addObjectField(ctx, 'tickets', field)).rejects.toMatchObject({ code: 'DEFAULT_REQUIRED' });
  await addObjectField(ctx, 'tickets', { key: 'note', type: 'TEXT' });
  const { fields } = await addObjectField(ctx, 'tickets', { ...field, defaultValue: 'Slow' });
  expect(fields.map(({ key }) => key).slice(-3)).toEqual(['parent', 'note', 'lane']);
  const [due] = await publishedEvents(ctx, 'object_type.required_field_added');
  expect(due).toEqual({ objectTypeId: expect.any(String), key: 'lane' });
  const before = await listRecords(fresh(), { type: 'tickets' });
  expect(before.rows[0]!.data).toEqual({ subject: 'Live', lane: 'Slow' });
  for (let run = 0; run < 2; run += 1)
    for (const where of [fresh(), test]) await fillDefault(where, String(due!['objectTypeId']), 'lane');
  for (const where of [fresh(), fresh(test.caller)]) {
    const found = await listRecords(where, { type: 'tickets', filters: { lane: 'Slow' }, search: 'slow' });
    expect(await found.total()).toBe(1);
  }
  await expect(
    updateRecord(ctx, { type: 'tickets', id: live.id, data: { lane: null } }),
  ).rejects.toMatchObject({ message: 'data.lane is required.' });
  await expect(addObjectField(ctx, 'tickets', { key: 'note', type: 'DATE' })).rejects.toMatchObject({
    code: 'OBJECT_FIELD_EXISTS',
  });
});

test('an option that a record holds, live or test, cannot be removed; others can', async () => {
  const fields: ObjectFieldInput[] = [
    { key: 'status', type: 'ENUM', options: ['open', 'closed', 'lost'] },
    { key: 'likes', type: 'LIST', options: ['tea', 'coffee', 'milk'] },
  ];
  await givenTickets(ctx, fields);
  const test = fresh(callerOf({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' }));
  await createRecord(test, 'tickets', { status: 'closed' });
  await createRecord(ctx, 'tickets', { likes: ['tea', 'milk'] });
  const drop = (key: string, option: string) =>
    updateObjectField(ctx, 'tickets', key, { removeOptions: [option] });
  await expect(drop('status', 'closed')).rejects.toMatchObject({ code: 'OPTION_IN_USE' });
  await expect(drop('likes', 'milk')).rejects.toMatchObject({ code: 'OPTION_IN_USE' });
  await drop('status', 'lost');
  const after = await updateObjectField(ctx, 'tickets', 'likes', {
    label: 'Drinks',
    addOptions: ['water'],
    removeOptions: ['coffee'],
  });
  expect(after.fields.map(({ label, options }) => [label, options])).toEqual([
    ['status', ['open', 'closed']],
    ['Drinks', ['tea', 'milk', 'water']],
  ]);
  await expect(updateObjectField(ctx, 'tickets', 'no', {})).rejects.toMatchObject({ code: 'UNKNOWN_FIELD' });
});

test('a type goes back to draft only while nobody wrote a record, and stays archived', async () => {
  await givenTickets(ctx);
  expect((await unpublishObjectType(ctx, 'tickets')).status).toBe('DRAFT');
  await publishObjectType(ctx, 'tickets');
  await createRecord(ctx, 'tickets', { subject: 'x' });
  await expect(unpublishObjectType(ctx, 'tickets')).rejects.toMatchObject({ code: 'OBJECT_TYPE_IN_USE' });
  await archiveObjectType(ctx, 'tickets');
  const again = [
    () => publishObjectType(ctx, 'tickets'),
    () => addObjectField(ctx, 'tickets', { key: 'a', type: 'TEXT' }),
  ];
  for (const attempt of again)
    await expect(attempt()).rejects.toMatchObject({ code: 'OBJECT_TYPE_ARCHIVED', category: 'CONFLICT' });
});

test('counts of many types are read in one statement', async () => {
  for (const type of ['one', 'two', 'three']) {
    await defineObjectType(ctx, { type, label: type, fields: [] });
    await publishObjectType(ctx, type);
  }
  await createRecord(ctx, 'two', {});
  services.statements.length = 0;
  const { objectTypes } = await ask(fresh(), '{ objectTypes { type recordCount } }');
  expect(objectTypes).toEqual([
    { type: 'one', recordCount: 0 },
    { type: 'three', recordCount: 0 },
    { type: 'two', recordCount: 1 },
  ]);
  expect(services.statements).toHaveLength(2);
});

test('the editor is for admins in live mode, the reader needs objects:read, both need the module', async () => {
  await givenTickets(ctx);
  const publish = 'mutation { publishObjectType(type: "tickets") { type } }';
  const as = (change: object) => fresh({ ...ctx.caller, ...change });
  const key = { kind: 'KEY' as const, role: null };
  await expect(ask(as({ role: 'MEMBER' }), publish)).rejects.toMatchObject({ code: 'ROLE_REQUIRED' });
  await expect(ask(as(key), publish)).rejects.toMatchObject({ code: 'ROLE_REQUIRED' });
  await expect(ask(as({ mode: 'TEST' }), publish)).rejects.toMatchObject({ code: 'LIVE_ONLY' });
  await expect(ask(as({ modules: [] }), publish)).rejects.toMatchObject({ code: 'MODULE_DISABLED' });
  await expect(find(as({ modules: [] }))).rejects.toMatchObject({ code: 'MODULE_DISABLED' });
  await expect(find(as({ ...key, scopes: ['members:read'] }))).rejects.toMatchObject({
    code: 'SCOPE_MISSING',
  });
  await expect(find(as({ ...key, scopes: ['objects:read'] }))).resolves.toBeTruthy();
  const { id } = await given.member(ctx);
  const through = `{ member(id: "${id}") { records(type: "tickets") { totalCount } } }`;
  await expect(ask(as({ ...key, scopes: ['members:read'] }), through)).rejects.toMatchObject({
    code: 'SCOPE_MISSING',
  });
});
