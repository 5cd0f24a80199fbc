import { afterEach, expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { wrongCounts } from '@loyalty/test/harness/row-counts';
import { callerOf, useServices } from '@loyalty/test/harness/services';
import { setMemberConsent } from '../consents/consents.service.ts';
import { gatherMemberExport, requestMemberExport } from '../exports/member-exports.service.ts';
import { defineCustomField } from '../fields/custom-fields.service.ts';
import { ask, given } from '../loyalty.fixture.ts';
import { updateMember } from '../member-details/member-details.service.ts';
import { findMember, getMember } from '../members/members.service.ts';
import { openFor, openMemberKey } from '../members/sealing.ts';
import { awardPoints } from '../points/points.service.ts';
import { updateProgram } from '../tiers/programs.service.ts';
import { recordActivity } from './member-activity.service.ts';
import {
  eraseDueMembers,
  requestErasure,
  restrictProcessing,
  setMemberStatus,
} from './member-status.service.ts';

const { services, ctx, fresh } = useServices();
afterEach(async () => expect(await wrongCounts(services.database.sql)).toEqual([]));

const product = () => fresh(systemCaller('test'));

/** Returns every row of every table of the subgraph as text; sealed columns as hexadecimal digits. */
async function everyRow(): Promise<string> {
  const tables = await ctx.sql.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
      WHERE table_schema = 'loyalty' AND table_type = 'BASE TABLE'`,
  );
  expect(tables.length).toBeGreaterThan(7);
  const rows = await Promise.all(
    tables.map(({ name }) =>
      ctx.sql.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${name} AS t`),
    ),
  );
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n');
}

const hexOf = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('hex');

/** Creates a member with data in every table. */
async function someone() {
  await defineCustomField(ctx, { key: 'nick', label: 'Nick', type: 'TEXT' });
  const details = { email: 'gone.girl@example.com', fullName: 'Gone Girl', phone: '+351912345678' };
  const more = { birthOn: '1990-01-31', externalId: 'gone-1', locale: 'pt-PT', tags: ['vip'] };
  const { id } = await given.member(ctx, { ...details, ...more, customAttributes: { nick: 'Gone Girl' } });
  await awardPoints(ctx, id, { amount: 5, description: 'For Gone Girl' });
  await setMemberConsent(ctx, id, { purpose: 'PROFILING', granted: true, source: 'form of Gone Girl' });
  await gatherMemberExport(ctx, (await requestMemberExport(ctx, id)).id);
  return id;
}

async function erase(id: string): Promise<void> {
  await requestErasure(ctx, id);
  services.clock.advance(30 * DAY_MS);
  await eraseDueMembers(product());
}

test('an answer that an Idempotency-Key keeps of the member dies with it, and one of others stays', async () => {
  const create = (email: string, key: string) =>
    ask(fresh({}, key), 'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }', {
      input: { email, fullName: 'Gone Girl' },
    });
  const { createMember: gone } = await create('gone.girl@example.com', 'gone');
  await create('stays@example.com', 'stays');
  const award = 'mutation ($id: ID!) { awardPoints(memberId: $id, input: { amount: 1 }) { id } }';
  await ask(fresh({}, 'award'), award, { id: gone.id });
  await erase(gone.id);
  const kept = await ctx.sql.query(
    `SELECT key, answer IS NULL AS is_erased, $2 = ANY(about) AS is_named FROM platform.idempotency_keys
      WHERE workspace_id = $1 ORDER BY key`,
    [ctx.scope.workspaceId, gone.id],
  );
  expect(kept).toEqual([
    { key: 'award', isErased: true, isNamed: false },
    { key: 'gone', isErased: true, isNamed: false },
    { key: 'stays', isErased: false, isNamed: false },
  ]);
});

test('after an erasure no table holds a plain, a sealed or an indexed byte of the member', async () => {
  const id = await someone();
  const before = await getMember(ctx, id);
  const sealed = [
    before.keySealed,
    before.emailSealed,
    before.nameSealed,
    before.phoneSealed,
    before.birthSealed,
  ];
  const traces = [
    ...['gone.girl', 'Gone Girl', '351912345678', '1990-01-31', 'gone-1'],
    ...sealed.map((bytes) => hexOf(bytes!)),
    before.emailIndex!,
  ];
  const kept = await everyRow();
  for (const trace of [...traces.slice(1, 2), ...traces.slice(5)]) expect(kept).toContain(trace);
  await erase(id);
  const left = await everyRow();
  for (const trace of traces) {
    expect(left).not.toContain(trace);
    expect(left).not.toContain(hexOf(trace));
  }
  expect(left).toContain(id);
});

