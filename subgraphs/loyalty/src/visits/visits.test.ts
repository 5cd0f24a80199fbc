import { beforeEach, expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '@loyalty/platform/base/clock';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { ask, given } from '../loyalty.fixture.ts';
import { eraseDueMembers, requestErasure, setMemberStatus } from '../member-status/member-status.service.ts';
import { getMember } from '../members/members.service.ts';
import { memberCaller, place } from './visits.fixture.ts';
import { recordVisitJob } from './visits.jobs.ts';
import { recordStoreVisit } from './visits.service.ts';

const NOON = '2026-03-02T12:00:00.000Z';

const { services, ctx, fresh, newContext } = useServices();

beforeEach(async () => {
  services.clock.set(NOON);
  await place.workspace(ctx, 'Europe/Lisbon');
});

const as = (memberId: string) => contextOf(services, memberCaller(ctx.caller, memberId));

const CHECK_IN = `mutation ($storeId: ID!) { checkIn(storeId: $storeId) {
  isNew visit { id visitedOn visitedAt source member { id } store { id } } } }`;
const RECORD = `mutation ($memberId: ID!, $storeId: ID!) {
  recordStoreVisit(memberId: $memberId, storeId: $storeId) { isNew visit { id source } } }`;

const visitsOf = async (memberId: string) =>
  (
    await ask(
      fresh(),
      `query ($id: ID!) { member(id: $id) {
        visitSummary { count lastAt } visits { totalCount nodes { visitedOn source } } } }`,
      { id: memberId },
    )
  ).member;

test('a check-in keeps one visit of the signed-in member and publishes store.visited once', async () => {
  const { id } = await given.member(ctx);
  const storeId = await place.store(ctx);
  const { checkIn } = await ask(as(id), CHECK_IN, { storeId });
  expect(checkIn).toEqual({
    isNew: true,
    visit: {
      id: expect.any(String),
      visitedOn: '2026-03-02',
      visitedAt: NOON,
      source: 'QR',
      member: { id },
      store: { id: storeId },
    },
  });
  const again = (await ask(as(id), CHECK_IN, { storeId })).checkIn;
  expect(again).toEqual({ ...checkIn, isNew: false });
  const recorded = (await ask(fresh(), RECORD, { memberId: id, storeId })).recordStoreVisit;
  expect(recorded).toEqual({ isNew: false, visit: { id: checkIn.visit.id, source: 'QR' } });
  expect(await publishedEvents(ctx, 'store.visited')).toEqual([
    { memberId: id, storeId, visitId: checkIn.visit.id, source: 'QR' },
  ]);
});

test('of fifty check-ins at once, each in its own request, one is a new visit', async () => {
  const { id } = await given.member(ctx);
  const storeId = await place.store(ctx, 'Asia/Tokyo');
  // 23:59:59.999 in Tokyo, and the first millisecond of the next day.
  for (const [at, day] of [
    ['2026-03-02T14:59:59.999Z', '2026-03-02'],
    ['2026-03-02T15:00:00.000Z', '2026-03-03'],
  ] as const) {
    services.clock.set(at);
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        if (i % 3 === 0) return (await ask(as(id), CHECK_IN, { storeId })).checkIn;
        if (i % 3 === 1) return recordStoreVisit(fresh(), id, storeId);
        const observedAt = services.clock.now().toISOString();
        await recordVisitJob.run(fresh(), { memberId: id, storeId, source: 'REDEEM', observedAt });
        return null;
      }),
    );
    const visits = answers.flatMap((answer) => (answer ? [answer.visit] : []));
    expect(new Set(visits.map((visit) => visit.id)).size).toBe(1);
    expect(visits[0].visitedOn).toBe(day);
    expect(answers.filter((answer) => answer?.isNew).length).toBeLessThanOrEqual(1);
  }
  expect(await publishedEvents(ctx, 'store.visited')).toHaveLength(2);
  expect((await visitsOf(id)).visits.totalCount).toBe(2);
});

test.each([
  ['Pacific/Kiritimati', '2026-03-03'],
  ['Asia/Kolkata', '2026-03-02'],
  ['UTC', '2026-03-02'],
  ['Pacific/Pago_Pago', '2026-03-02'],
  [null, '2026-03-02'],
])('a visit at noon UTC is of the day that it is in %s', async (timeZone, day) => {
  const { id } = await given.member(ctx);
  const { visit } = await recordStoreVisit(ctx, id, await place.store(ctx, timeZone));
  expect(visit.visitedOn).toBe(day);
});

