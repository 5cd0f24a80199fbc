import { expect, test } from '@jest/globals';
import { runBulkAward } from '@loyalty/loyalty-subgraph/points/bulk-awards/run-bulk-award.service';
import { eventually } from '../harness/eventually.ts';
import { useStack } from '../harness/stack.ts';
import { type Watch, watch } from '../harness/watch.ts';
import { kinds, teamOf } from './jobs.given.ts';

const stack = useStack();
const bulkAward = kinds.find(({ field }) => field === 'bulkAwardProgress')!;
const query = `subscription ($id: ID!) {
  bulkAwardProgress(id: $id) { processed finishedAt requestedBy { name } }
}`;

const PER_KEY = 20;

/** Twenty watchers with each key. */
async function watchersOf(id: string, keys: readonly string[]): Promise<Watch[]> {
  const opened: Watch[] = [];
  for (const key of keys)
    for (let n = 0; n < PER_KEY; n += 1)
      opened.push(await watch(stack.url, { query, variables: { id } }, key));
  return opened;
}

const processedBy = ({ results }: Watch): unknown =>
  (results.at(-1) as { data?: { bulkAwardProgress: { processed: number } } } | undefined)?.data
    ?.bulkAwardProgress.processed;
const haveAll = (watches: readonly Watch[], processed: number) => () =>
  expect(watches.map(processedBy)).toEqual(watches.map(() => processed));
const count = (part: string) => stack.services.statements.filter((text) => text.includes(part)).length;

test('a change costs one read of the job, and one of another subgraph for each credential', async () => {
  const team = await teamOf(stack);
  const id = await bulkAward.start(team);
  const keys = await Promise.all([1, 2, 3].map(() => stack.key(team.token, ['members:read'])));
  const secrets = keys.map(({ secret }) => secret);
  const watches = await watchersOf(id, secrets);
  await eventually(haveAll(watches, 0));
  stack.services.statements.length = 0;
  await bulkAward.step!(team, id);
  await eventually(haveAll(watches, 1));
  // One is the step's own, which locks the job.
  expect(count('FROM loyalty.bulk_awards')).toBe(2);
  expect(count('FROM workspace.accounts')).toBe(3);
  await stack.rest('DELETE', `/api/v2/api-keys/${keys[0]!.id}`, { as: team.token });
  const ended = await Promise.all(watches.slice(0, PER_KEY).map((each) => each.ended));
  expect(new Set(ended.map(({ code }) => code))).toEqual(new Set([4401]));
  await runBulkAward(team.worker, id, 1);
  await eventually(haveAll(watches.slice(PER_KEY), 3));
  haveAll(watches.slice(0, PER_KEY), 1)();
  await Promise.all(watches.map((each) => each.stop()));
});
