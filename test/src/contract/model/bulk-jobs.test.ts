import { beforeAll, describe, expect, test } from '@jest/globals';
import { givenMembers } from '@loyalty/model-subgraph/bulk-jobs/bulk-jobs.fixture';
import { eventually } from '../../harness/eventually.ts';
import { useStack } from '../../harness/stack.ts';
import { watch } from '../../harness/watch.ts';
import { expectModelError, shapes } from '../shapes.ts';
import { allPages, bulkClient, jobShape, systemContext } from './bulk-jobs.fixture.ts';
import { type ModelTenant, modelTenant, v1Scopes } from './model.fixture.ts';

const stack = useStack({ settings: { BULK_CALLS_PER_SECOND: 100 } });
let tenant: ModelTenant;
let bulk: ReturnType<typeof bulkClient>;
beforeAll(async () => {
  await stack.work();
  tenant = await modelTenant(stack);
  bulk = bulkClient(stack, tenant.key);
  await eventually(async () => expect(await balance()).toBe(50_000));
});

async function balance(): Promise<number> {
  const query = '{ wallet { balance } }';
  const { data } = await stack.graph<{ wallet: { balance: number } }>(query, {}, tenant.token);
  return data.wallet.balance;
}

interface Result {
  readonly member_id: string;
  readonly status: string;
  readonly attempts: number;
  readonly error: { readonly code: string } | null;
}
interface State {
  readonly member_id: string;
  readonly job_id: string;
  readonly state: {
    readonly observed: object;
    readonly signals: Record<string, { readonly score: number | null; readonly status: string }>;
    readonly envelope: object;
  };
}
const resultsOf = async (id: string, more = '') =>
  (await allPages<Result>(bulk.get, `id=${id}&view=results&limit=100${more}`, 'results')).rows;
const statesOf = async () => (await allPages<State>(bulk.states, 'limit=100', 'states')).rows;

