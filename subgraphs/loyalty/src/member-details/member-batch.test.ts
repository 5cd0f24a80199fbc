import { afterEach, expect, test } from '@jest/globals';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { wrongCounts } from '@loyalty/test/harness/row-counts';
import { callerOf, useServices } from '@loyalty/test/harness/services';
import { storeOf } from '../coupons/coupons.fixture.ts';
import { defineCustomField } from '../fields/custom-fields.service.ts';
import { ask, given } from '../loyalty.fixture.ts';
import { markUnsubscribed } from '../member-status/member-status.service.ts';
import { findMember } from '../members/members.service.ts';
import type { BatchRow } from './member-batch.input.ts';
import { upsertMembers } from './member-batch.service.ts';

const { services, ctx, fresh, newContext } = useServices();
afterEach(async () => expect(await wrongCounts(services.database.sql)).toEqual([]));

const upsert = (...rows: BatchRow[]) => upsertMembers(fresh(), rows);
const READ = `query ($id: ID!) { member(id: $id) { email name phone birthOn externalId programId locale
  timeZone status customAttributes enrollmentSource homeStore { id } tags { tag { key } } } }`;
const read = async (id: string | null) => (await ask(fresh(), READ, { id })).member;
const count = async () => (await ask(fresh(), '{ members { totalCount } }')).members.totalCount as number;

test('a row enrols a member with all its details, as a creation does', async () => {
  await defineCustomField(ctx, { key: 'size', label: 'Size', type: 'NUMBER' });
  const storeId = (await storeOf(ctx)).id.toUpperCase();
  const details = { fullName: 'Ada Lovelace', phone: '912 345 678', externalId: 'crm-1', programId: 'gold' };
  const more = { storeId, locale: 'pt-pt', timeZone: 'Europe/Lisbon', birthDate: '1990-02-28' };
  const attributes = { customAttributes: { size: '4' }, tags: ['VIP', 'vip'] };
  const { results } = await upsert({ email: ' Ada@Example.com', ...details, ...more, ...attributes });
  expect(results).toEqual([
    { index: 0, isOk: true, memberId: expect.any(String), isCreated: true, error: null, errorCode: null },
  ]);
  expect(await read(results[0]!.memberId)).toEqual({
    ...{ email: 'ada@example.com', name: 'Ada Lovelace', phone: '912345678', birthOn: '1990-02-28' },
    ...{ externalId: 'crm-1', programId: 'gold', locale: 'pt-PT', status: 'ACTIVE', enrollmentSource: 'API' },
    ...{ timeZone: 'Europe/Lisbon', customAttributes: { size: 4 }, homeStore: { id: storeId.toLowerCase() } },
    tags: [{ tag: { key: 'vip' } }],
  });
  expect(await publishedEvents(ctx, 'member.created')).toEqual([{ memberId: results[0]!.memberId }]);
  expect(await publishedEvents(ctx, 'member.tagged')).toHaveLength(1);
});