test('what somebody copied before an erasure cannot be opened by what is left', async () => {
  const id = await someone();
  const copy = (await getMember(ctx, id)).emailSealed!;
  await erase(id);
  const [row] = await ctx.sql.query<{ keySealed: Uint8Array | null }>(
    'SELECT key_sealed FROM loyalty.members WHERE id = $1',
    [id],
  );
  expect(await openMemberKey(fresh(), { id, ...row! })).toBeNull();
  await expect(services.keyring.open(ctx.scope.workspaceId, copy, 'member.email')).rejects.toThrow();
});

test('the books stay: amounts in neutral words, consents without where they were given', async () => {
  const id = await someone();
  await erase(id);
  expect(
    await ctx.sql.query('SELECT amount, description FROM loyalty.points_entries WHERE member_id = $1', [id]),
  ).toEqual([{ amount: 5, description: 'Entry of an erased member' }]);
  const history = 'SELECT purpose, is_granted, source FROM loyalty.consent_changes WHERE member_id = $1';
  expect(await ctx.sql.query(history, [id])).toEqual([
    { purpose: 'PROFILING', isGranted: true, source: null },
  ]);
  for (const table of ['member_tags', 'member_consents', 'member_exports']) {
    expect(await ctx.sql.query(`SELECT 1 FROM loyalty.${table} WHERE member_id = $1`, [id])).toEqual([]);
  }
});

test('points that still wait at an erasure say nothing of the member, those of others stay as they are', async () => {
  await updateProgram(ctx, { pointsPendingDays: 60 });
  const [gone, stays] = [await given.member(ctx), await given.member(ctx)];
  await awardPoints(fresh(), gone.id, { amount: 5, description: 'For Gone Girl' });
  await awardPoints(fresh(), stays.id, { amount: 5, description: 'For Stays' });
  await requestErasure(ctx, gone.id);
  services.clock.advance(30 * DAY_MS);
  await eraseDueMembers(product());
  const described = await ctx.sql.query<{ description: string }>(
    'SELECT description FROM loyalty.point_lots WHERE workspace_id = $1 AND available_at IS NOT NULL ORDER BY id',
    [ctx.scope.workspaceId],
  );
  expect(described.map(({ description }) => description)).toEqual(['Entry of an erased member', 'For Stays']);
});

test('an erasure touches nothing of the members beside it', async () => {
  const stays = await given.member(ctx, { email: 'stays@example.com', tags: ['vip'] });
  await awardPoints(ctx, stays.id, { amount: 3, description: 'Stays' });
  await setMemberConsent(ctx, stays.id, { purpose: 'PROFILING', granted: true, source: 'form' });
  await erase(await someone());
  const read = `query ($id: ID!) { member(id: $id) { email tags { tag { key memberCount } }
    consents { isGranted } consentHistory { nodes { source } }
    pointsTransactions { nodes { description } } } }`;
  expect((await ask(fresh(), read, { id: stays.id })).member).toEqual({
    email: 'stays@example.com',
    tags: [{ tag: { key: 'vip', memberCount: 1 } }],
    consents: [{ isGranted: false }, { isGranted: true }, { isGranted: true }],
    consentHistory: { nodes: [{ source: 'form' }] },
    pointsTransactions: { nodes: [{ description: 'Stays' }] },
  });
});

test('tags and consents that are given while a member is erased leave nothing behind', async () => {
  const members = await Promise.all(Array.from({ length: 10 }, () => given.member(ctx)));
  for (const { id } of members) await requestErasure(ctx, id);
  services.clock.advance(30 * DAY_MS);
  const consent = { purpose: 'PROFILING', granted: true } as const;
  await Promise.allSettled([
    ...members.map(({ id }) => setMemberConsent(fresh(), id, consent)),
    eraseDueMembers(product(), 3),
    ...members.map(({ id }) => setMemberConsent(fresh(), id, { ...consent, purpose: 'PRECISE_LOCATION' })),
  ]);
  await eraseDueMembers(product());
  expect(await publishedEvents(ctx, 'member.erased')).toHaveLength(10);
  const left = 'SELECT 1 FROM loyalty.member_consents WHERE workspace_id = $1';
  expect(await ctx.sql.query(left, [ctx.scope.workspaceId])).toEqual([]);
});

