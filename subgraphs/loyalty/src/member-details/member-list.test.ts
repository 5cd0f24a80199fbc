import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Caller } from '@loyalty/platform/base/caller';
import { DAY_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { pageRequest } from '@loyalty/platform/database/pages';
import { listAudit } from '@loyalty/platform/identity/audit';
import { wrongCounts } from '@loyalty/test/harness/row-counts';
import { useServices } from '@loyalty/test/harness/services';
import { ask, given } from '../loyalty.fixture.ts';
import { awardPoints } from '../points/points.service.ts';

const { services, newContext } = useServices({ at: '2026-03-01T10:00:00.000Z' });
afterEach(async () => expect(await wrongCounts(services.database.sql)).toEqual([]));

const LIST = `query ($tierId: ID, $storeId: ID, $joinedFrom: Date, $joinedTo: Date,
    $activeFrom: Date, $activeTo: Date, $pointsMin: Int, $pointsMax: Int, $sort: MemberSort, $segmentId: ID,
    $first: Int, $after: String, $last: Int, $before: String) {
  members(tierId: $tierId, storeId: $storeId, joinedFrom: $joinedFrom, joinedTo: $joinedTo,
      activeFrom: $activeFrom, activeTo: $activeTo, pointsMin: $pointsMin, pointsMax: $pointsMax, sort: $sort,
      segmentId: $segmentId, first: $first, after: $after, last: $last, before: $before) {
    totalCount nodes { externalId } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;
const list = async (variables: Record<string, unknown> = {}, of?: Context) =>
  (await ask(of ?? ctx, LIST, variables)).members;
const names = async (variables: Record<string, unknown> = {}) => {
  const { nodes, totalCount } = await list(variables);
  expect(totalCount).toBe(nodes.length);
  return nodes.map(({ externalId }: { externalId: string }) => externalId).join(' ');
};

let tiers: Record<string, string>;
let ctx: Context;

/** One member joins each day: a, b, c, d and e; later c gets 50 points and a gets 20. */
beforeAll(async () => {
  ctx = newContext();
  tiers = await given.tiers(ctx, { Bronze: 0, Gold: 40 });
  const ids: Record<string, string> = {};
  for (const externalId of ['a', 'b', 'c', 'd', 'e']) {
    ids[externalId] = (await given.member(ctx, { externalId })).id;
    services.clock.advance(DAY_MS);
  }
  await awardPoints(ctx, ids['c']!, { amount: 50 });
  services.clock.advance(DAY_MS);
  await awardPoints(ctx, ids['a']!, { amount: 20 });
});

test.each([
  ['the newest first', {}, 'e d c b a'],
  ['the latest activity first', { sort: 'LAST_ACTIVITY_DESC' }, 'a c e d b'],
  ['the most points first, then the newest', { sort: 'POINTS_DESC' }, 'c a e d b'],
  ['the earliest first', { sort: 'CREATED_ASC' }, 'a b c d e'],
  ['the longest without activity first', { sort: 'LAST_ACTIVITY_ASC' }, 'b d e c a'],
  ['the fewest points first, then the earliest', { sort: 'POINTS_ASC' }, 'b d e a c'],
  ['who joined from a day', { joinedFrom: '2026-03-03' }, 'e d c'],
  ['who joined until a day', { joinedTo: '2026-03-02' }, 'b a'],
  ['who joined on a day', { joinedFrom: '2026-03-02', joinedTo: '2026-03-02' }, 'b'],
  ['who was active from a day', { activeFrom: '2026-03-06' }, 'c a'],
  ['who was active until a day', { activeTo: '2026-03-04' }, 'd b'],
  ['who has at least so many points', { pointsMin: 20 }, 'c a'],
  ['who has at most so many points', { pointsMax: 20, joinedTo: '2026-03-03' }, 'b a'],
  ['all conditions at once', { pointsMin: 1, joinedFrom: '2026-03-02', sort: 'POINTS_DESC' }, 'c'],
])('lists %s', async (_, variables, expected) => {
  expect(await names(variables)).toBe(expected);
});

test('lists the members of a tier and of a store', async () => {
  expect(await names({ tierId: tiers['Gold'] })).toBe('c');
  expect(await names({ storeId: '018f0000-0000-7000-8000-000000000000' })).toBe('');
});

const sorts = ['CREATED', 'LAST_ACTIVITY', 'POINTS'].flatMap((key) => [`${key}_DESC`, `${key}_ASC`]);
test.each(sorts)('pages through %s both ways', async (sort) => {
  const whole = await names({ sort });
  let [after, forward] = [null as string | null, [] as string[]];
  for (;;) {
    const { nodes, pageInfo } = await list({ sort, first: 2, after });
    forward = [...forward, ...nodes.map(({ externalId }: { externalId: string }) => externalId)];
    if (!pageInfo.hasNextPage) break;
    after = pageInfo.endCursor;
  }
  expect(forward.join(' ')).toBe(whole);
  let [before, backward] = [null as string | null, [] as string[]];
  for (;;) {
    const { nodes, pageInfo } = await list({ sort, last: 2, before });
    backward = [...nodes.map(({ externalId }: { externalId: string }) => externalId), ...backward];
    if (!pageInfo.hasPreviousPage) break;
    before = pageInfo.startCursor;
  }
  expect(backward.join(' ')).toBe(whole);
});

test.each([
  [{ tierId: 'gold' }, /tierId must be a UUID/],
  [{ storeId: "1' OR 1=1" }, /storeId must be a UUID/],
  [{ joinedFrom: '2026-03-03', joinedTo: '2026-03-02' }, /joinedFrom must not be after the last day/],
  [{ activeFrom: '2026-03-03', activeTo: '2026-03-02' }, /activeFrom must not be after the last day/],
  [{ pointsMin: 2, pointsMax: 1 }, /pointsMin must not be greater than pointsMax/],
  [{ segmentId: '018f0000-0000-7000-8000-000000000000', sort: 'POINTS_DESC' }, /sort must be left out/],
])('refuses %j', async (variables, sentence) => {
  await expect(list(variables)).rejects.toThrow(sentence);
});

test('takes one statement however many conditions there are, and shows nobody of another workspace', async () => {
  services.statements.length = 0;
  await ask(ctx, LIST.replace('totalCount', ''), {
    tierId: tiers['Bronze'],
    pointsMin: 0,
    sort: 'POINTS_DESC',
  });
  expect(services.statements.filter((text) => text.includes('loyalty.members'))).toHaveLength(1);
  expect((await list({}, newContext())).totalCount).toBe(0);
});

test('a page of which somebody of the staff reads names is one entry of the audit log, with its members', async () => {
  const READ = `query ($after: String, $masked: Boolean) { members(first: 2, after: $after, masked: $masked) {
    nodes { id name email phone } edges { node { name } } pageInfo { endCursor } } }`;
  const staff = newContext();
  for (const fullName of ['Ana', 'Bea', 'Cid']) await given.member(staff, { fullName });
  const as = (given: Partial<Caller> = {}) => newContext({ ...staff.caller, ...given });
  const entries = async () => (await listAudit(staff, pageRequest({}), {})).rows;
  await ask(as(), '{ members { nodes { id status externalId } totalCount } }');
  await ask(as(), READ, { masked: true });
  await ask(as({ kind: 'KEY', actor: 'key:1', scopes: ['members:read'] }), READ);
  await ask(as(), `{ members(search: "nobody") { nodes { name } } }`);
  expect(await entries()).toEqual([]);
  const { members: page } = await ask(as(), READ);
  const { members: next } = await ask(as(), READ, { after: page.pageInfo.endCursor });
  expect([...page.nodes, ...next.nodes].map(({ name }) => name)).toEqual(['Cid', 'Bea', 'Ana']);
  const idsOf = ({ nodes }: { nodes: { id: string }[] }) => nodes.map(({ id }) => id);
  expect(await entries()).toMatchObject([
    { action: 'readMembers', actor: staff.caller.actor, after: { members: idsOf(next) } },
    { action: 'readMembers', resourceType: 'MemberConnection', after: { members: idsOf(page) } },
  ]);
});
