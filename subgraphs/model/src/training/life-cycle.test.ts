import { describe, expect, test } from '@jest/globals';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { useServices } from '@loyalty/test/harness/services';
import { leaks } from '../pipelines/samples.fixture.ts';
import { samplesOf } from '../pipelines/trainer.fixture.ts';
import { standardTrainer } from '../pipelines/trainer.ts';
import { liveAlignments, publishVersion, unpublishVersion } from '../versions/publication.service.ts';
import { evaluationOf, reportStatus } from '../versions/report.ts';
import { latestReport, listQueue, listReports } from '../versions/reports.service.ts';
import { listVersionEvents } from '../versions/version-events.service.ts';
import {
  cancelVersion,
  deleteVersion,
  getVersion,
  startVersion,
  uploadVersion,
} from '../versions/versions.service.ts';
import { setSeparation } from './review-separation.service.ts';
import { approveReport, rejectReport } from './reviews.service.ts';
import {
  flipByte,
  givenApproved,
  givenEvaluated,
  givenPublished,
  givenVersion,
  reviewOf,
  upload,
  work,
} from './versions.fixture.ts';

const { ctx, fresh } = useServices();
const refused = (code: string) => expect.objectContaining({ code });
const unknownId = '0197a3c2-5f1a-7d02-8c44-9be1c07d6a21';

test('a version is uploaded, trained, approved, published, unpublished and deleted', async () => {
  const version = await givenVersion(ctx);
  expect((await startVersion(ctx, version)).status).toBe('QUEUED');
  await work(ctx);
  const evaluated = await getVersion(ctx, version);
  expect(evaluated).toMatchObject({ status: 'EVALUATED', attempt: 1, done: 1, failure: null });
  const report = (await latestReport(ctx, evaluated))!;
  expect(report).toMatchObject({ attempt: 1, passed: true, isIntact: true, isStale: false });
  expect(report.fingerprint).toBe(evaluated.fingerprint);
  expect(evaluationOf(report)).toEqual({
    passed: true,
    metrics: { auc: 0.81 },
    baseline: { auc: 0.5 },
    gates: [{ name: 'auc', passed: true, value: 0.81, threshold: 0.6, rule: 'at least' }],
    warnings: [],
  });
  expect((await approveReport(ctx, await reviewOf(ctx, evaluated))).status).toBe('APPROVED');
  const published = await publishVersion(ctx, version);
  expect(published).toMatchObject({ status: 'PUBLISHED', publishedAt: expect.any(Date) });
  expect(await unpublishVersion(ctx, version)).toMatchObject({ status: 'APPROVED', publishedAt: null });
  await deleteVersion(ctx, version);
  await expect(getVersion(ctx, version)).rejects.toEqual(refused('MODEL_VERSION_NOT_FOUND'));
  const left = await ctx.sql.query(
    `SELECT 1 FROM model.version_samples WHERE version_id = $1
     UNION ALL SELECT 1 FROM model.evaluation_reports WHERE version_id = $1`,
    [version.id],
  );
  expect(left).toEqual([]);
});

test('each step is an event in the history and the audit; what others wait for is published', async () => {
  const version = await givenPublished(ctx);
  const { id: modelVersionId, kind, subject, origin, fingerprint, reportId } = version;
  await unpublishVersion(ctx, version);
  await deleteVersion(ctx, version);
  expect(await publishedEvents(ctx, 'model.report_ready')).toEqual([
    { modelVersionId, kind, subject, attempt: 1, passed: true, reportId },
  ]);
  expect(await publishedEvents(ctx, 'model.version_published')).toEqual([
    { modelVersionId, kind, subject, origin, fingerprint },
  ]);
  const types = (await listVersionEvents(ctx, 'TRAINING')).map(({ type }) => type);
  expect(types.toReversed()).toEqual([
    ...['uploaded', 'queued', 'started', 'report_ready', 'approved', 'published', 'unpublished', 'deleted'],
  ]);
  const audited = await ctx.sql.query<{ action: string }>(
    'SELECT action FROM platform.audit_entries WHERE workspace_id = $1 ORDER BY id',
    [ctx.scope.workspaceId],
  );
  expect(audited.map(({ action }) => action)).toEqual([
    ...[
      'uploadVersion',
      'startVersion',
      'approveReport',
      'publishVersion',
      'unpublishVersion',
      'deleteVersion',
    ],
  ]);
});