test("each member has a key of its own, and one's key opens nothing of another", async () => {
  const [one, two] = [
    await given.member(ctx, { fullName: 'One' }),
    await given.member(ctx, { fullName: 'Two' }),
  ];
  const key = (await openMemberKey(ctx, one))!;
  expect(openFor(key, one.nameSealed!, 'member.name')).toBe('One');
  expect(() => openFor(key, two.nameSealed!, 'member.name')).toThrow(/damaged or belongs to another/);
  expect(() => openFor(key, one.nameSealed!, 'member.email')).toThrow();
  const swapped = { id: two.id, keySealed: Buffer.from(one.keySealed!) };
  await expect(openMemberKey(ctx, swapped)).rejects.toMatchObject({ code: 'DATA_CORRUPT' });
});

test('an update seals with the key that the member has', async () => {
  const { id } = await given.member(ctx, { email: 'keeps@example.com' });
  await updateMember(ctx, id, { fullName: 'New Name', phone: '12345' });
  const read = 'query ($id: ID!) { member(id: $id) { email name phone } }';
  expect((await ask(fresh(), read, { id })).member).toEqual({
    ...{ email: 'keeps@example.com', name: 'New Name', phone: '12345' },
  });
});

test('personal fields of fifty members take as many statements as those of one', async () => {
  for (let n = 0; n < 50; n += 1) await given.member(ctx, { fullName: `Name ${n}`, phone: '12345' });
  const statements = async (first: number) => {
    services.statements.length = 0;
    await ask(fresh(), 'query ($n: Int) { members(first: $n) { nodes { email name phone birthOn } } }', {
      n: first,
    });
    return services.statements.length;
  };
  expect(await statements(50)).toBe(await statements(1));
  // The list and its entry in the audit log.
  expect(await statements(50)).toBe(2);
});

test('a restriction is shown, published and audited once, and can be ended', async () => {
  const { id } = await given.member(ctx);
  const restrict = `mutation ($id: ID!, $on: Boolean!) { restrictProcessing(memberId: $id, isRestricted: $on)
    { isRestricted } }`;
  for (const on of [true, true, false]) {
    const { restrictProcessing: member } = await ask(fresh(), restrict, { id, on });
    expect(member).toEqual({ isRestricted: on });
  }
  expect(await publishedEvents(ctx, 'member.restriction_changed')).toEqual([
    { memberId: id, isRestricted: true },
    { memberId: id, isRestricted: false },
  ]);
  const audited = await ctx.sql.query(
    'SELECT action, before, after FROM platform.audit_entries WHERE resource_id = $1 ORDER BY id',
    [id],
  );
  expect(audited).toEqual([
    { action: 'restrictProcessing', before: { isRestricted: false }, after: { isRestricted: true } },
    { action: 'restrictProcessing', before: { isRestricted: true }, after: { isRestricted: false } },
  ]);
  await expect(restrictProcessing(fresh(callerOf()), id, true)).rejects.toMatchObject({
    code: 'MEMBER_NOT_FOUND',
  });
});

test('the first activity makes pending and inactive members active, published once', async () => {
  const pending = await given.member(ctx, { enrollmentSource: 'QR' });
  const inactive = await given.member(ctx);
  await setMemberStatus(ctx, inactive.id, 'INACTIVE');
  services.clock.advance(DAY_MS);
  for (const { id } of [pending, inactive]) {
    const noted = await Promise.all(
      Array.from({ length: 5 }, () => fresh().transaction((tx) => recordActivity(tx, id))),
    );
    expect(noted).toEqual(Array(5).fill(true));
    expect(await findMember(fresh(), id)).toMatchObject({
      status: 'ACTIVE',
      lastActivityAt: services.clock.now(),
    });
  }
  expect(await publishedEvents(ctx, 'member.updated')).toEqual([
    { memberId: pending.id, fields: ['status'] },
    { memberId: inactive.id, fields: ['status'] },
  ]);
});

test('activity keeps who unsubscribed unsubscribed, and revives nobody who leaves', async () => {
  const [out, leaving] = [await given.member(ctx), await given.member(ctx)];
  await ctx.sql.query(`UPDATE loyalty.members SET status = 'UNSUBSCRIBED' WHERE id = $1`, [out.id]);
  await requestErasure(ctx, leaving.id);
  expect(await fresh().transaction((tx) => recordActivity(tx, out.id))).toBe(true);
  expect(await fresh().transaction((tx) => recordActivity(tx, leaving.id))).toBe(false);
  expect(await findMember(fresh(), out.id)).toMatchObject({ status: 'UNSUBSCRIBED' });
  expect(await findMember(fresh(), leaving.id)).toMatchObject({ status: 'DEACTIVATION_PENDING' });
});
