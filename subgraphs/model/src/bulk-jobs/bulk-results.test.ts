import { describe, expect, test } from '@jest/globals';
import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { ask } from '@loyalty/test/harness/ask';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { model } from '../subgraph.ts';
import { givenBroken, givenStatus } from './bulk-faults.fixture.ts';
import {
  act,
  createJob,
  givenJob,
  givenMembers,
  jobOf,
  passTime,
  resultRows,
  stateRows,
  workerContext,
  workOff,
} from './bulk-jobs.fixture.ts';
import { dropBulkResultsJob } from './bulk-jobs.jobs.ts';

const { services, newContext } = useServices();
const sandbox = () => newContext({ mode: 'TEST' });
const worker = () => workerContext(services);

const RESULTS = `query ($id: ID!, $first: Int, $after: String, $status: BulkResultStatus) {
  bulkJobResults(bulkJobId: $id, first: $first, after: $after, status: $status) {
    nextCursor results { member { id } status attempts error { code message } updatedAt } } }`;
const STATES = `query ($first: Int, $after: String) {
  memberStates(first: $first, after: $after) {
    nextCursor states { member { id } jobId sourceCutoff status } } }`;

const resultsOf = (ctx: Context, id: string, args: object = {}) =>
  ask(model, contextOf(services, ctx.caller), RESULTS, { id, ...args });
const statesOf = (ctx: Context, args: object = {}) =>
  ask(model, contextOf(services, ctx.caller), STATES, { ...args });

type Row = { member: { id: string }; status: string };
const idsIn = (rows: readonly Row[]) => rows.map(({ member }) => member.id);

/** Creates an ended job in which two members failed and three had too little data. */
async function endedJob(ctx: Context) {
  const ids = await givenMembers(ctx, 12, { buyers: 9 });
  await givenBroken(ctx, ids.slice(4, 6));
  const id = await givenJob(ctx);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await workOff(worker());
    await passTime(ctx);
  }
  return { ids, id };
}

/** Returns all pages, each of `first` rows. */
async function pagesOf(ctx: Context, id: string, args: { first: number; status?: string }): Promise<Row[][]> {
  const pages: Row[][] = [];
  for (let after: string | null = null; ; ) {
    const { data } = await resultsOf(ctx, id, { ...args, after });
    pages.push(data.bulkJobResults.results);
    after = data.bulkJobResults.nextCursor;
    if (!after) return pages;
  }
}