test('bad rows fail alone, each with its own reason, and change nothing', async () => {
  await defineCustomField(ctx, { key: 'size', label: 'Size', type: 'NUMBER' });
  const owner = await given.member(ctx, { externalId: 'taken' });
  const { total, succeeded, failed, results } = await upsert(
    { email: 'good@example.com', customAttributes: { size: 1 } },
    { email: 'nobody' },
    {},
    { email: 'a@example.com', customAttributes: { size: 1, shoe: 2 } },
    { email: 'b@example.com', phone: 'call me' },
    { email: 'c@example.com', birthDate: '1800-01-01' },
    { email: 'd@example.com', externalId: 'taken' },
    { email: 'e@example.com', externalId: 'mine' },
    { email: 'f@example.com', externalId: 'mine' },
    { email: 'g@example.com', storeId: 'corner' },
    { email: 'h@example.com', tags: ['?!'] },
    { email: 'last@example.com' },
    { email: 'i@example.com', storeId: (await storeOf(newContext())).id },
  );
  expect({ total, succeeded, failed }).toEqual({ total: 13, succeeded: 3, failed: 10 });
  expect(results.map(({ index }) => index)).toEqual([...Array(13).keys()]);
  const faults = results
    .filter(({ isOk }) => !isOk)
    .map(({ index, errorCode, error }) => [index, errorCode, error]);
  expect(faults).toEqual([
    [1, 'VALIDATION_FAILED', expect.stringMatching(/^email must be an e-mail address/)],
    [2, 'VALIDATION_FAILED', 'email is required.'],
    [3, 'UNKNOWN_CUSTOM_FIELD', expect.stringMatching(/^customAttributes\.shoe /)],
    [4, 'VALIDATION_FAILED', expect.stringMatching(/^phone must/)],
    [5, 'VALIDATION_FAILED', expect.stringMatching(/^birthDate must/)],
    [6, 'EXTERNAL_ID_EXISTS', expect.stringMatching(/^externalId belongs/)],
    [8, 'EXTERNAL_ID_EXISTS', expect.stringMatching(/^externalId belongs/)],
    [9, 'INVALID_ID', 'storeId must be a UUID.'],
    [10, 'VALIDATION_FAILED', expect.stringMatching(/^tags must/)],
    [12, 'STORE_NOT_FOUND', expect.stringMatching(/^storeId names no store/)],
  ]);
  expect(JSON.stringify(faults)).not.toContain('nobody');
  expect(await count()).toBe(4);
  expect((await findMember(fresh(), owner.id))?.externalId).toBe('taken');
});

test('a known address is an update: what was said changes, null clears, the rest stays', async () => {
  for (const key of ['a', 'b']) await defineCustomField(ctx, { key, label: key, type: 'TEXT' });
  const details = { email: 'known@example.com', fullName: 'Old Name', phone: '912345678', locale: 'en' };
  const zones = { timeZone: 'Europe/Lisbon' };
  const { id } = await given.member(ctx, { ...details, ...zones, customAttributes: { a: 'x', b: 'y' } });
  const { results } = await upsert({
    ...{
      email: 'KNOWN@example.com',
      fullName: 'New Name',
      phone: null,
      customAttributes: { a: null, b: 'z' },
    },
  });
  expect(results).toMatchObject([{ isOk: true, memberId: id, isCreated: false }]);
  expect(await read(id)).toMatchObject({
    ...{
      email: 'known@example.com',
      name: 'New Name',
      phone: null,
      locale: 'en',
      timeZone: 'Europe/Lisbon',
      customAttributes: { b: 'z' },
    },
  });
  const fields = ['fullName', 'phone', 'customAttributes'];
  expect(await publishedEvents(ctx, 'member.updated')).toEqual([{ memberId: id, fields }]);
});

test('an address that stands twice is created, then updated', async () => {
  const { results } = await upsert(
    { email: 'twice@example.com', fullName: 'First', phone: '11111' },
    { email: 'other@example.com' },
    { email: 'Twice@example.com', fullName: 'Second' },
  );
  expect(results.map(({ isCreated }) => isCreated)).toEqual([true, true, false]);
  expect(results[2]!.memberId).toBe(results[0]!.memberId);
  expect(await read(results[0]!.memberId)).toMatchObject({ name: 'Second', phone: '11111' });
});

test('a row without changes succeeds and publishes nothing', async () => {
  const { id } = await given.member(ctx, { email: 'same@example.com' });
  const { results } = await upsert({ email: 'same@example.com' });
  expect(results).toMatchObject([{ isOk: true, memberId: id, isCreated: false }]);
  expect(await publishedEvents(ctx, 'member.updated')).toEqual([]);
});

test('nobody is re-subscribed by a batch', async () => {
  const { id, emailIndex } = await given.member(ctx, { email: 'out@example.com' });
  await markUnsubscribed(ctx, emailIndex!);
  await upsert({ email: 'out@example.com', fullName: 'Still Out' });
  expect(await read(id)).toMatchObject({ name: 'Still Out', status: 'UNSUBSCRIBED' });
});

test.each([0, 101])('%d rows are refused as a whole', async (length) => {
  const rows = Array.from({ length }, (_, n) => ({ email: `row${n}@example.com` }));
  await expect(upsert(...rows)).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    details: { field: 'input' },
  });
  expect(await count()).toBe(0);
});