describe.each(Object.entries(leaks))('the report of samples with %s', (_, content) => {
  test('is approved with a reason only, which the audit keeps', async () => {
    const { version: uploaded } = await uploadVersion(ctx, { ...upload, content });
    await startVersion(ctx, uploaded);
    await work(ctx, standardTrainer);
    const version = await getVersion(ctx, uploaded);
    const { note, ...review } = await reviewOf(ctx, version);
    const report = (await latestReport(ctx, version))!;
    const { passed, warnings } = evaluationOf(report);
    const acknowledged = warnings.map(({ name }) => name);
    expect(passed).toBe(true);
    expect(acknowledged).toContain('held_out_auc');
    // A report from before warnings existed has the same ones.
    const { evaluation, ...about } = JSON.parse(report.report);
    const former = JSON.stringify({ ...about, evaluation: { ...evaluation, warnings: undefined } });
    expect(evaluationOf({ report: former, passed }).warnings.map(({ name }) => name)).toEqual(acknowledged);

    await expect(approveReport(ctx, { ...review, note, acknowledged: false })).rejects.toMatchObject({
      code: 'ACKNOWLEDGEMENT_REQUIRED',
    });
    for (const none of [undefined, null, ' \n'])
      await expect(approveReport(ctx, { ...review, note: none })).rejects.toMatchObject({
        category: 'BAD_USER_INPUT',
        code: 'REASON_REQUIRED',
        message: expect.stringContaining(acknowledged.join(', ')),
        details: { field: 'input.note' },
      });
    const reason = 'The two columns are rules that decide the label.';
    expect((await approveReport(ctx, { ...review, note: reason })).status).toBe('APPROVED');
    expect((await latestReport(ctx, version))!.note).toBe(reason);
    const [audited] = await ctx.sql.query(
      `SELECT after FROM platform.audit_entries WHERE workspace_id = $1 AND action = 'approveReport'`,
      [ctx.scope.workspaceId],
    );
    expect(audited).toMatchObject({ after: { reportId: report.id, acknowledged, reason } });
    const [event] = await listVersionEvents(ctx, 'TRAINING', 1);
    expect(event!.message).toContain('Acknowledged with a reason: held_out_auc');
  });
});

describe('a version in another state', () => {
  const steps = {
    start: startVersion,
    cancel: cancelVersion,
    publish: publishVersion,
    unpublish: unpublishVersion,
    delete: deleteVersion,
  };
  type Step = keyof typeof steps;
  const states = {
    uploaded: () => givenVersion(ctx),
    queued: async () => startVersion(ctx, await givenVersion(ctx)),
    cancelled: async () => cancelVersion(ctx, await startVersion(ctx, await givenVersion(ctx))),
    evaluated: () => givenEvaluated(ctx),
    approved: () => givenApproved(ctx),
    rejected: async () => {
      const version = await givenEvaluated(ctx);
      return rejectReport(ctx, await reviewOf(ctx, version));
    },
    published: () => givenPublished(ctx),
  };
  const allowed: Readonly<Record<keyof typeof states, readonly Step[]>> = {
    uploaded: ['start', 'delete'],
    queued: ['cancel'],
    cancelled: ['start', 'delete'],
    evaluated: ['start', 'delete'],
    approved: ['start', 'publish', 'delete'],
    rejected: ['start', 'delete'],
    published: ['unpublish'],
  };
  const cases = (Object.keys(states) as (keyof typeof states)[]).flatMap((state) =>
    (Object.keys(steps) as Step[])
      .filter((step) => !allowed[state].includes(step))
      .map((step) => [state, step] as const),
  );

  test.each(cases)('that is %s refuses to %s, and stays as it is', async (state, step) => {
    const version = await states[state]();
    expect(version.status).toBe(state.toUpperCase());
    await expect(steps[step](ctx, version)).rejects.toMatchObject({
      code: 'VERSION_STATE',
      category: 'CONFLICT',
      message: expect.stringContaining(`that is ${state} cannot be`),
    });
    expect(await getVersion(ctx, version)).toEqual(version);
  });

  test.each(Object.entries(allowed).flatMap(([state, all]) => all.map((step) => [state, step] as const)))(
    'that is %s allows to %s',
    async (state, step) => {
      await steps[step](ctx, await states[state as keyof typeof states]());
    },
  );
});

