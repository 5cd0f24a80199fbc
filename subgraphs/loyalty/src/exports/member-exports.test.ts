import { expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { callerOf, useServices } from '@loyalty/test/harness/services';
import { setMemberConsent } from '../consents/consents.service.ts';
import { defineCustomField } from '../fields/custom-fields.service.ts';
import { ask, given } from '../loyalty.fixture.ts';
import { eraseDueMembers, requestErasure } from '../member-status/member-status.service.ts';
import { awardPoints } from '../points/points.service.ts';
import { pruneLoyaltyJob } from '../retention.jobs.ts';
import { failOldMemberExportsJob, gatherMemberExportJob } from './exports.jobs.ts';
import { gatherMemberExport, requestMemberExport } from './member-exports.service.ts';

const { services, ctx, fresh } = useServices();

const product = () => fresh(systemCaller('test', ctx.scope));
const READ = `query ($id: ID!) { memberExport(id: $id) {
  id status sizeBytes createdAt finishedAt expiresAt content } }`;
const read = async (id: string, where = fresh()) => (await ask(where, READ, { id })).memberExport;

test('an export has everything unmasked, and says when it is done', async () => {
  await defineCustomField(ctx, { key: 'size', label: 'Size', type: 'NUMBER' });
  const person = { email: 'ada@example.com', fullName: 'Ada Lovelace' };
  const details = { ...person, phone: '912345678', birthOn: '1990-01-01' };
  const { id } = await given.member(ctx, {
    ...details,
    timeZone: 'Europe/Lisbon',
    ...{ externalId: 'crm-1', locale: 'pt-PT', customAttributes: { size: 4 }, tags: ['vip'] },
  });
  await awardPoints(ctx, id, { amount: 5, description: 'Welcome' });
  await setMemberConsent(ctx, id, { purpose: 'PROFILING', granted: true, source: 'form' });
  const asked = await requestMemberExport(ctx, id);
  expect(await read(asked.id)).toMatchObject({
    ...{ status: 'PENDING', sizeBytes: null, finishedAt: null, content: null },
  });
  expect(await publishedEvents(ctx, 'member.export_requested')).toEqual([
    { memberId: id, exportId: asked.id },
  ]);
  await gatherMemberExportJob.run(product(), { memberId: id, exportId: asked.id });
  const { content, ...found } = await read(asked.id);
  const now = services.clock.now();
  expect(found).toEqual({
    ...{ id: asked.id, status: 'COMPLETED', sizeBytes: Buffer.byteLength(JSON.stringify(content)) },
    ...{ createdAt: now.toISOString(), finishedAt: now.toISOString() },
    expiresAt: new Date(now.getTime() + 7 * DAY_MS).toISOString(),
  });
  expect(content).toMatchObject({
    exportedAt: now.toISOString(),
    member: {
      id,
      email: details.email,
      name: 'Ada Lovelace',
      phone: details.phone,
      externalId: 'crm-1',
      timeZone: 'Europe/Lisbon',
      customAttributes: { size: 4 },
      pointsBalance: 5,
    },
    loyalty: {
      tier: [],
      tags: [{ key: 'vip', source: 'APPLICATION' }],
      consents: [{ purpose: 'PROFILING', isGranted: true }],
      consentHistory: [{ purpose: 'PROFILING', isGranted: true, source: 'form' }],
      pointsTransactions: [{ amount: 5, balanceAfter: 5, description: 'Welcome' }],
    },
    engagement: { suppression: { isUnsubscribed: false, reasons: [], since: null } },
  });
});

test('every table that names a member is in the export', async () => {
  const { id } = await given.member(ctx);
  const asked = await requestMemberExport(ctx, id);
  await gatherMemberExport(product(), asked.id);
  const tables = await ctx.sql.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
      WHERE table_schema = 'loyalty' AND column_name = 'member_id' ORDER BY table_name`,
  );
  // Each new table needs a line in member-data.store.ts, and its section here.
  const sectionOf: Readonly<Record<string, string | null>> = {
    ambassador_codes: 'ambassadorCodes',
    ambassador_scores: 'ambassadorScore',
    captures: 'captures',
    consent_changes: 'consentHistory',
    coupons: 'coupons',
    enrollments: 'enrollments',
    member_consents: 'consents',
    member_exports: null,
    // Hashes of the name and the phone, which the export contains as text.
    member_search: null,
    member_sessions: 'sessions',
    member_sign_ins: null,
    member_tags: 'tags',
    point_lots: 'pointLots',
    points_entries: 'pointsTransactions',
    referrals: 'referredBy',
    referred_orders: 'referredOrders',
    store_visits: 'visits',
  };
  expect(tables.map(({ name }) => name)).toEqual(Object.keys(sectionOf));
  const { content } = await read(asked.id);
  for (const section of Object.values(sectionOf))
    if (section) expect(content.loyalty).toHaveProperty(section);
});

test('what is kept of an export is sealed', async () => {
  const { id } = await given.member(ctx, { email: 'secret.person@example.com', fullName: 'Secret Person' });
  await gatherMemberExport(product(), (await requestMemberExport(ctx, id)).id);
  const [row] = await ctx.sql.query<{ content: Buffer }>(
    'SELECT content_sealed AS content FROM loyalty.member_exports WHERE member_id = $1',
    [id],
  );
  expect(row!.content.toString('latin1')).not.toMatch(/secret|person/i);
});

test('asked for ten times at once, one is gathered; afterwards another may be', async () => {
  const { id } = await given.member(ctx);
  const asked = await Promise.all(Array.from({ length: 10 }, () => requestMemberExport(fresh(), id)));
  const ids = new Set(asked.map((one) => one.id));
  expect(ids.size).toBe(1);
  expect(await publishedEvents(ctx, 'member.export_requested')).toHaveLength(1);
  const [exportId] = ids;
  for (let n = 0; n < 2; n += 1) await gatherMemberExport(product(), exportId!);
  expect((await requestMemberExport(fresh(), id)).id).not.toBe(exportId);
  const audited = 'SELECT action FROM platform.audit_entries WHERE resource_id = $1';
  expect(await ctx.sql.query(audited, [id])).toEqual(Array(2).fill({ action: 'requestMemberExport' }));
});

test('an export is kept for seven days, and one that nobody gathers has failed after one', async () => {
  const [one, two] = [await given.member(ctx), await given.member(ctx)];
  const done = await requestMemberExport(ctx, one.id);
  await gatherMemberExport(product(), done.id);
  const stuck = await requestMemberExport(ctx, two.id);
  services.clock.advance(DAY_MS);
  for (const job of [failOldMemberExportsJob, pruneLoyaltyJob])
    await job.run(fresh(systemCaller('test')), {});
  expect([(await read(done.id)).status, (await read(stuck.id)).status]).toEqual(['COMPLETED', 'FAILED']);
  services.clock.advance(6 * DAY_MS);
  expect(await read(done.id)).toBeNull();
  await pruneLoyaltyJob.run(fresh(systemCaller('test')), {});
  expect(await ctx.sql.query('SELECT 1 FROM loyalty.member_exports WHERE id = $1', [done.id])).toEqual([]);
});

test('erased members have no export, neither old nor new nor under way', async () => {
  const { id } = await given.member(ctx);
  const done = await requestMemberExport(ctx, id);
  await gatherMemberExport(product(), done.id);
  const pending = await requestMemberExport(ctx, id);
  await requestErasure(ctx, id);
  services.clock.advance(30 * DAY_MS);
  await eraseDueMembers(fresh(systemCaller('test')));
  await gatherMemberExport(product(), pending.id);
  expect([await read(done.id), await read(pending.id)]).toEqual([null, null]);
  await expect(requestMemberExport(fresh(), id)).rejects.toMatchObject({ code: 'MEMBER_NOT_FOUND' });
});

test('only an admin or a key with members:write exports, and only its own members', async () => {
  const { id } = await given.member(ctx);
  const { id: exportId } = await requestMemberExport(ctx, id);
  const plain = fresh({ ...ctx.caller, role: 'MEMBER' });
  await expect(ask(plain, READ, { id: exportId })).rejects.toMatchObject({ code: 'ROLE_REQUIRED' });
  const reader = fresh({ ...ctx.caller, kind: 'KEY', role: null, scopes: ['members:read'] });
  await expect(ask(reader, READ, { id: exportId })).rejects.toMatchObject({ code: 'SCOPE_MISSING' });
  for (const place of [callerOf(), callerOf({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' })]) {
    expect(await read(exportId, fresh(place))).toBeNull();
    await expect(requestMemberExport(fresh(place), id)).rejects.toMatchObject({ code: 'MEMBER_NOT_FOUND' });
  }
});
