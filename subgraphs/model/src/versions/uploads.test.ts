import { expect, test } from '@jest/globals';
import { useServices } from '@loyalty/test/harness/services';
import { meanTrainer, samplesOf } from '../pipelines/trainer.fixture.ts';
import type { Trainer } from '../pipelines/trainer.ts';
import { givenVersion, upload } from '../training/versions.fixture.ts';
import { checkUpload, type VersionUpload } from './upload.ts';
import { deleteVersion, samplesOf as keptSamples, listVersions, uploadVersion } from './versions.service.ts';

const { ctx, fresh, newContext } = useServices();
/** Accepts any samples: their issues are tested elsewhere. */
const anyTrainer = { ...meanTrainer(), checkSamples: () => ({ issues: [], sampleCount: 10 }) };
const sendTo = (trainer: Trainer, more: Partial<VersionUpload> = {}) =>
  uploadVersion(ctx, { ...upload, ...more }, trainer);
const send = (more: Partial<VersionUpload> = {}) => sendTo(meanTrainer(), more);

test('an upload makes a version, and keeps its samples as they came', async () => {
  const { version, reused } = await send();
  expect(reused).toBe(false);
  expect(version).toMatchObject({
    kind: 'TRAINING',
    subject: 'RETURN',
    origin: 'LIVE',
    horizon: 30,
    status: 'UPLOADED',
    sampleCount: 10,
    attempt: 0,
    reportId: null,
    fingerprint: null,
  });
  expect(await keptSamples(ctx, version.id)).toBe(upload.content);
});

test('the same samples and configuration are the same version, whatever their name; others are not', async () => {
  const { version } = await send();
  expect(await send({ name: 'Again' })).toEqual({ version, reused: true });
  for (const other of [
    { content: samplesOf(11) },
    { horizon: 31 },
    { origin: 'TEST' },
    { subject: 'BASKET' },
    { definition: 'x is the price.' },
  ] as const)
    expect((await send(other)).reused).toBe(false);
  const elsewhere = await uploadVersion(newContext(), upload, meanTrainer());
  expect([elsewhere.reused, elsewhere.version.id === version.id]).toEqual([false, false]);
  await deleteVersion(ctx, version);
  expect((await send()).reused).toBe(false);
});

test.each(['TRAINING', 'ALIGNMENT'] as const)(
  'the same samples of the kind %s with the line ends of another system are the same version',
  async (kind) => {
    const subject = kind === 'TRAINING' ? 'RETURN' : 'PURCHASE';
    const { version } = await sendTo(anyTrainer, { kind, subject });
    const { content } = upload;
    for (const same of [
      content.replaceAll('\n', '\r\n'),
      content.replaceAll('\n', '\r'),
      `\uFEFF${content}`,
      `${content}\r\n`,
    ])
      expect(await sendTo(anyTrainer, { kind, subject, content: same })).toEqual({ version, reused: true });
  },
);

test('a version that was known by its line ends stays known by them', async () => {
  const content = upload.content.replaceAll('\n', '\r\n');
  const { version } = await sendTo(anyTrainer, { content });
  const { formerKey } = checkUpload({ ...upload, content }, ctx.clock.now(), anyTrainer);
  await ctx.sql.query('UPDATE model.model_versions SET content_key = $2 WHERE workspace_id = $1', [
    ctx.scope.workspaceId,
    formerKey,
  ]);
  expect(await sendTo(anyTrainer, { content })).toEqual({ version, reused: true });
});

test('ten uploads of the same at once are one version', async () => {
  const sent = await Promise.all(
    Array.from({ length: 10 }, () => uploadVersion(fresh(), upload, meanTrainer())),
  );
  expect(new Set(sent.map(({ version }) => version.id)).size).toBe(1);
  expect(sent.filter(({ reused }) => !reused).length).toBe(1);
  expect((await listVersions(ctx, 'TRAINING', {})).rows.length).toBe(1);
});

test.each<[string, Partial<VersionUpload>, string, string]>([
  ['unconfirmed', { confirmed: false }, 'CONFIRMATION_REQUIRED', 'input.confirmed'],
  ['without a name', { name: ' ' }, 'VALIDATION_FAILED', 'input.name'],
  ['without days', { horizon: 0 }, 'VALIDATION_FAILED', 'input.config.horizon'],
  ['of too many days', { horizon: 731 }, 'VALIDATION_FAILED', 'input.config.horizon'],
  ['of tiers without a rule', { subject: 'TIER' }, 'VALIDATION_FAILED', 'input.config.ruleVersion'],
  ['without samples', { content: '\n' }, 'VALIDATION_FAILED', 'input.content'],
  ['with what cannot be stored', { content: 'a\u0000' }, 'VALIDATION_FAILED', 'input.content'],
  ['that is too large', { content: 'x'.repeat(2 * 1024 * 1024 + 1) }, 'UPLOAD_TOO_LARGE', 'input.content'],
])('an upload %s is refused', async (_, more, code, field) => {
  await expect(send(more)).rejects.toMatchObject({ code, details: { field } });
});

test('samples with faults are refused with each of them, and nothing is kept', async () => {
  const content = `${samplesOf(2)}\nbad,b,2025-01-01,2025-01-31,maybe,1\nworse,c,2025-01-01,2025-01-31,,1`;
  await expect(send({ content })).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    message: 'input.content has 2 issues; row 3: target must be 0 or 1.',
    details: {
      issues: [
        { row: 3, column: 'target', message: 'must be 0 or 1' },
        { row: 4, column: 'target', message: 'must be 0 or 1' },
      ],
    },
  });
  expect((await listVersions(ctx, 'TRAINING', {})).rows).toEqual([]);
});

test('test rows are hidden from live readers', async () => {
  const version = await givenVersion(fresh({ mode: 'TEST' }));
  expect((await listVersions(ctx, 'TRAINING', {})).rows).toEqual([]);
  await expect(deleteVersion(ctx, version)).rejects.toMatchObject({ code: 'MODEL_VERSION_NOT_FOUND' });
});
