import { describe, expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { ask } from '@loyalty/test/harness/ask';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { model } from '../subgraph.ts';
import { expectSound, givenBroken } from './bulk-faults.fixture.ts';
import {
  act,
  createJob,
  givenJob,
  givenMembers,
  jobOf,
  passTime,
  scanAll,
  workerContext,
  workOff,
} from './bulk-jobs.fixture.ts';

const { services, newContext } = useServices();
const worker = () => workerContext(services);
const sandbox = () => newContext({ mode: 'TEST' });
const again = (ctx: Context) => contextOf(services, ctx.caller);

describe('a new job', () => {
  test('is queued, with its cutoff, and nothing is known of its total', async () => {
    const ctx = newContext();
    const { data } = await createJob(ctx, '  nightly ');
    expect(data.createBulkJob).toEqual({
      reused: false,
      bulkJob: {
        id: expect.any(String),
        name: 'nightly',
        modelVersion: 'std-2',
        status: 'QUEUED',
        state: 'QUEUED',
        pauseReason: null,
        processed: 0,
        succeeded: 0,
        unavailable: 0,
        failed: 0,
        attempts: 0,
        total: null,
        creditsCharged: 0,
        sourceCutoff: '2026-03-02T10:00:00.000Z',
        startedAt: null,
        finishedAt: null,
        detailsExpireAt: null,
      },
    });
  });

  test.each([
    ['', 'key'],
    ['  ', 'key'],
    ['x'.repeat(201), 'key'],
    ['name', ''],
    ['name', 'k'.repeat(201)],
  ])('is refused with 400: %#', async (name, key) => {
    expect(await createJob(newContext(), name, key)).toMatchObject({
      code: 'BAD_USER_INPUT',
      reason: 'VALIDATION_FAILED',
    });
  });

  test('of twenty with one key at once is one, which all of them get', async () => {
    const ctx = newContext();
    const answers = await Promise.all(Array.from({ length: 20 }, () => createJob(again(ctx), 'same', 'key')));
    const made = answers.map(({ data }) => data?.createBulkJob);
    expect(answers.flatMap(({ reason }) => reason ?? [])).toEqual([]);
    expect(new Set(made.map(({ bulkJob }) => bulkJob.id)).size).toBe(1);
    expect(made.filter(({ reused }) => !reused)).toHaveLength(1);
  });

  test('of twenty with keys of their own at once is one; the others conflict', async () => {
    const ctx = newContext();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => createJob(again(ctx), `job ${n}`)),
    );
    expect(answers.filter(({ data }) => data)).toHaveLength(1);
    const refused = answers.filter(({ data }) => !data);
    expect(new Set(refused.map(({ code, reason }) => `${code} ${reason}`))).toEqual(
      new Set(['CONFLICT BULK_JOB_ACTIVE']),
    );
    const { data } = await ask(model, again(ctx), '{ bulkJobs { totalCount } }');
    expect(data.bulkJobs.totalCount).toBe(1);
  });

  test('may follow when the one before has ended; its key keeps returning that one', async () => {
    const ctx = newContext();
    const first = await createJob(ctx, 'first', 'key');
    await act(ctx, 'cancelBulkJob', first.data.createBulkJob.bulkJob.id);
    expect(await createJob(again(ctx), 'first', 'key')).toMatchObject({
      data: { createBulkJob: { reused: true, bulkJob: { status: 'CANCELLED' } } },
    });
    expect(await createJob(again(ctx), 'other', 'key')).toMatchObject({
      code: 'CONFLICT',
      reason: 'IDEMPOTENCY_KEY_REUSED',
    });
    expect(await createJob(again(ctx), 'second', 'other key')).toMatchObject({
      data: { createBulkJob: { reused: false, bulkJob: { status: 'QUEUED' } } },
    });
    // Also while another job is active.
    expect(await createJob(again(ctx), 'first', 'key')).toMatchObject({
      data: { createBulkJob: { reused: true } },
    });
  });

  test('has the version of the model that it was asked for, as its key has', async () => {
    const ctx = newContext();
    const first = await createJob(ctx, 'first', 'key', 'std-1');
    expect(first.data.createBulkJob.bulkJob.modelVersion).toBe('std-1');
    for (const version of ['std-1', undefined])
      expect(await createJob(again(ctx), 'first', 'key', version)).toMatchObject({
        data: { createBulkJob: { reused: true, bulkJob: { modelVersion: 'std-1' } } },
      });
    expect(await createJob(again(ctx), 'first', 'key', 'std-2')).toMatchObject({
      code: 'CONFLICT',
      reason: 'IDEMPOTENCY_KEY_REUSED',
    });
    expect(await createJob(again(ctx), 'other', 'other key', 'std-3')).toMatchObject({
      code: 'BAD_USER_INPUT',
      message: expect.stringMatching(/input\.modelVersion.*must be std-1 or std-2/),
    });
    await act(ctx, 'cancelBulkJob', first.data.createBulkJob.bulkJob.id);
    const usual = await createJob(again(ctx), 'second');
    expect(usual.data.createBulkJob.bulkJob.modelVersion).toBe('std-2');
  });

  test('of each mode and workspace is there beside the others', async () => {
    const ctx = newContext();
    const others = [newContext({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' }), newContext()] as const;
    for (const each of [ctx, ...others])
      expect((await createJob(each, 'n', 'key')).data.createBulkJob.reused).toBe(false);
  });
});

const reach: Readonly<Record<string, (ctx: Context) => Promise<string>>> = {
  QUEUED: givenJob,
  RUNNING: async (ctx) => {
    const id = await givenJob(ctx);
    await scanAll(worker());
    return id;
  },
  PAUSED: async (ctx) => {
    const id = await reach['RUNNING']!(ctx);
    await act(ctx, 'pauseBulkJob', id);
    return id;
  },
  COMPLETED: async (ctx) => {
    const id = await givenJob(ctx);
    await workOff(worker());
    return id;
  },
  COMPLETED_WITH_ERRORS: async (ctx) => {
    await givenBroken(ctx, await givenMembers(ctx, 1));
    const id = await givenJob(ctx);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await workOff(worker());
      await passTime(ctx);
    }
    return id;
  },
  CANCELLED: async (ctx) => {
    const id = await reach['RUNNING']!(ctx);
    await act(ctx, 'cancelBulkJob', id);
    return id;
  },
};

const actions = ['pauseBulkJob', 'resumeBulkJob', 'cancelBulkJob', 'retryBulkJob'] as const;
type Action = (typeof actions)[number];
type Next = Partial<Record<Action, string>>;

const table: Readonly<Record<string, Next>> = {
  QUEUED: { pauseBulkJob: 'PAUSED', cancelBulkJob: 'CANCELLED' },
  RUNNING: { pauseBulkJob: 'PAUSED', cancelBulkJob: 'CANCELLED' },
  PAUSED: { resumeBulkJob: 'RUNNING', cancelBulkJob: 'CANCELLED' },
  COMPLETED: {},
  COMPLETED_WITH_ERRORS: { retryBulkJob: 'RUNNING' },
  CANCELLED: {},
};
const cases = Object.entries(table).flatMap(([status, next]) =>
  actions.map((action) => [status, action, next[action] ?? null] as const),
);

describe('a job', () => {
  test.each(cases)('that is %s: %s leads to %s', async (status, action, next) => {
    const ctx = sandbox();
    await givenMembers(ctx, 3);
    const id = await reach[status]!(ctx);
    const before = await jobOf(ctx, id);
    expect(before.status).toBe(status);
    const answer = await act(ctx, action, id);
    if (next) expect(answer.data[action]).toMatchObject({ id, status: next });
    else expect(answer).toMatchObject({ code: 'CONFLICT', reason: 'BULK_JOB_STATE' });
    const after = await jobOf(ctx, id);
    if (next) expect(after).toMatchObject({ status: next, processed: before.processed });
    else expect(after).toEqual(before);
    await expectSound(ctx, id);
  });

  test.each(actions)('of another workspace or mode, and an unknown one: %s answers 404', async (action) => {
    const ctx = newContext();
    const id = await givenJob(ctx);
    const strangers = [
      [newContext(), id],
      [newContext({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' }), id],
      [ctx, newId(ctx.clock)],
    ] as const;
    for (const [stranger, asked] of strangers) {
      expect(await act(stranger, action, asked)).toMatchObject({
        code: 'NOT_FOUND',
        reason: 'BULK_JOB_NOT_FOUND',
      });
      expect(await jobOf(stranger, asked)).toBeNull();
    }
    expect(await jobOf(ctx, id)).toMatchObject({ status: 'QUEUED' });
  });

  test('that never ran is queued again when it is resumed, and is completed then', async () => {
    const ctx = sandbox();
    await givenMembers(ctx, 3);
    const id = await givenJob(ctx);
    await act(ctx, 'pauseBulkJob', id);
    await workOff(worker());
    expect(await jobOf(ctx, id)).toMatchObject({
      status: 'PAUSED',
      pauseReason: 'REQUESTED',
      startedAt: null,
    });
    const { data } = await act(ctx, 'resumeBulkJob', id);
    expect(data.resumeBulkJob).toMatchObject({ status: 'QUEUED', pauseReason: null });
    await workOff(worker());
    expect(await jobOf(ctx, id)).toMatchObject({ status: 'COMPLETED', processed: 3 });
  });

  test('is paused, cancelled or retried once by twenty callers at once; an event says so once', async () => {
    const ctx = sandbox();
    await givenMembers(ctx, 3);
    const id = await reach['RUNNING']!(ctx);
    for (const action of ['pauseBulkJob', 'resumeBulkJob', 'cancelBulkJob'] as const) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => act(ctx, action, id)));
      expect(answers.filter(({ data }) => data)).toHaveLength(1);
      expect(answers.filter(({ reason }) => reason === 'BULK_JOB_STATE')).toHaveLength(19);
    }
    const events = await ctx.sql.query(
      `SELECT payload->>'status' AS status FROM platform.outbox
        WHERE workspace_id = $1 AND type = 'model.bulk_job_finished'`,
      [ctx.scope.workspaceId],
    );
    expect(events).toEqual([{ status: 'CANCELLED' }]);
    const audited = await ctx.sql.query<{ action: string }>(
      `SELECT action FROM platform.audit_entries WHERE workspace_id = $1 ORDER BY id`,
      [ctx.scope.workspaceId],
    );
    expect(audited.map(({ action }) => action)).toEqual([
      'createBulkJob',
      'pauseBulkJob',
      'resumeBulkJob',
      'cancelBulkJob',
    ]);
  });

  test('cannot be retried while another one is active', async () => {
    const ctx = sandbox();
    const id = await reach['COMPLETED_WITH_ERRORS']!(ctx);
    await givenJob(ctx);
    expect(await act(ctx, 'retryBulkJob', id)).toMatchObject({ code: 'CONFLICT', reason: 'BULK_JOB_ACTIVE' });
    expect(await jobOf(ctx, id)).toMatchObject({ status: 'COMPLETED_WITH_ERRORS', failed: 1 });
  });
});
