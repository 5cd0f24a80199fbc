import { expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { askOf, entities } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import { askLoyalty, enrolMembers } from '../members.fixture.ts';
import { computeSegment } from '../profiles/computations.service.ts';
import { givenProfiles } from '../profiles/profiles.fixture.ts';
import { engagement } from '../subgraph.ts';
import { createSegment } from './edit-segment.service.ts';

const { services, ctx, newContext, fresh } = useServices();
const ask = askOf(engagement);

let made = 0;
const everybody = { op: 'and', conditions: [] };
async function segmentOf(of: Context, definition: unknown = everybody): Promise<string> {
  made += 1;
  const { id } = await createSegment(of, { name: `Segment ${made}`, definition });
  await computeSegment(of, id);
  return id;
}

/** Enrols members and creates their profiles. Every second profile has 100 points. */
async function enrol(of: Context, count: number): Promise<string[]> {
  const emails = Array.from({ length: count }, (_, place) => `m${place}@example.com`);
  const ids = await enrolMembers(of, emails);
  await givenProfiles(
    of,
    ids.map((memberId, place) => ({ memberId, pointsBalance: place % 2 ? 100 : 0 })),
  );
  return ids;
}
const rich = { field: 'points_balance', operator: 'at_least', value: 100 };

const PAGE = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String, $offset: Int) {
  segment(id: $id) { members(first: $first, after: $after, last: $last, before: $before, offset: $offset) {
    nodes { member { id } enteredAt } totalCount
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`;

test('members of a segment are read page by page from both ends, newest first', async () => {
  const ids = await givenProfiles(
    ctx,
    Array.from({ length: 7 }, () => ({})),
  );
  const id = await segmentOf(ctx);
  const newest = ids.toReversed();
  const page = async (args: object) => {
    const { data } = await ask(fresh(), PAGE, { id, ...args });
    const { nodes, pageInfo, totalCount } = data.segment.members;
    expect(totalCount).toBe(7);
    return { ...pageInfo, ids: nodes.map(({ member }: { member: { id: string } }) => member.id) };
  };
  const one = await page({ first: 3 });
  expect(one).toMatchObject({ ids: newest.slice(0, 3), hasNextPage: true, hasPreviousPage: false });
  const two = await page({ first: 3, after: one.endCursor });
  expect(two).toMatchObject({ ids: newest.slice(3, 6), hasNextPage: true });
  expect(await page({ first: 3, after: two.endCursor })).toMatchObject({
    ids: newest.slice(6),
    hasNextPage: false,
  });
  expect(await page({ last: 2, before: two.startCursor })).toMatchObject({ ids: newest.slice(1, 3) });
  expect(await page({ first: 2, offset: 4 })).toMatchObject({ ids: newest.slice(4, 6) });
});

test('a member knows its segments, fifty as cheaply as one', async () => {
  const ids = await givenProfiles(
    ctx,
    Array.from({ length: 50 }, (_, place) => ({ pointsBalance: place * 10 })),
  );
  const [all, some] = [await segmentOf(ctx), await segmentOf(ctx, rich)];
  const read = async (wanted: readonly string[]) => {
    services.statements.length = 0;
    const references = wanted.map((id) => ({ __typename: 'Member', id }));
    const { data } = await ask(fresh(), entities('... on Member { segments { id name } }'), { references });
    return (data._entities as { segments: { id: string }[] }[]).map(({ segments }) =>
      segments.map(({ id }) => id),
    );
  };
  const [poorest] = await read(ids.slice(0, 1));
  const statements = services.statements.length;
  expect(poorest).toEqual([all]);
  expect((await read(ids)).at(-1)).toEqual([some, all]);
  expect(services.statements.length).toBe(statements);
  expect(await read([newId(ctx.clock)])).toEqual([[]]);
});

const LIST = `query ($segmentId: ID, $first: Int, $after: String, $last: Int, $before: String, $offset: Int,
    $status: MemberStatus, $tag: String) {
  members(segmentId: $segmentId, first: $first, after: $after, last: $last, before: $before, offset: $offset,
    status: $status, tag: $tag) { nodes { id } totalCount pageInfo { hasNextPage endCursor startCursor } } }`;

interface Listed {
  readonly nodes: readonly { readonly id: string }[];
  readonly totalCount: number;
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly endCursor: string;
    readonly startCursor: string;
  };
}

async function listed(of: Context, args: Readonly<Record<string, unknown>>) {
  const { members } = (await askLoyalty(of, LIST, args)) as unknown as { readonly members: Listed };
  return { ...members, ids: members.nodes.map(({ id }) => id) };
}

test('the list of members is filtered by a segment, with cursor, offset and count', async () => {
  const ids = await enrol(ctx, 12);
  const segmentId = await segmentOf(ctx, rich);
  const newest = ids.filter((_, place) => place % 2).toReversed();
  const page = async (args: object) => {
    return listed(fresh(), { segmentId, ...args });
  };
  const one = await page({ first: 4 });
  expect(one).toMatchObject({ ids: newest.slice(0, 4), totalCount: 6, pageInfo: { hasNextPage: true } });
  const two = await page({ first: 4, after: one.pageInfo.endCursor });
  expect(two).toMatchObject({ ids: newest.slice(4), pageInfo: { hasNextPage: false } });
  expect(await page({ last: 2, before: two.pageInfo.startCursor })).toMatchObject({
    ids: newest.slice(2, 4),
  });
  expect(await page({ first: 3, offset: 5 })).toMatchObject({ ids: newest.slice(5), totalCount: 6 });
});

test('together with other filters, every page and the count are right', async () => {
  const ids = await enrol(ctx, 60);
  const segmentId = await segmentOf(ctx, rich);
  const tagged = ids.filter((_, place) => place % 10 === 9 || place % 10 === 4);
  for (const id of tagged)
    await askLoyalty(ctx, `mutation ($id: ID!) { tagMember(memberId: $id, key: "vip") { id } }`, { id });
  const wanted = ids.filter((_, place) => place % 10 === 9).toReversed();
  const page = async (args: object) => {
    return listed(fresh(), { segmentId, tag: 'vip', ...args });
  };
  const one = await page({ first: 2 });
  expect(one).toMatchObject({ ids: wanted.slice(0, 2), totalCount: 6, pageInfo: { hasNextPage: true } });
  expect(await page({ first: 2, after: one.pageInfo.endCursor })).toMatchObject({ ids: wanted.slice(2, 4) });
  expect(await page({ first: 2, offset: 3 })).toMatchObject({ ids: wanted.slice(3, 5) });
  expect(await page({ first: 5, offset: 4 })).toMatchObject({
    ids: wanted.slice(4),
    pageInfo: { hasNextPage: false },
  });
  expect(await page({ status: 'PENDING' })).toMatchObject({ ids: [], totalCount: 0 });
});

test('a segment of another workspace or mode, and an unknown one, filter nothing: 404', async () => {
  const segmentId = await segmentOf(ctx);
  for (const other of [newContext(), fresh({ mode: 'TEST' })]) {
    await expect(listed(other, { segmentId })).rejects.toMatchObject({ code: 'SEGMENT_NOT_FOUND' });
  }
  await expect(listed(ctx, { segmentId: newId(ctx.clock) })).rejects.toMatchObject({
    code: 'SEGMENT_NOT_FOUND',
  });
});

test('nobody but the product reads ids of members without their list', async () => {
  const id = await segmentOf(ctx);
  const query = `{ _segmentMemberIds(segmentId: "${id}", isBackward: false, offset: 0, limit: 1) }`;
  expect((await ask(ctx, query)).reason).toBe('CALLER_REFUSED');
});
