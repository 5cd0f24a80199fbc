import { beforeAll, describe, expect, test } from '@jest/globals';
import { samplesOf } from '@loyalty/model-subgraph/pipelines/trainer.fixture';
import {
  flipByte,
  givenApproved,
  givenEvaluated,
  givenPublished,
  givenVersion,
  work,
} from '@loyalty/model-subgraph/training/versions.fixture';
import type { Context } from '@loyalty/platform/context';
import { createGiven } from '@loyalty/workspace-subgraph/workspace.fixture';
import { eventually } from '../../harness/eventually.ts';
import { useStack } from '../../harness/stack.ts';
import { watch } from '../../harness/watch.ts';
import { expectModelError, shapes } from '../shapes.ts';
import { systemContext } from './bulk-jobs.fixture.ts';
import { modelTenant } from './model.fixture.ts';
import { reportShape, type VersionsPath, versionShape, versionsClient } from './training.fixture.ts';

/** No worker runs: the tests themselves run the attempts, with a trainer of their own. */
const stack = useStack();
const unknownId = '0197a3c2-5f1a-7d02-8c44-9be1c07d6a21';

describe.each([
  ['training', { kind: 'TRAINING', subject: 'RETURN' }],
  ['alignment', { kind: 'ALIGNMENT', subject: 'PURCHASE' }],
] as const)('versions of %s', (path: VersionsPath, of) => {
  let ctx: Context;
  let client: ReturnType<typeof versionsClient>;
  let token: string;
  beforeAll(async () => {
    const tenant = await modelTenant(stack);
    token = tenant.token;
    ctx = systemContext(stack, tenant.workspaceId);
    client = versionsClient(stack, tenant.key, path);
  });
  let number = 0;
  /** The input for a new version that differs from all versions before. */
  const more = () => {
    number += 1;
    return { ...of, content: samplesOf(10 + number) };
  };

  test('live from the start to the publication, each step as the list shows it', async () => {
    const { id } = await givenVersion(ctx, more());
    expect(await client.version(id)).toEqual({ ...versionShape(path), id, status: 'uploaded', attempt: 0 });
    expect(await client.act('start', id)).toMatchObject({ status: 202, body: { id, status: 'queued' } });
    const progress = await watch(
      stack.url,
      { query: `subscription { trainingProgress(id: "${id}") { status attempt } }` },
      token,
    );
    await work(ctx);
    await eventually(() =>
      expect(progress.results.at(-1)).toEqual({
        data: { trainingProgress: { status: 'EVALUATED', attempt: 1 } },
      }),
    );
    await progress.stop();
    const evaluated = await client.version(id);
    expect(evaluated).toMatchObject({ status: 'evaluated', attempt: 1, finished_at: shapes.instant });
    const { status, body } = await client.act('reports', id, { offset: 0 });
    expect([status, body]).toEqual([200, { reports: [{ ...reportShape, version_id: id }], total: 1 }]);
    expect(body.reports[0].id).toBe(evaluated.latest_report_id);
    const review = await client.reviewOf(id);
    const approved = await client.act('approve', id, review);
    expect([approved.status, approved.body]).toEqual([200, { id, status: 'approved' }]);
    const reviewed = (await client.act('reports', id)).body.reports[0];
    expect(reviewed).toMatchObject({
      status: 'approved',
      note: 'Read.',
      reviewed_by: expect.stringMatching(/^(key|user):/),
    });
    expect((await client.version(id)).published_at).toBeNull();
    expect((await client.act('publish', id)).body).toEqual({ id, status: 'published' });
    expect((await client.version(id)).published_at).toEqual(shapes.instant);
    expect((await client.act('unpublish', id)).body).toEqual({ id, status: 'approved' });
    expect((await client.act('delete', id)).body).toEqual({ id, status: 'approved' });
    expect(await client.version(id)).toBeUndefined();
    const { events } = await client.list();
    expect(events[0]).toEqual({
      at: shapes.instant,
      type: 'deleted',
      version_id: id,
      actor: expect.stringMatching(/^(key|user):/),
      message: expect.any(String),
    });
  });

  describe('in another state', () => {
    const states = {
      uploaded: () => givenVersion(ctx, more()),
      queued: async () => {
        const version = await givenVersion(ctx, more());
        await client.act('start', version.id);
        return version;
      },
      cancelled: async () => {
        const version = await states.queued();
        await client.act('cancel', version.id);
        return version;
      },
      evaluated: () => givenEvaluated(ctx, more()),
      approved: () => givenApproved(ctx, more()),
      rejected: async () => {
        const version = await givenEvaluated(ctx, more());
        await client.act('reject', version.id, await client.reviewOf(version.id));
        return version;
      },
      published: () => givenPublished(ctx, { ...more(), origin: 'TEST' }),
    };
    const steps = ['start', 'cancel', 'publish', 'unpublish', 'delete'] as const;
    const allowed: Readonly<Record<keyof typeof states, readonly string[]>> = {
      uploaded: ['start', 'delete'],
      queued: ['cancel'],
      cancelled: ['start', 'delete'],
      evaluated: ['start', 'delete'],
      approved: ['start', 'publish', 'delete'],
      rejected: ['start', 'delete'],
      published: ['unpublish'],
    };

    test.each(Object.keys(states) as (keyof typeof states)[])(
      'that is %s refuses every other step',
      async (state) => {
        const { id } = await states[state]();
        const before = await client.version(id);
        expect(before.status).toBe(state);
        for (const step of steps.filter((one) => !allowed[state].includes(one)))
          expectModelError(await client.act(step, id), 409, 'VERSION_STATE', `is ${state} cannot be`);
        expect(await client.version(id)).toEqual(before);
      },
    );
  });

  describe('a review', () => {
    test('needs the report that was read, acknowledged', async () => {
      const { id } = await givenEvaluated(ctx, more());
      const review = await client.reviewOf(id);
      const approve = (change: object) => client.act('approve', id, { ...review, ...change });
      expectModelError(
        await approve({ acknowledged: false }),
        400,
        'ACKNOWLEDGEMENT_REQUIRED',
        /^acknowledged /,
      );
      const { acknowledged: _, ...without } = review;
      expectModelError(await client.act('approve', id, without), 400, 'ACKNOWLEDGEMENT_REQUIRED');
      expectModelError(await approve({ reportHash: 'f'.repeat(64) }), 409, 'REPORT_HASH_MISMATCH');
      expectModelError(await approve({ reportId: unknownId }), 404, 'EVALUATION_REPORT_NOT_FOUND');
      expectModelError(await client.act('approve', unknownId, review), 404, 'MODEL_VERSION_NOT_FOUND');
      await client.act('start', id);
      expectModelError(await approve({}), 409, 'REPORT_STALE');
      expect((await client.act('reports', id)).body.reports[0].status).toBe('stale');
    });

    test('of an evaluation that did not pass can only reject it, and once', async () => {
      const { id } = await givenEvaluated(ctx, { ...more(), content: samplesOf(200 + number, 0) });
      const review = await client.reviewOf(id);
      expectModelError(await client.act('approve', id, review), 409, 'EVALUATION_FAILED');
      expect((await client.act('reject', id, review)).body).toEqual({ id, status: 'rejected' });
      for (const action of ['approve', 'reject'])
        expectModelError(await client.act(action, id, review), 409, 'REPORT_HANDLED', 'was rejected before');
    });

    test('by two reviewers at once is one approval', async () => {
      const { id } = await givenEvaluated(ctx, more());
      const review = await client.reviewOf(id);
      const replies = await Promise.all([1, 2].map(() => client.act('approve', id, review)));
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      expectModelError(replies.find(({ status }) => status === 409)!, 409, 'REPORT_HANDLED');
    });

    test('and a publication are refused where a stored byte changed', async () => {
      const evaluated = await givenEvaluated(ctx, more());
      const review = await client.reviewOf(evaluated.id);
      await flipByte(ctx, evaluated);
      expectModelError(await client.act('approve', evaluated.id, review), 409, 'ARTIFACT_CHANGED');
      const approved = await givenApproved(ctx, more());
      await flipByte(ctx, approved);
      expectModelError(await client.act('publish', approved.id), 409, 'ARTIFACT_CHANGED');
    });
  });

  test('are of their own kind: the other path does not know them', async () => {
    const { id } = await givenVersion(ctx, more());
    const other = path === 'training' ? 'alignment' : 'training';
    const { secret } = await stack.key(token, ['model:training:read', 'model:training:write']);
    for (const action of ['start', 'cancel', 'delete', 'reports'])
      expectModelError(
        await versionsClient(stack, secret, other).act(action, id),
        404,
        'MODEL_VERSION_NOT_FOUND',
      );
  });

  test('have pages of twenty reports', async () => {
    const { id } = await givenEvaluated(ctx, more());
    for (let attempt = 2; attempt <= 23; attempt += 1) {
      await client.act('start', id);
      await work(ctx);
    }
    const attempts = async (offset?: number) => {
      const { body } = await client.act('reports', id, { offset });
      expect(body.total).toBe(23);
      return body.reports.map(({ attempt }: { attempt: number }) => attempt);
    };
    const all = Array.from({ length: 23 }, (_, place) => 23 - place);
    expect(await attempts()).toEqual(all.slice(0, 20));
    expect(await attempts(20)).toEqual(all.slice(20));
    expect(await attempts(40)).toEqual([]);
    expectModelError(await client.act('reports', id, { offset: -1 }), 400, 'VALIDATION_FAILED', /^offset/);
  });
});

