import { beforeAll, describe, expect, test } from '@jest/globals';
import { composeSupergraph } from '@loyalty/gateway/supergraph/compose';
import { apiSchemaOf } from '@loyalty/gateway/supergraph/supergraph-sdl';
import { getNamedType, isObjectType } from 'graphql';
import { eventually } from '../harness/eventually.ts';
import { useStack } from '../harness/stack.ts';
import { type Lists, ROWS, workspaceOfLists } from './lists.fixture.ts';

const stack = useStack();
let lists: Lists;

beforeAll(async () => {
  lists = await workspaceOfLists(stack);
});

/** The required arguments of lists. A list with several sort orders has an entry for each. */
const argumentsOf = ({
  memberId,
  storeId,
  apiKeyId,
  modelVersionId,
}: Lists): Readonly<Record<string, readonly string[]>> => ({
  'Query.storeVisits': [`storeId: "${storeId}"`],
  'Query.memberSessions': [`memberId: "${memberId}"`],
  'Query.orders': ['', `memberId: "${memberId}"`],
  'Query.receipts': ['', `memberId: "${memberId}"`, 'sort: CREATED_ASC, statuses: [SUBMITTED, IN_REVIEW]'],
  'Query.callLog': [`apiKeyId: "${apiKeyId}"`],
  'Query.objectRecords': ['CREATED_DESC', 'CREATED_ASC', 'UPDATED_DESC', 'TITLE_ASC'].map(
    (sort) => `type: "note", sortBy: ${sort}`,
  ),
  'Query.modelVersions': ['kind: TRAINING'],
  'Query.evaluationReports': [`versionId: "${modelVersionId}"`],
  'Member.records': ['type: "note"'],
});

/** The queries that lead to the type with the list. */
const waysTo = ({
  memberId,
  apiKeyId,
  templateId,
  segmentId,
  journeyId,
  agentId,
  agentRunId,
}: Lists): Readonly<Record<string, string>> => ({
  Member: `member(id: "${memberId}")`,
  MessageTemplate: `messageTemplate(id: "${templateId}")`,
  Segment: `segment(id: "${segmentId}")`,
  AgentDefinition: `agent(id: "${agentId}")`,
  AgentRun: `agentRun(id: "${agentRunId}")`,
  Journey: `journey(id: "${journeyId}")`,
  ApiKey: `apiKey(id: "${apiKeyId}")`,
  Wallet: 'wallet',
});

const schema = apiSchemaOf(composeSupergraph());
const fields = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  .filter(({ name }) => !name.startsWith('__'))
  .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type: type.name, field })))
  .filter(({ field }) => getNamedType(field.type).name.endsWith('Connection'))
  .map(({ type, field }) => ({ list: `${type}.${field.name}`, type, field }));

interface Connection {
  readonly edges: readonly { readonly cursor: string }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly totalCount: number;
}

const PAGE = 'edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount';

async function read(type: string, name: string, asked: string): Promise<Connection> {
  const way = waysTo(lists)[type];
  const list = `list: ${name}(${asked}) { ${PAGE} }`;
  const query = way ? `{ of: ${way} { ${list} } }` : `{ ${list} }`;
  const { data, errors } = await stack.graph<{ of?: { list: Connection }; list: Connection }>(
    query,
    {},
    name.startsWith('my') ? lists.memberToken : lists.token,
  );
  if (errors) throw new Error(`${query}: ${JSON.stringify(errors)}`);
  return data.of?.list ?? data.list;
}

/** Reads all pages of two rows from one end to the other; returns the cursors of the rows. */
async function walk(ask: (asked: string) => Promise<Connection>, isBackward: boolean): Promise<string[]> {
  const [size, place] = isBackward ? ['last: 2', 'before'] : ['first: 2', 'after'];
  const cursors: string[] = [];
  let found = await ask(size);
  expect(isBackward ? found.pageInfo.hasNextPage : found.pageInfo.hasPreviousPage).toBe(false);
  for (let pages = 1; pages < 100; pages += 1) {
    const { edges, pageInfo } = found;
    const page = edges.map(({ cursor }) => cursor);
    expect([pageInfo.startCursor, pageInfo.endCursor]).toEqual([page.at(0), page.at(-1)]);
    if (isBackward) cursors.unshift(...page);
    else cursors.push(...page);
    const isMore = isBackward ? pageInfo.hasPreviousPage : pageInfo.hasNextPage;
    if (!isMore) return cursors;
    const cursor = isBackward ? pageInfo.startCursor : pageInfo.endCursor;
    found = await ask(`${size}, ${place}: "${cursor}"`);
    expect(isBackward ? found.pageInfo.hasNextPage : found.pageInfo.hasPreviousPage).toBe(true);
  }
  throw new Error('The list does not end.');
}

describe.each(fields)('$list', ({ list, type, field }) => {
  test('takes first with after and last with before', () => {
    expect(field.args.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['first', 'after', 'last', 'before']),
    );
  });

  test('neither repeats nor loses a row, read by cursor from either end', async () => {
    for (const way of argumentsOf(lists)[list] ?? ['']) {
      const ask = (asked: string) => read(type, field.name, [way, asked].filter(Boolean).join(', '));
      // The call log is written a moment after the answer.
      await eventually(async () => {
        const whole = await ask('first: 200');
        const cursors = whole.edges.map(({ cursor }) => cursor);
        expect(new Set(cursors).size).toBe(cursors.length);
        expect(cursors.length).toBeGreaterThanOrEqual(ROWS);
        expect(whole.totalCount).toBe(cursors.length);
        expect(await walk(ask, false)).toEqual(cursors);
        expect(await walk(ask, true)).toEqual(cursors);
      });
    }
  });
});

test.each([
  ['last: 0', 'last', 'last must be between 1 and 200.'],
  ['last: 2, first: 2', 'first', 'first cannot be combined with last.'],
  ['last: 2, offset: 1', 'offset', 'offset cannot be combined with last.'],
  ['before: "nonsense"', 'before', 'before must be a cursor that an earlier page returned.'],
])('members(%s) is refused and the error names %s', async (asked, field, message) => {
  const { errors } = await stack.graph(`{ members(${asked}) { totalCount } }`, {}, lists.token);
  expect(errors).toMatchObject([{ message, extensions: { code: 'BAD_USER_INPUT', field } }]);
});
