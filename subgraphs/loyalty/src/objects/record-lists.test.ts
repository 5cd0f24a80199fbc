import { beforeEach, expect, test } from '@jest/globals';
import { callerOf, useServices } from '@loyalty/test/harness/services';
import { ask, given } from '../loyalty.fixture.ts';
import { createRecord, updateRecord } from './object-records.service.ts';
import { givenTickets } from './objects.fixture.ts';
import { listRecords } from './record-lists.service.ts';

const { services, ctx, fresh } = useServices();

beforeEach(() => givenTickets(ctx));

const create = (data: Record<string, unknown>, where = ctx) =>
  createRecord(where, 'tickets', { subject: 'A ticket', ...data });
const update = (id: string, data: Record<string, unknown>) =>
  updateRecord(fresh(), { type: 'tickets', id, data });
const unknownId = '0190a000-0000-7000-8000-000000000001';

const subjects = async (args: Omit<Parameters<typeof listRecords>[1], 'type'>) => {
  const found = await listRecords(fresh(), { type: 'tickets', ...args });
  return { found: found.rows.map(({ data }) => data['subject']), total: await found.total() };
};

test('filters read text by the type of their field and combine with AND', async () => {
  const { id: member } = await given.member(ctx);
  const parent = await create({ subject: 'p' });
  await create({ subject: 'a', score: 3, tags: ['x', 'y'], urgent: true, status: 'open' });
  await create({ subject: 'b', score: 3, tags: ['x'], urgent: false, status: 'closed', parent: parent.id });
  await create({ subject: 'c', score: 3.5, at: '2026-01-01T10:00:00Z', mail: 'a@example.com' });
  await create({ subject: 'd', due: '2026-01-01', customer: member, link: 'https://example.com' });
  const cases: [Record<string, unknown>, string[]][] = [
    [{ score: '3' }, ['b', 'a']],
    [{ score: 3.5 }, ['c']],
    [{ score: '3', status: 'open' }, ['a']],
    [{ score: '3', status: 'open', urgent: 'false' }, []],
    [{ tags: 'x' }, ['b', 'a']],
    [{ tags: ['y', 'x'] }, ['a']],
    [{ urgent: 'true' }, ['a']],
    [{ due: '2026-01-01' }, ['d']],
    [{ at: '2026-01-01T12:00:00+02:00' }, ['c']],
    [{ mail: 'A@example.com' }, ['c']],
    [{ customer: member.toUpperCase() }, ['d']],
    [{ parent: parent.id }, ['b']],
    [{ link: 'https://example.com' }, ['d']],
    [{ subject: 'a' }, ['a']],
    [{ subject: 'A' }, []],
  ];
  for (const [filters, expected] of cases)
    expect({ filters, ...(await subjects({ filters })) }).toEqual({
      filters,
      found: expected,
      total: expected.length,
    });
});

test.each([
  [{ filters: { colour: 'red' } }, 'filters.colour'],
  [{ filters: { status: 'lost' } }, 'filters.status'],
  [{ filters: { score: 'x' } }, 'filters.score'],
  [{ filters: { score: null } }, 'filters.score'],
  [{ search: 'x'.repeat(201) }, 'search'],
  [{ first: 201 }, 'first'],
])('%j is refused by name', async (args, field) => {
  await expect(subjects(args)).rejects.toMatchObject({ category: 'BAD_USER_INPUT', details: { field } });
});

test('search finds part of any text in any case, and no other text', async () => {
  await create({ subject: 'Ünïcode % and_more', tags: ['Blue Car'] });
  await create({ subject: 'x', mail: 'blue@example.com', status: 'open' });
  await create({ subject: 'y', status: 'closed', score: 12 });
  const found = async (search: string) => (await subjects({ search })).found;
  expect(await found('BLUE')).toEqual(['x', 'Ünïcode % and_more']);
  expect(await found('üNÏ')).toHaveLength(1);
  expect(await found('% AND_')).toHaveLength(1);
  expect(await found('ue c')).toHaveLength(1);
  expect(await found('os')).toEqual(['y']);
  expect(await found('y')).toEqual(['y']);
  for (const none of ['12', 'bluecar', '%%', 'a_d']) expect(await found(none)).toEqual([]);
  expect(await found('  ')).toHaveLength(3);
});

