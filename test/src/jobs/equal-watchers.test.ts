import { expect, test } from '@jest/globals';
import { runBulkAward } from '@loyalty/loyalty-subgraph/bulk-awards/run-bulk-award.service';
import { addMembership } from '@loyalty/workspace-subgraph/team/memberships.service';
import { eventually } from '../harness/eventually.ts';
import { useStack } from '../harness/stack.ts';
import { type Watch, watch } from '../harness/watch.ts';
import { kinds, type Team, teamOf } from './jobs.fixture.ts';

const stack = useStack();
const bulkAward = kinds.find(({ field }) => field === 'bulkAwardProgress')!;
const query = `subscription ($id: ID!) {
  bulkAwardProgress(id: $id) { processed finishedAt requestedBy { name } }
}`;

const PER_PERSON = 20;

/** Adds an administrator to the team. Only administrators may see who requested a job. */
async function administrator({ worker, workspaceId }: Team) {
  const { token: own, email, password } = await stack.signUp();
  const { data } = await stack.graph<{ viewer: { user: { id: string } } }>(
    '{ viewer { user { id } } }',
    {},
    own,
  );
  const { id } = data.viewer.user;
  await worker.transaction((tx) => addMembership(tx, id, 'ADMIN'));
  const login = 'mutation ($input: LoginInput!) { login(input: $input) { token } }';
  const input = { email, password, workspaceId };
  const session = await stack.graph<{ login: { token: string } }>(login, { input });
  return { id, token: session.data.login.token };
}

/** Opens twenty watchers for each person. */
async function watchersOf(id: string, tokens: readonly string[]): Promise<Watch[]> {
  const opened: Watch[] = [];
  for (const token of tokens)
    for (let n = 0; n < PER_PERSON; n += 1)
      opened.push(await watch(stack.url, { query, variables: { id } }, token));
  return opened;
}

const processedBy = ({ results }: Watch): unknown =>
  (results.at(-1) as { data?: { bulkAwardProgress: { processed: number } } } | undefined)?.data
    ?.bulkAwardProgress.processed;
const haveAll = (watches: readonly Watch[], processed: number) => () =>
  expect(watches.map(processedBy)).toEqual(watches.map(() => processed));
/** Statements that read a table, written by hand or by Prisma, which quotes names. */
const readsOf = (table: string) =>
  stack.services.statements.filter((text) => text.replaceAll('"', '').includes(`FROM ${table}`)).length;

test('a change costs one read of the job, and one of another subgraph for each credential', async () => {
  const team = await teamOf(stack);
  const id = await bulkAward.start(team);
  const people = [await administrator(team), await administrator(team), await administrator(team)];
  const watches = await watchersOf(
    id,
    people.map(({ token }) => token),
  );
  await eventually(haveAll(watches, 0));
  stack.services.statements.length = 0;
  await bulkAward.step!(team, id);
  await eventually(haveAll(watches, 1));
  // The step itself reads the job once, to lock it.
  expect(readsOf('loyalty.bulk_awards')).toBe(2);
  expect(readsOf('workspace.accounts')).toBe(3);
  const remove = 'mutation ($id: ID!) { removeTeamMember(userId: $id) }';
  await stack.graph(remove, { id: people[0]!.id }, team.token);
  const ended = await Promise.all(watches.slice(0, PER_PERSON).map((each) => each.ended));
  expect(new Set(ended.map(({ code }) => code))).toEqual(new Set([4401]));
  await runBulkAward(team.worker, id, 1);
  await eventually(haveAll(watches.slice(PER_PERSON), 3));
  haveAll(watches.slice(0, PER_PERSON), 1)();
  await Promise.all(watches.map((each) => each.stop()));
});