test('a hundred rows take as many statements as two', async () => {
  await defineCustomField(ctx, { key: 'n', label: 'N', type: 'NUMBER' });
  const rows = (prefix: string, length: number): BatchRow[] =>
    Array.from({ length }, (_, n) => ({
      ...{ email: `${prefix}${n}@example.com`, fullName: `Name ${n}`, externalId: `${prefix}${n}` },
      ...{ customAttributes: { n }, tags: ['batch'] },
    }));
  const statements = async (batch: BatchRow[]) => {
    services.statements.length = 0;
    expect((await upsertMembers(fresh(), batch)).failed).toBe(0);
    return services.statements.length;
  };
  await statements(rows('warm', 1));
  const [few, many] = [await statements(rows('few', 2)), await statements(rows('many', 100))];
  expect(many).toBe(few);
  // Two of them hold the lock of opt-outs and ask engagement for them.
  expect(many).toBeLessThanOrEqual(15);
  // Name and phone are read again for the search index.
  expect(await statements(rows('many', 100))).toBeLessThanOrEqual(many + 1);
});

test('twenty batches of the same people at once enrol each once and lose no update', async () => {
  for (let n = 0; n < 20; n += 1) await defineCustomField(ctx, { key: `f${n}`, label: 'F', type: 'NUMBER' });
  const addresses = Array.from({ length: 10 }, (_, n) => `crowd${n}@example.com`);
  const batches = await Promise.all(
    Array.from({ length: 20 }, (_, n) => {
      const inSomeOrder = n % 2 ? addresses : addresses.toReversed();
      return upsert(...inSomeOrder.map((email) => ({ email, customAttributes: { [`f${n}`]: n } })));
    }),
  );
  expect(batches.map(({ failed }) => failed)).toEqual(Array(20).fill(0));
  expect(batches.flatMap(({ results }) => results).filter(({ isCreated }) => isCreated)).toHaveLength(10);
  expect(await publishedEvents(ctx, 'member.created')).toHaveLength(10);
  const all = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`f${n}`, n]));
  expect(batches[0]!.results).toHaveLength(10);
  for (const { memberId } of batches[0]!.results)
    expect((await read(memberId)).customAttributes).toEqual(all);
});

test('two batches that take one external id at once give it to one member', async () => {
  const batches = await Promise.all(
    Array.from({ length: 8 }, (_, n) => upsert({ email: `claim${n}@example.com`, externalId: 'prize' })),
  );
  expect(batches.filter(({ succeeded }) => succeeded === 1)).toHaveLength(1);
  expect(batches.flatMap(({ results }) => results.flatMap(({ errorCode }) => errorCode ?? []))).toEqual(
    Array(7).fill('EXTERNAL_ID_EXISTS'),
  );
});

test('a replayed batch answers as the first and writes nothing more', async () => {
  const keyed = () => fresh({}, 'batch-1');
  const upsertDocument = `mutation ($input: [UpsertMemberInput!]!) { upsertMembers(input: $input) { total
    succeeded failed results { index isOk isCreated error errorCode member { id email } } } }`;
  const input = [{ email: 'replay@example.com' }, { email: 'bad' }];
  const first = await ask(keyed(), upsertDocument, { input });
  expect(first.upsertMembers.results[0]).toMatchObject({
    isCreated: true,
    member: { email: 'r***@e***.com' },
  });
  expect(await ask(keyed(), upsertDocument, { input })).toEqual(first);
  expect(await count()).toBe(1);
});

test('a batch of one workspace or mode knows nothing of another', async () => {
  const { id } = await given.member(ctx, { email: 'shared@example.com', externalId: 'shared' });
  const places = [callerOf(), callerOf({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' })];
  for (const place of places) {
    const row = { email: 'shared@example.com', externalId: 'shared', fullName: 'Other' };
    const { results } = await upsertMembers(fresh(place), [row]);
    expect(results).toMatchObject([{ isOk: true, isCreated: true }]);
  }
  expect((await read(id)).name).toBeNull();
});
