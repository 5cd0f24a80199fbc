import { beforeEach, expect, test } from '@jest/globals';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { callerOf, useServices } from '@loyalty/test/harness/services';
import { ask, given } from '../loyalty.fixture.ts';
import { createRecord, deleteRecord, restoreRecord, updateRecord } from './object-records.service.ts';
import { addObjectField, updateObjectField } from './object-type-editor.service.ts';
import { recordCount } from './object-types.service.ts';
import { givenTickets } from './objects.fixture.ts';
import { getRecord, listRecords } from './record-lists.service.ts';

const { ctx, fresh } = useServices();
let typeId: string;

beforeEach(async () => {
  typeId = (await givenTickets(ctx)).id;
});

const create = (data: Record<string, unknown>, where = ctx) =>
  createRecord(where, 'tickets', { subject: 'A ticket', ...data });
const update = (id: string, data: Record<string, unknown>, replace = false) =>
  updateRecord(fresh(), { type: 'tickets', id, data, replace });
const read = async (id: string) => (await getRecord(fresh(), 'tickets', id)).data;
const unknownId = '0190a000-0000-7000-8000-000000000001';

test('a record keeps every type of value in its form and publishes its id and type only', async () => {
  const { id: member } = await given.member(ctx);
  const parent = await create({});
  const record = await create({
    status: 'open',
    customer: member.toUpperCase(),
    score: '3.50',
    tags: ['b', 'a', 'b'],
    urgent: false,
    due: '2026-02-28',
    at: '2026-01-01T10:00:00+02:00',
    link: 'https://example.com/a?b=c',
    mail: ' Ada@Example.com',
    parent: parent.id,
    agent: null,
  });
  expect(await read(record.id)).toEqual({
    subject: 'A ticket',
    status: 'open',
    customer: member,
    score: 3.5,
    tags: ['b', 'a'],
    urgent: false,
    due: '2026-02-28',
    at: '2026-01-01T08:00:00.000Z',
    link: 'https://example.com/a?b=c',
    mail: 'ada@example.com',
    parent: parent.id,
  });
  await update(record.id, { score: 4 });
  await deleteRecord(ctx, 'tickets', record.id);
  const payload = { recordId: record.id, objectType: 'tickets' };
  expect((await publishedEvents(ctx, 'record.created'))[1]).toEqual(payload);
  expect(await publishedEvents(ctx, 'record.updated')).toEqual([payload]);
  expect(await publishedEvents(ctx, 'record.deleted')).toEqual([payload]);
});

test.each([
  [{ status: 'lost' }, 'data.status must be one of open, closed.'],
  [{ score: 'many' }, 'data.score must be a number.'],
  [{ tags: 'a' }, 'data.tags must be an array of at most 200 strings.'],
  [{ urgent: 'yes' }, 'data.urgent must be true or false.'],
  [{ due: '2026-02-30' }, 'data.due must be a day of the calendar, YYYY-MM-DD.'],
  [{ at: 'soon' }, 'data.at must be an instant such as 2026-11-21T09:30:00Z.'],
  [{ link: 'javascript:alert(1)' }, 'data.link must be an absolute http or https address.'],
  [{ mail: 'nobody' }, 'data.mail must be an e-mail address such as ada@example.com.'],
  [{ customer: 'x' }, 'data.customer must be the id of a member.'],
  [{ customer: unknownId }, 'data.customer must be the id of a member.'],
  [{ parent: unknownId }, 'data.parent must be the id of a record of tickets.'],
  [{ subject: null }, 'data.subject is required.'],
  [{ subject: 4 }, 'data.subject must be a string.'],
  [{ colour: 'red', status: 'lost' }, /^data\.colour names a field that tickets lacks; known are subject, /],
  [{ status: 'lost', colour: 'red' }, 'data.status must be one of open, closed.'],
  [{ 'no key!': 1 }, /^data names a field that tickets lacks/],
])('the first bad field of %j is named and nothing is written', async (data, message) => {
  const expected = {
    category: 'BAD_USER_INPUT',
    code: 'VALIDATION_FAILED',
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  };
  await expect(create(data)).rejects.toMatchObject(expected);
  expect(await recordCount(fresh(), typeId)).toBe(0);
  const { id } = await create({ status: 'open' });
  await expect(update(id, data)).rejects.toMatchObject(expected);
  expect(await read(id)).toEqual({ subject: 'A ticket', status: 'open' });
});

test('a missing required field and a value that looks like a card are refused', async () => {
  await expect(createRecord(ctx, 'tickets', {})).rejects.toMatchObject({
    message: 'data.subject is required.',
  });
  await expect(create({ subject: '4111 1111 1111 1111' })).rejects.toMatchObject({
    code: 'SENSITIVE_VALUE',
  });
});

