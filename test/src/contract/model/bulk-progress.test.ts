import { beforeAll, describe, expect, test } from '@jest/globals';
import { givenMembers } from '@loyalty/model-subgraph/bulk-jobs/bulk-jobs.fixture';
import { callerOf, contextOf } from '@loyalty/test/harness/services';
import { eventually } from '../../harness/eventually.ts';
import { useStack } from '../../harness/stack.ts';
import { type Watch, watch } from '../../harness/watch.ts';

const stack = useStack({ settings: { BULK_CALLS_PER_SECOND: 10 } });

const TEST_MODE = { 'x-loyalty-mode': 'test' };
const MEMBERS = 20_500;
let owner: { token: string; workspaceId: string };
let key: string;

interface Progress {
  readonly status: string;
  readonly state: string;
  readonly processed: number;
  readonly succeeded: number;
  readonly total: number | null;
  readonly membersPerSecond: number;
  readonly estimatedEndAt: string | null;
  readonly wallet: { readonly available: number };
}

beforeAll(async () => {
  owner = await stack.signUp('Ada');
  key = (await stack.key(owner.token, ['model:bulk:read', 'model:bulk:write'], 'TEST')).secret;
  const caller = callerOf({ workspaceId: owner.workspaceId, mode: 'TEST' });
  const ctx = contextOf(stack.services, caller);
  for (let count = 0; count < MEMBERS; count += 500) await givenMembers(ctx, 500);
});

async function startJob(name: string): Promise<string> {
  const query = `mutation ($input: CreateBulkJobInput!) { createBulkJob(input: $input) { bulkJob { id } } }`;
  const input = { name, idempotencyKey: name };
  const { data } = await stack.graph<{ createBulkJob: { bulkJob: { id: string } } }>(
    query,
    { input },
    owner.token,
    TEST_MODE,
  );
  return data.createBulkJob.bulkJob.id;
}

const FIELDS = `status state processed succeeded total membersPerSecond estimatedEndAt
  wallet { available }`;
const watchJob = (id: string, credential = key) =>
  watch(
    stack.url,
    { query: `subscription ($id: ID!) { bulkJobProgress(id: $id) { ${FIELDS} } }`, variables: { id } },
    credential,
  );
const snapshots = ({ results }: Watch): Progress[] =>
  results.map((result) => (result as { data: { bulkJobProgress: Progress } }).data.bulkJobProgress);
const isEnded = async (watched: Watch) =>
  eventually(() => expect(snapshots(watched).at(-1)?.status).toBe('COMPLETED'));

/** All results of a subscription over Server-Sent Events until it completes. */
async function streamed(id: string, credential: string): Promise<unknown[]> {
  const response = await fetch(`${stack.url}/graphql`, {
    method: 'POST',
    headers: {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      authorization: `Bearer ${credential}`,
    },
    body: JSON.stringify({ query: `subscription { bulkJobProgress(id: "${id}") { status processed } }` }),
  });
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: {'));
  return lines.map((line) => JSON.parse(line.slice('data: '.length)) as unknown);
}

describe('bulkJobProgress', () => {
  test('begins with the job as it is, follows it and ends with its end; fields of other subgraphs come with it', async () => {
    const id = await startJob('watched');
    const watched = await watchJob(id);
    await eventually(() => expect(snapshots(watched)[0]).toMatchObject({ status: 'QUEUED', processed: 0 }));
    await stack.work();
    await eventually(() => expect(snapshots(watched).at(-1)!.processed).toBeGreaterThan(5_000));
    // A client that reconnects starts with the present state of the job.
    const late = await watchJob(id);
    await eventually(() => expect(snapshots(late)[0]!.processed).toBeGreaterThan(5_000));
    await Promise.all([isEnded(watched), isEnded(late)]);
    const seen = snapshots(watched);
    expect(seen.at(-1)).toMatchObject({
      status: 'COMPLETED',
      state: 'COMPLETED',
      processed: MEMBERS,
      succeeded: MEMBERS,
      total: MEMBERS,
      estimatedEndAt: null,
      wallet: { available: 50_000 },
    });
    const counts = seen.map(({ processed }) => processed);
    expect(counts).toEqual([...counts].sort((one, other) => one - other));
    expect(seen.some(({ status, estimatedEndAt }) => status === 'RUNNING' && estimatedEndAt)).toBe(true);
    await Promise.all([watched.stop(), late.stop()]);
  });

  test('of a job that has ended is its state, and then the end', async () => {
    await stack.work();
    const id = await startJob('ended');
    await eventually(async () => {
      const { data } = await stack.graph<{ bulkJob: Progress }>(
        `{ bulkJob(id: "${id}") { status } }`,
        {},
        key,
      );
      expect(data.bulkJob.status).toBe('COMPLETED');
    });
    const events = await streamed(id, key);
    expect(events).toEqual([{ data: { bulkJobProgress: { status: 'COMPLETED', processed: MEMBERS } } }]);
  });

  test('is refused to another workspace and mode, and without the scope', async () => {
    const id = await startJob('foreign');
    const stranger = await stack.signUp('Eve');
    const refusal = async (credential: string) => {
      const [answer] = await streamed(id, credential);
      return (answer as { errors: { extensions: { code: string } }[] }).errors[0]!.extensions.code;
    };
    expect(await refusal((await stack.key(stranger.token, ['model:bulk:read'], 'TEST')).secret)).toBe(
      'NOT_FOUND',
    );
    expect(await refusal((await stack.key(owner.token, ['model:bulk:read'], 'LIVE')).secret)).toBe(
      'NOT_FOUND',
    );
    for (const scope of ['model:data:read', 'model:bulk:write'])
      expect(await refusal((await stack.key(owner.token, [scope], 'TEST')).secret)).toBe('FORBIDDEN');
  });

  test('shows who asked for it to administrators, and to no key', async () => {
    const query = '{ bulkJobs(first: 1) { nodes { requestedBy { name } } } }';
    const { data } = await stack.graph(query, {}, owner.token, TEST_MODE);
    expect(data).toEqual({ bulkJobs: { nodes: [{ requestedBy: { name: 'Ada' } }] } });
    const refused = await stack.graph(query, {}, key);
    expect(refused.errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', reason: 'CALLER_REFUSED' });
  });
});
