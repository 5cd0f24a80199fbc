import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { clientSdl } from '../graph-lint/client-sdl.ts';
import { useStack } from '../harness/stack.ts';
import { givenMembers, type PageData } from './clients.fixture.ts';

const stack = useStack();
const require = createRequire(import.meta.url);
const compiler = join(require.resolve('relay-compiler/package.json'), '../cli.js');
const folder = mkdtempSync(join(tmpdir(), 'loyalty-relay-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const source = `
const MemberListQuery = graphql\`
  query MemberListQuery($first: Int!, $after: String) { ...MemberList_query }
\`;
const list = graphql\`
  fragment MemberList_query on Query @refetchable(queryName: "MemberListPaginationQuery") {
    members(first: $first, after: $after) @connection(key: "MemberList_members") {
      edges { node { ...MemberList_member } }
    }
  }
\`;
const member = graphql\`fragment MemberList_member on Member { id name pointsBalance }\`;
const award = graphql\`
  mutation MemberListAwardMutation($memberId: ID!, $input: AwardPointsInput!) {
    awardPoints(memberId: $memberId, input: $input) { id member { ...MemberList_member } }
  }
\`;
const feed = graphql\`
  subscription MemberListFeedSubscription($memberId: ID!) {
    memberActivity(memberId: $memberId) { kind member { ...MemberList_member } }
  }
\`;
`;

let output: string;
beforeAll(() => {
  mkdirSync(join(folder, 'src'));
  const sdl = readFileSync(new URL('../../../gateway/supergraph.graphql', import.meta.url), 'utf8');
  writeFileSync(join(folder, 'schema.graphql'), clientSdl(sdl));
  writeFileSync(join(folder, 'src/MemberList.js'), source);
  const config = { src: './src', schema: './schema.graphql', language: 'javascript' };
  writeFileSync(join(folder, 'relay.config.json'), JSON.stringify(config));
  const { status, stdout, stderr } = spawnSync(process.execPath, [compiler], {
    cwd: folder,
    encoding: 'utf8',
  });
  output = `${stdout}${stderr}`;
  if (status !== 0) throw new Error(output);
});

/** The text of a compiled operation, which Relay sends. */
function textOf(name: string): string {
  const artifact = readFileSync(join(folder, `src/__generated__/${name}.graphql.js`), 'utf8');
  return JSON.parse(/"text": (".*")/.exec(artifact)![1]!);
}

test('the Relay compiler compiles a query, a connection, a mutation and a subscription', () => {
  expect(output).toContain('compiled documents: 6 reader, 4 normalization, 6 operation text');
});

test('a compiled connection reads the list page by page', async () => {
  const { authorization, ids } = await givenMembers(stack);
  const credential = authorization.replace('Bearer ', '');
  const read = async (name: string, variables: object) => {
    const { data, errors } = await stack.graph<PageData>(textOf(name), variables, credential);
    expect(errors).toBeUndefined();
    return data.members;
  };
  const first = await read('MemberListQuery', { first: 2 });
  const after = first.pageInfo.endCursor;
  const second = await read('MemberListPaginationQuery', { first: 2, after });
  expect([...first.edges, ...second.edges].map(({ node }) => node.id)).toEqual(ids);
  expect(first.edges.every(({ cursor }) => cursor.length > 0)).toBe(true);
});

test('a compiled subscription receives the same events', () => {
  expect(textOf('MemberListFeedSubscription')).toContain('memberActivity(memberId: $memberId)');
});

test('a compiled mutation is done', async () => {
  const { authorization, ids } = await givenMembers(stack);
  const { data } = await stack.graph(
    textOf('MemberListAwardMutation'),
    { memberId: ids[0], input: { amount: 5 } },
    authorization.replace('Bearer ', ''),
  );
  expect(data).toMatchObject({ awardPoints: { member: { id: ids[0], pointsBalance: 5 } } });
});