test('the lists have the 30 and 20 latest versions', async () => {
  const tenant = await modelTenant(stack);
  const ctx = systemContext(stack, tenant.workspaceId);
  for (const [path, of, listed] of [
    ['training', { kind: 'TRAINING', subject: 'ITEM' }, 30],
    ['alignment', { kind: 'ALIGNMENT', subject: 'CHURN' }, 20],
  ] as const) {
    const ids: string[] = [];
    for (let count = 1; count <= 31; count += 1)
      ids.unshift((await givenVersion(ctx, { ...of, content: samplesOf(count) })).id);
    const { versions } = await versionsClient(stack, tenant.key, path).list();
    expect(versions.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, listed));
  }
});

test('one live alignment of a target is published at a time', async () => {
  const tenant = await modelTenant(stack);
  const ctx = systemContext(stack, tenant.workspaceId);
  const client = versionsClient(stack, tenant.key, 'alignment');
  const of = { kind: 'ALIGNMENT', subject: 'CHURN' } as const;
  const first = await givenPublished(ctx, of);
  const second = await givenApproved(ctx, { ...of, content: samplesOf(11) });
  expectModelError(await client.act('publish', second.id), 409, 'TARGET_PUBLISHED');
  await client.act('unpublish', first.id);
  expect((await client.act('publish', second.id)).body.status).toBe('published');
});