test('members and records of other workspaces and the other mode are refused as unknown ones', async () => {
  const others = [callerOf(), callerOf({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' })].map((caller) =>
    fresh(caller),
  );
  await givenTickets(others[0]!);
  for (const other of others) {
    const member = await given.member(other);
    const record = await create({}, other);
    await expect(create({ customer: member.id })).rejects.toMatchObject({
      message: 'data.customer must be the id of a member.',
    });
    await expect(create({ parent: record.id })).rejects.toMatchObject({
      message: 'data.parent must be the id of a record of tickets.',
    });
    for (const attempt of [
      () => getRecord(fresh(), 'tickets', record.id),
      () => update(record.id, { score: 1 }),
      () => deleteRecord(fresh(), 'tickets', record.id),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'RECORD_NOT_FOUND', category: 'NOT_FOUND' });
  }
});

test('a patch merges, null clears; a replacement keeps nothing and is checked whole', async () => {
  const { id } = await create({ status: 'open', score: 1 });
  expect((await update(id, { score: 2, status: null, due: '2026-01-01' })).data).toEqual({
    subject: 'A ticket',
    score: 2,
    due: '2026-01-01',
  });
  await expect(update(id, { score: 3 }, true)).rejects.toMatchObject({
    message: 'data.subject is required.',
  });
  expect(await read(id)).toMatchObject({ score: 2 });
  const tales = (await publishedEvents(ctx, 'record.updated')).length;
  expect((await update(id, {})).data).toMatchObject({ score: 2 });
  expect(await publishedEvents(ctx, 'record.updated')).toHaveLength(tales);
  expect((await update(id, { subject: 'Other', score: 3 }, true)).data).toEqual({
    subject: 'Other',
    score: 3,
  });
});

test('fifty concurrent patches of different fields all survive, also in filters, search and order', async () => {
  const keys = Array.from({ length: 50 }, (_, i) => `f${i}`);
  for (const key of keys) await addObjectField(ctx, 'tickets', { key, type: 'TEXT' });
  const { id } = await create({});
  await Promise.all(keys.map((key) => update(id, { [key]: `Value of ${key}` })));
  const expected = Object.fromEntries(keys.map((key) => [key, `Value of ${key}`]));
  expect(await read(id)).toEqual({ subject: 'A ticket', ...expected });
  const found = await listRecords(fresh(), { type: 'tickets', filters: expected, search: 'OF F49' });
  expect(await found.total()).toBe(1);
  expect(await publishedEvents(ctx, 'record.updated')).toHaveLength(50);
});

test('a deleted record is gone for everyone until it is restored, and counts stay exact', async () => {
  const { id } = await create({ status: 'closed' });
  const removed = await Promise.allSettled(
    Array.from({ length: 10 }, () => deleteRecord(fresh(), 'tickets', id)),
  );
  expect(removed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await recordCount(fresh(), typeId)).toBe(0);
  const attempts = [
    () => getRecord(fresh(), 'tickets', id),
    () => update(id, { score: 1 }),
    () => create({ parent: id }),
  ];
  for (const attempt of attempts)
    await expect(attempt()).rejects.toMatchObject({ code: expect.stringMatching(/NOT_FOUND|VALIDATION/) });
  expect((await listRecords(fresh(), { type: 'tickets', search: 'ticket' })).rows).toEqual([]);
  expect((await restoreRecord(ctx, 'tickets', id)).deletedAt).toBeNull();
  await expect(restoreRecord(ctx, 'tickets', id)).rejects.toMatchObject({ code: 'RECORD_NOT_FOUND' });
  expect(await recordCount(fresh(), typeId)).toBe(1);
  await deleteRecord(ctx, 'tickets', id);
  await updateObjectField(ctx, 'tickets', 'status', { removeOptions: ['closed'] });
  await expect(restoreRecord(ctx, 'tickets', id)).rejects.toMatchObject({
    message: 'data.status must be one of open.',
  });
  expect(await publishedEvents(ctx, 'record.deleted')).toHaveLength(2);
});

test('two hundred concurrent creations are all counted', async () => {
  await Promise.all(Array.from({ length: 200 }, (_, i) => create({ score: i }, fresh())));
  expect(await recordCount(fresh(), typeId)).toBe(200);
});

test('a caller writes as many records a minute as its limit says', async () => {
  const limits = { ...ctx.caller.limits, recordWritesPerMinute: 2 };
  const slow = fresh({ ...ctx.caller, actor: 'key:slow', limits });
  await create({}, slow);
  const { id } = await create({}, slow);
  await expect(deleteRecord(slow, 'tickets', id)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  await expect(updateRecord(slow, { type: 'tickets', id, data: {} })).rejects.toMatchObject({
    category: 'RATE_LIMITED',
  });
});

test('a creation that is sent again with its key makes no second record', async () => {
  const mutation = 'mutation { createRecord(type: "tickets", data: {subject: "once"}) { id deleted } }';
  const keyed = () => fresh({}, 'key-1');
  expect(await ask(keyed(), mutation)).toEqual(await ask(keyed(), mutation));
  expect(await recordCount(fresh(), typeId)).toBe(1);
});
