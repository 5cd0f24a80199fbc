import { expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { callerOf, useServices } from '@loyalty/test/harness/services';
import { defineCustomField } from '../fields/custom-fields.service.ts';
import { ask, given } from '../loyalty.fixture.ts';
import { findMember, type MemberStatus } from '../members/members.service.ts';
import { awardPoints } from '../points/points.service.ts';
import { eraseDueMembersJob, markInactiveMembersJob, markUnsubscribedJob } from './member-status.jobs.ts';
import { moves } from './member-status.moves.ts';
import {
  cancelErasure,
  eraseDueMembers,
  markInactiveMembers,
  markUnsubscribed,
  requestErasure,
  setMemberStatus,
} from './member-status.service.ts';

const { services, ctx, fresh } = useServices();

const product = () => fresh(systemCaller('test'));
const memberIn = async (status: MemberStatus) => {
  const member = await given.member(ctx);
  const before = status === 'DEACTIVATION_PENDING' ? 'PENDING' : null;
  await ctx.sql.query(
    `UPDATE loyalty.members SET status = $2::loyalty."MemberStatus",
      status_before_erasure = $3::loyalty."MemberStatus" WHERE id = $1`,
    [member.id, status, before],
  );
  return member;
};
const statusOf = async (id: string) =>
  (
    await fresh().sql.query<{ status: MemberStatus }>('SELECT status FROM loyalty.members WHERE id = $1', [
      id,
    ])
  )[0]!.status;

const statuses: MemberStatus[] = [
  'PENDING',
  'ACTIVE',
  'UNSUBSCRIBED',
  'INACTIVE',
  'DEACTIVATION_PENDING',
  'DELETED',
];
const acts = {
  BE_ACTIVE: (id: string) => setMemberStatus(fresh(), id, 'ACTIVE'),
  FALL_INACTIVE: (id: string) => setMemberStatus(fresh(), id, 'INACTIVE'),
  REQUEST_ERASURE: (id: string) => requestErasure(fresh(), id),
  CANCEL_ERASURE: (id: string) => cancelErasure(fresh(), id),
};

test.each(
  Object.entries(acts).flatMap(([name, act]) =>
    statuses.map((status) => [name as keyof typeof acts, status, act] as const),
  ),
)('%s of a member that is %s does what the table says', async (name, status, act) => {
  const { id } = await memberIn(status);
  const to = moves[name].to === 'BEFORE' ? 'PENDING' : moves[name].to;
  if (
    (moves[name].from as readonly MemberStatus[]).includes(status) ||
    (status === to && name !== 'CANCEL_ERASURE')
  ) {
    expect((await act(id)).status).toBe(to);
  } else {
    const code = status === 'DELETED' ? 'MEMBER_NOT_FOUND' : 'MEMBER_STATUS_CONFLICT';
    await expect(act(id)).rejects.toMatchObject({ code });
    expect(await statusOf(id)).toBe(status);
  }
});

test('a change of status is audited and published once; the same status again is neither', async () => {
  const { id } = await given.member(ctx);
  for (let i = 0; i < 2; i += 1) await setMemberStatus(ctx, id, 'INACTIVE');
  expect(await publishedEvents(ctx, 'member.inactive')).toEqual([{ memberId: id }]);
  await setMemberStatus(ctx, id, 'ACTIVE');
  expect(await publishedEvents(ctx, 'member.updated')).toEqual([{ memberId: id, fields: ['status'] }]);
  const audited = await ctx.sql.query(
    'SELECT before, after FROM platform.audit_entries WHERE resource_id = $1 ORDER BY id',
    [id],
  );
  expect(audited).toEqual([
    { before: { status: 'ACTIVE' }, after: { status: 'INACTIVE' } },
    { before: { status: 'INACTIVE' }, after: { status: 'ACTIVE' } },
  ]);
});

test('erasure is due in thirty days, asking again keeps the day, cancelling restores', async () => {
  const { id } = await given.member(ctx, { enrollmentSource: 'QR' });
  const request = 'mutation ($id: ID!) { requestErasure(memberId: $id) { status eraseAfter email } }';
  const { requestErasure: first } = await ask(ctx, request, { id });
  expect(first).toMatchObject({
    status: 'DEACTIVATION_PENDING',
    email: expect.stringContaining('@example.com'),
  });
  expect(Date.parse(first.eraseAfter) - services.clock.now().getTime()).toBe(30 * DAY_MS);
  services.clock.advance(DAY_MS);
  expect((await ask(fresh(), request, { id })).requestErasure.eraseAfter).toBe(first.eraseAfter);
  const { cancelErasure: after } = await ask(
    fresh(),
    'mutation ($id: ID!) { cancelErasure(memberId: $id) { status eraseAfter } }',
    { id },
  );
  expect(after).toEqual({ status: 'PENDING', eraseAfter: null });
  expect(await publishedEvents(ctx, 'member.erasure_requested')).toHaveLength(1);
  expect(await publishedEvents(ctx, 'member.erasure_cancelled')).toEqual([{ memberId: id }]);
});

test('after thirty days everything personal is gone, and that is published once', async () => {
  await defineCustomField(ctx, { key: 'nick', label: 'Nick', type: 'TEXT' });
  const details = {
    email: 'gone@example.com',
    fullName: 'Gone Girl',
    phone: '912345678',
    birthOn: '1990-01-01',
    externalId: 'gone-1',
    timeZone: 'Europe/Lisbon',
  };
  const { id } = await given.member(ctx, { ...details, customAttributes: { nick: 'gg' } });
  await awardPoints(ctx, id, { amount: 5 });
  await requestErasure(ctx, id);
  services.clock.advance(30 * DAY_MS - 1);
  await eraseDueMembersJob.run(product(), {});
  expect(await statusOf(id)).toBe('DEACTIVATION_PENDING');
  services.clock.advance(1);
  for (let i = 0; i < 2; i += 1) await eraseDueMembersJob.run(product(), {});
  const [row] = await ctx.sql.query(
    `SELECT status, erased_at, custom_attributes, points_balance, num_nulls(email_index, email_sealed,
      name_sealed, phone_sealed,
            birth_sealed, external_id, locale, time_zone, erase_after, status_before_erasure) AS wiped
              FROM loyalty.members WHERE id = $1`,
    [id],
  );
  expect(row).toEqual({
    status: 'DELETED',
    erasedAt: services.clock.now(),
    customAttributes: {},
    pointsBalance: 5,
    wiped: 10,
  });
  expect(await publishedEvents(ctx, 'member.erased')).toEqual([{ memberId: id }]);
});

test('an erased member reads null, lists only by its status, and its address may enrol again', async () => {
  const { id } = await given.member(ctx, { email: 'again@example.com' });
  await requestErasure(ctx, id);
  services.clock.advance(30 * DAY_MS);
  await eraseDueMembers(product());
  expect(await findMember(fresh(), id)).toBeNull();
  const list = `query ($status: MemberStatus) { members(status: $status) {
      totalCount nodes { id email name erasedAt } }
      }`;
  expect((await ask(fresh(), list)).members.totalCount).toBe(0);
  expect((await ask(fresh(), list, { status: 'DELETED' })).members.nodes).toEqual([
    { id, email: null, name: null, erasedAt: services.clock.now().toISOString() },
  ]);
  await expect(given.member(ctx, { email: 'again@example.com' })).resolves.toMatchObject({
    status: 'ACTIVE',
  });
});

test('a cancelled erasure never happens', async () => {
  const { id } = await given.member(ctx);
  await requestErasure(ctx, id);
  await cancelErasure(ctx, id);
  services.clock.advance(31 * DAY_MS);
  await eraseDueMembers(product());
  expect(await findMember(fresh(), id)).toMatchObject({ status: 'ACTIVE' });
});

test('two rounds at once erase members of many workspaces in small batches, each once', async () => {
  const places = [
    ctx,
    fresh(callerOf()),
    fresh(callerOf({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' })),
  ];
  for (const place of places) {
    for (let i = 0; i < 5; i += 1) await requestErasure(place, (await given.member(place)).id);
  }
  services.clock.advance(30 * DAY_MS);
  await Promise.all([eraseDueMembers(product(), 2), eraseDueMembers(product(), 2)]);
  await eraseDueMembers(product());
  for (const place of places) expect(await publishedEvents(place, 'member.erased')).toHaveLength(5);
});

test('an opted-out address makes its active member unsubscribed, in its own workspace and mode', async () => {
  const member = await given.member(ctx, { email: 'out@example.com' });
  const testMode = fresh(callerOf({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' }));
  const inTest = await given.member(testMode, { email: 'out@example.com' });
  for (let i = 0; i < 2; i += 1) await markUnsubscribedJob.run(fresh(), { emailIndex: member.emailIndex });
  expect([await statusOf(member.id), await statusOf(inTest.id)]).toEqual(['UNSUBSCRIBED', 'ACTIVE']);
  expect(await publishedEvents(ctx, 'member.unsubscribed')).toEqual([{ memberId: member.id }]);
  await markUnsubscribed(fresh(), 'no such index');
});

test('who opts out while erasure is pending is unsubscribed after cancelling', async () => {
  const { id, emailIndex } = await given.member(ctx);
  await requestErasure(ctx, id);
  await markUnsubscribed(ctx, emailIndex!);
  expect(await statusOf(id)).toBe('DEACTIVATION_PENDING');
  expect((await cancelErasure(ctx, id)).status).toBe('UNSUBSCRIBED');
});

test('a year without activity makes active members inactive, activity makes them active again', async () => {
  const [idle, busy, pending] = [
    await given.member(ctx),
    await given.member(ctx),
    await given.member(ctx, { enrollmentSource: 'WEB' }),
  ];
  services.clock.advance(364 * DAY_MS);
  await awardPoints(ctx, busy.id, { amount: 1 });
  services.clock.advance(DAY_MS);
  for (let i = 0; i < 2; i += 1) await markInactiveMembersJob.run(product(), {});
  expect(await Promise.all([idle, busy, pending].map(({ id }) => statusOf(id)))).toEqual([
    'INACTIVE',
    'ACTIVE',
    'PENDING',
  ]);
  expect(await publishedEvents(ctx, 'member.inactive')).toEqual([{ memberId: idle.id }]);
  await awardPoints(ctx, idle.id, { amount: 1 });
  expect(await statusOf(idle.id)).toBe('ACTIVE');
});

test('the yearly round reaches every member in small chunks', async () => {
  const ids = [];
  for (let i = 0; i < 7; i += 1) ids.push((await given.member(ctx)).id);
  services.clock.advance(366 * DAY_MS);
  await markInactiveMembers(product(), 2);
  expect(await Promise.all(ids.map(statusOf))).toEqual(ids.map(() => 'INACTIVE'));
});

test("another workspace's member can be neither set, erased nor restored", async () => {
  const { id } = await given.member(ctx);
  const elsewhere = fresh(callerOf());
  for (const act of [
    () => setMemberStatus(elsewhere, id, 'INACTIVE'),
    () => requestErasure(elsewhere, id),
    () => cancelErasure(elsewhere, id),
  ]) {
    await expect(act()).rejects.toMatchObject({ code: 'MEMBER_NOT_FOUND' });
  }
});