test('without a time zone of its own a store keeps the days of its workspace, summer time too', async () => {
  const { id } = await given.member(ctx);
  const storeId = await place.store(ctx);
  // Lisbon is at UTC in winter and an hour ahead from 29 March 2026.
  const days: string[] = [];
  for (const at of ['2026-03-28T23:30:00Z', '2026-03-29T22:59:59Z', '2026-03-29T23:00:00Z']) {
    services.clock.set(at);
    days.push((await recordStoreVisit(ctx, id, storeId)).visit.visitedOn);
  }
  expect(days).toEqual(['2026-03-28', '2026-03-29', '2026-03-30']);
});

test('the same moment at two stores is two visits, on the day of each', async () => {
  services.clock.set('2026-03-02T23:30:00Z');
  const { id } = await given.member(ctx);
  for (const timeZone of ['Europe/Madrid', 'America/New_York'])
    await recordStoreVisit(ctx, id, await place.store(ctx, timeZone));
  const { visits } = await visitsOf(id);
  expect(visits.nodes.map(({ visitedOn }: { visitedOn: string }) => visitedOn)).toEqual([
    '2026-03-02',
    '2026-03-03',
  ]);
});

test('a first visit makes a pending or inactive member active and is its last activity', async () => {
  const storeId = await place.store(ctx);
  const pending = await given.member(ctx, { enrollmentSource: 'QR' });
  const inactive = await given.member(ctx);
  await setMemberStatus(ctx, inactive.id, 'INACTIVE');
  services.clock.advance(HOUR_MS);
  for (const { id } of [pending, inactive]) {
    await recordStoreVisit(ctx, id, storeId);
    const after = await getMember(fresh(), id);
    expect([after.status, after.lastActivityAt]).toEqual(['ACTIVE', services.clock.now()]);
  }
  expect(await publishedEvents(ctx, 'member.updated')).toEqual(
    [pending, inactive].map(({ id }) => ({ memberId: id, fields: ['status'] })),
  );
});

test('a job that runs again the next day keeps the visit on the day that it was seen', async () => {
  const { id } = await given.member(ctx);
  const storeId = await place.store(ctx);
  const data = { memberId: id, storeId, source: 'REDEEM', observedAt: NOON };
  await recordVisitJob.run(ctx, data);
  services.clock.advance(DAY_MS);
  await recordVisitJob.run(ctx, data);
  const { visits, visitSummary } = await visitsOf(id);
  expect(visits).toEqual({ totalCount: 1, nodes: [{ visitedOn: '2026-03-02', source: 'REDEEM' }] });
  expect(visitSummary).toEqual({ count: 1, lastAt: NOON });
});

test('members who leave or are gone, and stores that are archived or unknown, have no visits', async () => {
  const open = await place.store(ctx);
  const archived = await place.store(ctx, null, 'ARCHIVED');
  const { id } = await given.member(ctx);
  const code = (memberId: string, storeId: string) => ({ memberId, storeId });
  await expect(ask(fresh(), RECORD, code(id, archived))).rejects.toMatchObject({ code: 'STORE_ARCHIVED' });
  await expect(ask(fresh(), RECORD, code(id, id))).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
  await expect(ask(fresh(), RECORD, code(open, open))).rejects.toMatchObject({ code: 'MEMBER_NOT_FOUND' });
  await requestErasure(ctx, id);
  await expect(ask(as(id), CHECK_IN, { storeId: open })).rejects.toMatchObject({ code: 'MEMBER_CLOSED' });
  await recordVisitJob.run(fresh(), { memberId: id, storeId: open, source: 'QR', observedAt: NOON });
  services.clock.advance(30 * DAY_MS);
  await eraseDueMembers(newContext());
  await expect(ask(fresh(), RECORD, code(id, open))).rejects.toMatchObject({ code: 'MEMBER_NOT_FOUND' });
  await recordVisitJob.run(fresh(), { memberId: id, storeId: open, source: 'QR', observedAt: NOON });
  expect(await publishedEvents(ctx, 'store.visited')).toEqual([]);
});