test('every order is kept over pages by cursor and by offset', async () => {
  const made: string[] = [];
  for (const subject of ['pear', 'Apple', 'fig', 'banana', 'Apple']) {
    services.clock.advance(1_000);
    made.push((await create({ subject })).id);
  }
  await update(made[1]!, { score: 1 });
  const list = `query ($sortBy: RecordSort, $after: String, $offset: Int) { objectRecords(type: "tickets",
    first: 2, sortBy: $sortBy, after: $after, offset: $offset) { nodes { id } totalCount
    pageInfo { hasNextPage endCursor } } }`;
  const [pear, first, fig, banana, second] = made;
  const orders = {
    CREATED_ASC: made,
    CREATED_DESC: made.toReversed(),
    TITLE_ASC: [first, second, banana, fig, pear],
  };
  for (const [sortBy, expected] of Object.entries(orders)) {
    for (const byCursor of [true, false]) {
      const ids: string[] = [];
      let page = (await ask(fresh(), list, { sortBy })).objectRecords;
      while (page.nodes.length > 0) {
        ids.push(...page.nodes.map(({ id }: { id: string }) => id));
        if (!page.pageInfo.hasNextPage) break;
        const next = byCursor ? { after: page.pageInfo.endCursor } : { offset: ids.length };
        page = (await ask(fresh(), list, { sortBy, ...next })).objectRecords;
      }
      expect({ sortBy, byCursor, ids }).toEqual({ sortBy, byCursor, ids: expected });
      expect(page.totalCount).toBe(5);
    }
  }
});

test('updated_desc puts the record that changed last first', async () => {
  const one = await create({ subject: 'one' });
  await create({ subject: 'two' });
  services.clock.advance(60_000);
  await update(one.id, { score: 1 });
  expect((await subjects({ sortBy: 'UPDATED_DESC' })).found).toEqual(['one', 'two']);
  expect((await subjects({ sortBy: 'CREATED_DESC' })).found).toEqual(['two', 'one']);
  const after = Buffer.from(one.id).toString('base64url');
  expect((await subjects({ sortBy: 'UPDATED_DESC', after })).found).toEqual(['two']);
});

test('records of a member are those that refer to it in any field; many are read in one statement', async () => {
  const [ada, bob] = [await given.member(ctx), await given.member(ctx)];
  await create({ subject: 'both', customer: ada.id, agent: bob.id });
  await create({ subject: 'hers', agent: ada.id });
  await create({ subject: 'none' });
  expect(await subjects({ memberId: ada.id })).toEqual({ found: ['hers', 'both'], total: 2 });
  expect(await subjects({ memberId: bob.id, search: 'bo' })).toEqual({ found: ['both'], total: 1 });
  expect(await subjects({ memberId: unknownId })).toEqual({ found: [], total: 0 });
  const members = `query ($first: Int) { members(first: $first) { nodes { id
    records(type: "tickets", first: 1) { totalCount pageInfo { hasNextPage endCursor }
      nodes { data objectType { type } } } } } }`;
  const cost = async (first: number) => {
    services.statements.length = 0;
    const answer = await ask(fresh(), members, { first });
    return { answer: answer.members.nodes, statements: services.statements.length };
  };
  const two = await cost(2);
  expect(two.answer.map(({ id, records }: { id: string; records: object }) => ({ id, ...records }))).toEqual([
    {
      id: bob.id,
      totalCount: 1,
      pageInfo: { hasNextPage: false, endCursor: expect.any(String) },
      nodes: [
        {
          data: { subject: 'both', customer: ada.id, agent: bob.id },
          objectType: { type: 'tickets' },
        },
      ],
    },
    {
      id: ada.id,
      totalCount: 2,
      pageInfo: { hasNextPage: true, endCursor: expect.any(String) },
      nodes: [{ data: { subject: 'hers', agent: ada.id }, objectType: { type: 'tickets' } }],
    },
  ]);
  expect((await cost(1)).statements).toBe(two.statements);
});

test('a list shows nothing of the other mode or of another workspace with a type of the same name', async () => {
  const test = fresh(callerOf({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' }));
  const stranger = fresh(callerOf());
  await givenTickets(stranger);
  for (const [index, where] of [ctx, test, stranger].entries()) {
    await create({ subject: `Number ${index}`, status: 'open' }, where);
  }
  for (const [index, { caller }] of [ctx, test, stranger].entries()) {
    for (const args of [{}, { filters: { status: 'open' } }, { search: 'number' }]) {
      const found = await listRecords(fresh(caller), { type: 'tickets', ...args });
      expect(found.rows.map(({ data }) => data['subject'])).toEqual([`Number ${index}`]);
      expect(await found.total()).toBe(1);
    }
  }
});