test('where uploads are separated from reviews, somebody else approves than who uploaded', async () => {
  const tenant = await modelTenant(stack);
  const people = createGiven(stack.services);
  const owner = await people.contextOf(tenant.token);
  const version = await givenEvaluated(owner, { kind: 'TRAINING', subject: 'TIER', ruleVersion: '1' });
  const client = versionsClient(stack, tenant.key);
  const review = await client.reviewOf(version.id);
  const mutation = 'mutation { setReviewSeparation(isRequired: true) }';
  expect((await stack.graph(mutation, {}, tenant.key)).errors).toHaveLength(1);
  expect((await stack.graph(mutation, {}, tenant.token)).data).toEqual({ setReviewSeparation: true });
  const state = '{ isRequired isEffective reason }';
  const change = (isRequired: boolean) =>
    stack.graph(`mutation { changeReviewSeparation(isRequired: ${isRequired}) ${state} }`, {}, tenant.token);
  const stateNow = () => stack.graph(`{ reviewSeparationState ${state} }`, {}, tenant.key);
  const alone = { isRequired: true, isEffective: false, reason: 'ONE_ADMINISTRATOR' };
  expect((await change(true)).data).toEqual({ changeReviewSeparation: alone });
  expect((await stateNow()).data).toEqual({ reviewSeparationState: alone });
  const none = { isRequired: false, isEffective: false, reason: null };
  expect((await change(false)).data).toEqual({ changeReviewSeparation: none });
  await change(true);
  const colleague = await people.colleague(owner, 'ADMIN');
  const effective = { isRequired: true, isEffective: true, reason: null };
  expect((await stateNow()).data).toEqual({ reviewSeparationState: effective });
  for (const uploader of [tenant.key, tenant.token]) {
    const refused = await versionsClient(stack, uploader).act('approve', version.id, review);
    expectModelError(refused, 403, 'REVIEWER_IS_UPLOADER');
  }
  const approved = await versionsClient(stack, colleague.token).act('approve', version.id, review);
  expect([approved.status, approved.body.status]).toEqual([200, 'approved']);
});