describe('a review', () => {
  test('is of the latest attempt, by its hash, once, and acknowledged', async () => {
    const version = await givenEvaluated(ctx);
    const review = await reviewOf(ctx, version);
    const both = [approveReport, rejectReport];
    await expect(approveReport(ctx, { ...review, acknowledged: false })).rejects.toEqual(
      refused('ACKNOWLEDGEMENT_REQUIRED'),
    );
    for (const handle of both) {
      await expect(handle(ctx, { ...review, id: unknownId })).rejects.toEqual(
        refused('MODEL_VERSION_NOT_FOUND'),
      );
      await expect(handle(ctx, { ...review, reportId: unknownId })).rejects.toEqual(
        refused('EVALUATION_REPORT_NOT_FOUND'),
      );
      await expect(handle(ctx, { ...review, reportHash: 'f'.repeat(64) })).rejects.toEqual(
        refused('REPORT_HASH_MISMATCH'),
      );
      await expect(handle(ctx, { ...review, kind: 'ALIGNMENT' })).rejects.toEqual(
        refused('MODEL_VERSION_NOT_FOUND'),
      );
    }
    await startVersion(ctx, version);
    for (const handle of both) await expect(handle(ctx, review)).rejects.toEqual(refused('REPORT_STALE'));
    await work(ctx);
    await approveReport(ctx, await reviewOf(ctx, await getVersion(ctx, version)));
    for (const handle of both)
      await expect(handle(ctx, await reviewOf(ctx, await getVersion(ctx, version)))).rejects.toEqual(
        refused('REPORT_HANDLED'),
      );
    const { rows } = await listReports(ctx, version.id, {});
    expect(rows.map((report) => [report.attempt, reportStatus(report)])).toEqual([
      [2, 'APPROVED'],
      [1, 'STALE'],
    ]);
    expect(rows[0]).toMatchObject({ reviewedBy: ctx.caller.actor, note: 'Read.' });
  });

  test('that did not pass can only be rejected', async () => {
    const version = await givenEvaluated(ctx, { content: samplesOf(10, 0) });
    const review = await reviewOf(ctx, version);
    await expect(approveReport(ctx, review)).rejects.toEqual(refused('EVALUATION_FAILED'));
    expect((await rejectReport(ctx, review)).status).toBe('REJECTED');
    await expect(publishVersion(ctx, version)).rejects.toEqual(refused('VERSION_STATE'));
  });

  test('of a changed artifact or report is refused', async () => {
    for (const column of ['artifact', 'report'] as const) {
      const version = await givenEvaluated(ctx, { name: column, horizon: column.length });
      const review = await reviewOf(ctx, version);
      await flipByte(ctx, version, column);
      await expect(approveReport(ctx, review)).rejects.toEqual(refused('ARTIFACT_CHANGED'));
    }
  });

  test('by twenty reviewers at once is one review', async () => {
    const version = await givenEvaluated(ctx);
    const review = await reviewOf(ctx, version);
    const reviewers = Array.from({ length: 20 }, (_, place) => (place % 2 ? approveReport : rejectReport));
    const outcomes = await Promise.allSettled(reviewers.map((handle) => handle(fresh(), review)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'REPORT_HANDLED' });
    const reviewed = (await listVersionEvents(ctx, 'TRAINING')).filter(({ type }) =>
      /approv|reject/.test(type),
    );
    expect(reviewed.length).toBe(1);
  });

  test('waits in the queue, oldest first, until it is done; stale ones say so', async () => {
    const first = await givenEvaluated(ctx);
    const second = await givenEvaluated(ctx, { horizon: 60 });
    await startVersion(ctx, first);
    const queue = async () =>
      (await listQueue(ctx, {})).rows.map((report) => [report.versionId, reportStatus(report)]);
    expect(await queue()).toEqual([
      [first.id, 'STALE'],
      [second.id, 'PENDING'],
    ]);
    await rejectReport(ctx, await reviewOf(ctx, second));
    expect(await queue()).toEqual([[first.id, 'STALE']]);
  });
});

describe('publication', () => {
  test('recomputes the hashes of what is stored', async () => {
    for (const column of ['artifact', 'report'] as const) {
      const version = await givenApproved(ctx, { horizon: column.length });
      await flipByte(ctx, version, column);
      await expect(publishVersion(ctx, version)).rejects.toEqual(refused('ARTIFACT_CHANGED'));
      expect(await getVersion(ctx, version)).toEqual(version);
    }
  });

  test('compares what is stored with what was approved', async () => {
    const version = await givenApproved(ctx);
    await ctx.sql.query(
      `UPDATE model.evaluation_reports
          SET artifact = '{}', fingerprint = encode(sha256(convert_to('{}', 'UTF8')), 'hex') WHERE id = $1`,
      [version.reportId],
    );
    expect(await latestReport(fresh(), version)).toMatchObject({ isIntact: true });
    await expect(publishVersion(ctx, version)).rejects.toEqual(refused('ARTIFACT_CHANGED'));
    expect(await getVersion(fresh(), version)).toEqual(version);
  });

  test('allows one live alignment for each target, and any number for tests', async () => {
    const alignment = { kind: 'ALIGNMENT', subject: 'CHURN' } as const;
    const first = await givenPublished(ctx, alignment);
    const second = await givenApproved(ctx, { ...alignment, horizon: 60 });
    await expect(publishVersion(ctx, second)).rejects.toEqual(refused('TARGET_PUBLISHED'));
    await givenPublished(ctx, { ...alignment, subject: 'PURCHASE' });
    await givenPublished(ctx, { ...alignment, origin: 'TEST' });
    const idsInUse = async () =>
      Object.fromEntries((await liveAlignments(ctx)).map(({ target, id }) => [target, id]));
    expect(await idsInUse()).toEqual({ CHURN: first.id, PURCHASE: expect.any(String) });
    await unpublishVersion(ctx, first);
    await publishVersion(ctx, second);
    expect(await idsInUse()).toEqual({ CHURN: second.id, PURCHASE: expect.any(String) });
    await flipByte(ctx, second);
    const changed = (await liveAlignments(ctx)).find(({ id }) => id === second.id);
    expect(changed).toMatchObject({ target: 'CHURN', artifact: null });
  });
});

test('a workspace that separates uploads from reviews with one administrator lets that one review', async () => {
  await setSeparation(ctx, true);
  const version = await givenEvaluated(ctx);
  expect((await approveReport(ctx, await reviewOf(ctx, version))).status).toBe('APPROVED');
});