test('the same store id of another workspace, or the other mode, shares no visits', async () => {
  const storeId = await place.store(ctx);
  const { id } = await given.member(ctx);
  await recordStoreVisit(ctx, id, storeId);
  const test = newContext({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' });
  const twin = await given.member(test);
  expect((await recordStoreVisit(test, twin.id, storeId)).isNew).toBe(true);
  const LIST = 'query ($id: ID!) { storeVisits(storeId: $id) { totalCount nodes { member { id } } } }';
  for (const [where, memberId] of [
    [ctx, id],
    [test, twin.id],
  ] as const)
    expect((await ask(contextOf(services, where.caller), LIST, { id: storeId })).storeVisits).toEqual({
      totalCount: 1,
      nodes: [{ member: { id: memberId } }],
    });
  const elsewhere = newContext();
  expect((await ask(elsewhere, LIST, { id: storeId })).storeVisits.totalCount).toBe(0);
  await expect(ask(test, RECORD, { memberId: id, storeId })).rejects.toMatchObject({
    code: 'MEMBER_NOT_FOUND',
  });
  await expect(ask(elsewhere, RECORD, { memberId: id, storeId })).rejects.toMatchObject({
    code: 'STORE_NOT_FOUND',
  });
});

test('visits of a store page newest first, by cursor and by offset, within days', async () => {
  const storeId = await place.store(ctx, 'UTC');
  const made: string[] = [];
  for (let day = 0; day < 5; day += 1) {
    for (let n = 0; n < 2; n += 1) {
      const { id } = await given.member(ctx);
      made.unshift((await recordStoreVisit(ctx, id, storeId)).visit.id);
    }
    services.clock.advance(DAY_MS);
  }
  const LIST = `query ($storeId: ID!, $from: Date, $to: Date, $first: Int, $after: String, $offset: Int) {
    storeVisits(storeId: $storeId, from: $from, to: $to, first: $first, after: $after, offset: $offset) {
      totalCount nodes { id } pageInfo { hasNextPage endCursor } } }`;
  const list = async (args: object) => (await ask(fresh(), LIST, { storeId, ...args })).storeVisits;
  const first = await list({ first: 3 });
  const second = await list({ first: 3, after: first.pageInfo.endCursor });
  const third = await list({ first: 4, offset: 6 });
  const ids = [...first.nodes, ...second.nodes, ...third.nodes].map(({ id }: { id: string }) => id);
  expect(ids).toEqual(made);
  expect([first, second, third].map(({ pageInfo }) => pageInfo.hasNextPage)).toEqual([true, true, false]);
  const within = await list({ from: '2026-03-03', to: '2026-03-04' });
  expect(within.totalCount).toBe(4);
  expect(within.nodes.map(({ id }: { id: string }) => id)).toEqual(made.slice(4, 8));
  await expect(list({ from: '2026-03-04', to: '2026-03-03' })).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
  });
});

test('only a member checks in, and only who may write members records for it', async () => {
  const storeId = await place.store(ctx);
  const { id } = await given.member(ctx);
  await expect(ask(fresh(), CHECK_IN, { storeId })).rejects.toMatchObject({ code: 'CALLER_REFUSED' });
  const key = { ...ctx.caller, kind: 'KEY' as const, role: null, scopes: ['members:read'] };
  await expect(ask(contextOf(services, key), RECORD, { memberId: id, storeId })).rejects.toMatchObject({
    code: 'SCOPE_MISSING',
  });
  await expect(ask(as(id), RECORD, { memberId: id, storeId })).rejects.toMatchObject({
    code: 'CALLER_REFUSED',
  });
});

test('fifty members with their visits cost as many statements as one', async () => {
  const storeId = await place.store(ctx, 'UTC');
  for (let n = 0; n < 50; n += 1) await recordStoreVisit(ctx, (await given.member(ctx)).id, storeId);
  const cost = async (first: number) => {
    services.statements.length = 0;
    const { members } = await ask(
      fresh(),
      `query ($first: Int) { members(first: $first) {
        nodes { id enrollment { consents } visitSummary { count lastAt }
          visits(first: 2) { totalCount nodes { id store { id } member { id } } } } } }`,
      { first },
    );
    expect(members.nodes).toHaveLength(first);
    return services.statements.length;
  };
  expect(await cost(50)).toBe(await cost(1));
});