describe('a job of a live workspace', () => {
  const COUNT = 250;
  let ids: string[];
  let id: string;
  let progress: Awaited<ReturnType<typeof watch>>;
  let finished: Awaited<ReturnType<typeof bulk.ended>>;

  beforeAll(async () => {
    const ctx = systemContext(stack, tenant.workspaceId);
    ids = await givenMembers(ctx, COUNT, { buyers: COUNT - 10 });
    // The model cannot score this member: the time between purchases cannot be negative.
    await ctx.sql.query('UPDATE model.member_statistics SET log_sum = -1 WHERE member_id = $1', [ids[7]]);
    id = (await bulk.create('live')).body.id;
    const query = `subscription ($id: ID!) {
      bulkJobProgress(id: $id) { status processed requestedBy { name } wallet { available } } }`;
    progress = await watch(stack.url, { query, variables: { id } }, tenant.token);
    finished = await bulk.ended(id);
  });

  test('is polled to its end, where each member counts once and its attempts count as they were', () => {
    const { job, polled } = finished;
    expect(job).toEqual({
      ...jobShape,
      id,
      status: 'completed_with_errors',
      processed: COUNT,
      succeeded: COUNT - 11,
      unavailable: 10,
      failed: 1,
      attempts: COUNT + 2,
      started_at: shapes.instant,
      finished_at: shapes.instant,
      details_expire_at: shapes.instant,
    });
    expect(Date.parse(job.details_expire_at) - Date.parse(job.finished_at)).toBe(7 * 86_400_000);
    const counts = polled.map(({ processed }) => processed);
    expect(counts).toEqual([...counts].sort((one, other) => one - other));
  });

  test('is watched beside the polls, with fields of other subgraphs, to the same end', async () => {
    await eventually(() =>
      expect(progress.results.at(-1)).toMatchObject({
        data: { bulkJobProgress: { status: 'COMPLETED_WITH_ERRORS', processed: COUNT } },
      }),
    );
    const seen = progress.results as { data: { bulkJobProgress: Record<string, unknown> } }[];
    const counts = seen.map(({ data }) => data.bulkJobProgress['processed'] as number);
    expect(counts).toEqual([...counts].sort((one, other) => one - other));
    expect(seen.at(-1)!.data.bulkJobProgress).toEqual({
      status: 'COMPLETED_WITH_ERRORS',
      processed: COUNT,
      requestedBy: null,
      wallet: { available: expect.any(Number) },
    });
    const { available } = seen.at(-1)!.data.bulkJobProgress['wallet'] as { available: number };
    const left = await balance();
    // The last attempt was for one member and cost nothing. Its reservation may be released later.
    expect([left, left - 30]).toContain(available);
    await progress.stop();
  });

  test('has a result for every member, in the order of ids, on pages that end', async () => {
    const { rows, sizes } = await allPages<Result>(bulk.get, `id=${id}&view=results&limit=100`, 'results');
    expect([sizes, rows.map(({ member_id }) => member_id)]).toEqual([[100, 100, 50], ids]);
    expect(rows[0]).toEqual({
      member_id: ids[0],
      status: 'succeeded',
      attempts: 1,
      error: null,
      updated_at: shapes.instant,
    });
    const { body } = await bulk.get(`?id=${id}&view=results&limit=1000`);
    expect([body.results.length, body.nextCursor]).toEqual([COUNT, null]);
    expect((await bulk.get(`?id=${id}&view=results`)).body.results.length).toBe(100);
  });

  test('has results by status: the failed one says why, those without data have no error', async () => {
    const failed = await resultsOf(id, '&status=failed');
    expect(failed).toMatchObject([{ member_id: ids[7], attempts: 3, error: { code: 'SCORING_FAILED' } }]);
    expect(Object.keys(failed[0]!.error!)).toEqual(['code', 'message']);
    const unavailable = await resultsOf(id, '&status=unavailable');
    expect(unavailable.map(({ member_id }) => member_id)).toEqual(ids.slice(-10));
    expect(unavailable.every(({ error }) => error === null)).toBe(true);
    expect((await resultsOf(id, '&status=succeeded')).length).toBe(COUNT - 11);
  });

  test('charged ten credits for each score of the states that it saved', async () => {
    const states = await statesOf();
    expect(states.map(({ member_id }) => member_id)).toEqual(ids.filter((one) => one !== ids[7]));
    const scores = states
      .flatMap(({ state }) => Object.values(state.signals))
      .filter(({ score }) => score !== null);
    expect(scores.length).toBe(2 * (COUNT - 11));
    expect(await balance()).toBe(50_000 - 10 * scores.length);
  });

  test('left states that are read one by one in the same shape; an unknown score is null and not 0', async () => {
    const [first] = await statesOf();
    expect(first).toEqual({
      member_id: ids[0],
      job_id: id,
      source_cutoff: finished.job.source_cutoff,
      updated_at: shapes.instant,
      state: {
        observed: expect.objectContaining({ n_purchase_days: 3 }),
        signals: {
          purchase: { score: expect.any(Number), status: 'ok', horizon_days: 30, reasons: [] },
          long_gap: { score: expect.any(Number), status: 'ok', horizon_days: 90, reasons: [] },
          cart_removal: {
            score: null,
            status: 'unavailable',
            horizon_days: null,
            reasons: [expect.any(String)],
          },
        },
        envelope: expect.objectContaining({ status: 'ok', model_version: 'std-2' }),
      },
    });
    const one = await bulk.states(`?member_id=${ids[0]}`);
    expect([one.status, one.body]).toEqual([200, first]);
    const [without] = (await statesOf()).slice(-1);
    expect(JSON.stringify(without)).not.toMatch(/"score":0[,}]/);
    expectModelError(await bulk.states(`?member_id=${ids[7]}`), 404, 'MEMBER_STATE_NOT_FOUND');
  });

  test('is answered again for its key and name after its end, and its key with another name is refused', async () => {
    const again = await bulk.create('live');
    expect([again.status, again.body]).toEqual([202, { id, reused: true }]);
    expectModelError(await bulk.create('live', 'weekly'), 409, 'IDEMPOTENCY_KEY_REUSED');
  });

  test('is retried for the failed member alone, at the same cutoff', async () => {
    const ctx = systemContext(stack, tenant.workspaceId);
    await ctx.sql.query('UPDATE model.member_statistics SET log_sum = 7.6 WHERE member_id = $1', [ids[7]]);
    const before = await balance();
    const retried = await bulk.post({ action: 'retry', id });
    expect([retried.status, retried.body]).toEqual([
      200,
      { ...jobShape, ...finished.job, status: 'running', finished_at: null, details_expire_at: null },
    ]);
    const { job } = await bulk.ended(id);
    expect(job).toMatchObject({
      status: 'completed',
      source_cutoff: finished.job.source_cutoff,
      ...{ processed: COUNT, succeeded: COUNT - 10, unavailable: 10, failed: 0, attempts: COUNT + 3 },
    });
    expect(await resultsOf(id, '&status=failed')).toEqual([]);
    expect(await balance()).toBe(before - 20);
    expectModelError(await bulk.post({ action: 'retry', id }), 409, 'BULK_JOB_STATE');
  });

  test('shows results for seven days after its end; itself and its states are there after that', async () => {
    const ctx = systemContext(stack, tenant.workspaceId);
    await ctx.sql.query(
      `UPDATE model.bulk_jobs SET finished_at = finished_at - interval '7 days' WHERE id = $1`,
      [id],
    );
    expectModelError(await bulk.get(`?id=${id}&view=results`), 410, 'DETAILS_EXPIRED');
    expectModelError(await bulk.get(`?id=${id}&view=results&status=failed`), 410, 'DETAILS_EXPIRED');
    expectModelError(await bulk.post({ action: 'retry', id }), 410, 'DETAILS_EXPIRED');
    expect((await bulk.get(`?id=${id}`)).body.job).toMatchObject({ status: 'completed', processed: COUNT });
    expect((await statesOf()).length).toBe(COUNT);
  });
});

test('a job of a test key refreshes test members for nothing, and a live key sees none of it', async () => {
  const { secret } = await stack.key(tenant.token, v1Scopes, 'TEST');
  const sandbox = bulkClient(stack, secret);
  const ids = await givenMembers(systemContext(stack, tenant.workspaceId, 'TEST'), 30);
  const before = await balance();
  const { body } = await sandbox.create('live');
  expect(body.reused).toBe(false);
  const { job } = await sandbox.ended(body.id);
  expect(job).toMatchObject({ status: 'completed', processed: 30, succeeded: 30 });
  const states = await sandbox.states('?limit=1000');
  expect(states.body.states.map(({ member_id }: State) => member_id)).toEqual(ids);
  expect(await balance()).toBe(before);
  expectModelError(await bulk.get(`?id=${body.id}`), 404, 'BULK_JOB_NOT_FOUND');
  expectModelError(await bulk.states(`?member_id=${ids[0]}`), 404, 'MEMBER_STATE_NOT_FOUND');
});