describe('results', () => {
  test('are paged in the order of members; every row once', async () => {
    const ctx = sandbox();
    const { ids, id } = await endedJob(ctx);
    const pages = await pagesOf(ctx, id, { first: 5 });
    expect(pages.map(({ length }) => length)).toEqual([5, 5, 2]);
    expect(idsIn(pages.flat())).toEqual(ids);
    expect(pages[0]![0]).toMatchObject({ status: 'SUCCEEDED', attempts: 1, error: null });
    expect(pages[0]![4]).toMatchObject({
      status: 'FAILED',
      attempts: 3,
      error: { code: 'SCORING_FAILED', message: expect.stringMatching(/facts/) },
    });
  });

  test.each([
    ['SUCCEEDED', [0, 1, 2, 3, 6, 7, 8]],
    ['UNAVAILABLE', [9, 10, 11]],
    ['FAILED', [4, 5]],
  ])('can be those that are %s only', async (status, places) => {
    const ctx = sandbox();
    const { ids, id } = await endedJob(ctx);
    const pages = await pagesOf(ctx, id, { first: 2, status });
    expect(idsIn(pages.flat())).toEqual(places.map((place) => ids[place]));
  });

  test('refuse cursors of another filter, list or job, and pages above 1,000 or below 1', async () => {
    const ctx = sandbox();
    const { id } = await endedJob(ctx);
    const cursor = (await resultsOf(ctx, id, { first: 1, status: 'FAILED' })).data.bulkJobResults.nextCursor;
    const states = (await statesOf(ctx, { first: 1 })).data.memberStates.nextCursor;
    const other = await givenJob(ctx);
    const refused = { code: 'BAD_USER_INPUT', reason: 'VALIDATION_FAILED' };
    expect(await resultsOf(ctx, id, { after: cursor })).toMatchObject(refused);
    expect(await resultsOf(ctx, id, { after: cursor, status: 'UNAVAILABLE' })).toMatchObject(refused);
    expect(await resultsOf(ctx, other, { after: cursor, status: 'FAILED' })).toMatchObject(refused);
    expect(await resultsOf(ctx, id, { after: states })).toMatchObject(refused);
    expect(await resultsOf(ctx, id, { after: 'x' })).toMatchObject(refused);
    expect(await resultsOf(ctx, id, { first: 1_001 })).toMatchObject(refused);
    expect(await resultsOf(ctx, id, { first: 0 })).toMatchObject(refused);
    expect((await resultsOf(ctx, id, { first: 1_000 })).data).toBeTruthy();
    expect(await statesOf(ctx, { after: cursor })).toMatchObject(refused);
    expect(await statesOf(ctx, { first: 1_001 })).toMatchObject(refused);
  });

  test('and states leave out members who are restricted by now; the pages go on', async () => {
    const ctx = sandbox();
    const { ids, id } = await endedJob(ctx);
    await givenStatus(ctx, ids[1]!, 'is_restricted = true');
    await givenStatus(ctx, ids[2]!, `status = 'DELETED'`);
    const pages = await pagesOf(ctx, id, { first: 3 });
    expect(idsIn(pages.flat())).toEqual(ids.filter((_, place) => place !== 1 && place !== 2));
    const { data } = await statesOf(ctx, { first: 3 });
    expect(idsIn(data.memberStates.states)).toEqual([ids[0]]);
    expect(data.memberStates.nextCursor).toEqual(expect.any(String));
  });

  test('are gone with 410 seven days after the end; counters and states remain', async () => {
    const ctx = sandbox();
    const { id } = await endedJob(ctx);
    const job = await jobOf(ctx, id);
    const endedAt = new Date(job.finishedAt);
    expect(job.detailsExpireAt).toBe(addMs(endedAt, 7 * DAY_MS).toISOString());
    services.clock.set(addMs(endedAt, 7 * DAY_MS - 1));
    expect((await resultsOf(ctx, id)).data.bulkJobResults.results).toHaveLength(12);
    services.clock.set(addMs(endedAt, 7 * DAY_MS));
    expect(await resultsOf(ctx, id)).toMatchObject({ code: 'GONE', reason: 'DETAILS_EXPIRED' });
    expect(await act(ctx, 'retryBulkJob', id)).toMatchObject({ code: 'GONE', reason: 'DETAILS_EXPIRED' });
    expect(await jobOf(ctx, id)).toEqual(job);
    expect((await stateRows(ctx)).size).toBe(10);
  });

  test('are dropped by the day, once all jobs of that day have ended seven days ago', async () => {
    const ctx = sandbox();
    const beside = sandbox();
    services.clock.set(addMs(services.clock.now(), 30 * DAY_MS));
    const { id } = await endedJob(ctx);
    const before = await jobOf(ctx, id);
    await givenMembers(beside, 2);
    const open = await givenJob(beside);
    services.clock.advance(8 * DAY_MS);
    await dropBulkResultsJob.run(worker(), {});
    // A job of the same day is still running.
    expect((await resultRows(ctx, id)).size).toBe(12);
    await workOff(worker());
    expect(await jobOf(beside, open)).toMatchObject({ status: 'COMPLETED', processed: 2 });
    services.clock.advance(6 * DAY_MS);
    await dropBulkResultsJob.run(worker(), {});
    expect((await resultRows(beside, open)).size).toBe(2);
    services.clock.advance(2 * DAY_MS);
    await dropBulkResultsJob.run(worker(), {});
    expect([(await resultRows(ctx, id)).size, (await resultRows(beside, open)).size]).toEqual([0, 0]);
    expect(await jobOf(ctx, id)).toEqual(before);
    expect((await stateRows(ctx)).size).toBe(10);
    expect(await resultsOf(ctx, id)).toMatchObject({ code: 'GONE' });
    // A new job is of a new day.
    const next = await givenJob(ctx);
    await workOff(worker());
    expect((await resultRows(ctx, next)).size).toBeGreaterThan(0);
  });
});

test('states are paged in the order of members, and those of other workspaces and modes are not among them', async () => {
  const ctx = sandbox();
  const ids = await givenMembers(ctx, 7);
  const strangers = [sandbox(), newContext({ workspaceId: ctx.scope.workspaceId })];
  const id = await givenJob(ctx);
  await workOff(worker());
  const first = (await statesOf(ctx, { first: 4 })).data.memberStates;
  const second = (await statesOf(ctx, { first: 4, after: first.nextCursor })).data.memberStates;
  expect(idsIn([...first.states, ...second.states])).toEqual(ids);
  expect(second.nextCursor).toBeNull();
  expect(first.states[0]).toMatchObject({ jobId: id, status: expect.any(String) });
  for (const stranger of strangers) {
    expect((await statesOf(stranger)).data.memberStates.states).toEqual([]);
    expect(await resultsOf(stranger, id)).toMatchObject({ code: 'NOT_FOUND' });
  }
});

test('a job scores and saves by the version that it was made with, beside states of another', async () => {
  const ctx = sandbox();
  await givenMembers(ctx, 3);
  const versions = async () => {
    const query = '{ memberStates { states { modelVersion } } }';
    const { data } = await ask(model, contextOf(services, ctx.caller), query);
    return data.memberStates.states.map((state: { modelVersion: string }) => state.modelVersion);
  };
  await createJob(ctx, 'by name', 'first', 'std-1');
  await workOff(worker());
  expect(await versions()).toEqual(['std-1', 'std-1', 'std-1']);
  services.clock.advance(DAY_MS);
  await createJob(newContext(ctx.caller), 'usual', 'second');
  await workOff(worker());
  expect(await versions()).toEqual(['std-2', 'std-2', 'std-2']);
});
