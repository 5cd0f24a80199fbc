import { systemCaller } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { contextOf } from '@loyalty/test/harness/services';
import { meanTrainer, samplesOf } from '../pipelines/trainer.fixture.ts';
import type { Trainer } from '../pipelines/trainer.ts';
import type { ModelVersion } from '../versions/model-version.ts';
import { publishVersion } from '../versions/publication.service.ts';
import { latestReport } from '../versions/reports.service.ts';
import type { VersionUpload } from '../versions/upload.ts';
import { getVersion, startVersion, uploadVersion } from '../versions/versions.service.ts';
import { attemptsLoop } from './attempts.jobs.ts';
import { approveReport, type Review } from './reviews.service.ts';

/** A valid upload of ten samples. */
export const upload: VersionUpload = {
  kind: 'TRAINING',
  subject: 'RETURN',
  origin: 'LIVE',
  horizon: 30,
  name: 'Returns',
  confirmed: true,
  content: samplesOf(10),
};

/** Uploads a version. */
export async function givenVersion(ctx: Context, more: Partial<VersionUpload> = {}): Promise<ModelVersion> {
  return (await uploadVersion(ctx, { ...upload, ...more }, meanTrainer())).version;
}

/** Does what a worker does until no attempt of any workspace is left. */
export async function work(ctx: Context, trainer: Trainer = meanTrainer()): Promise<void> {
  const loop = attemptsLoop(trainer);
  while ((await loop.turn(contextOf(ctx.services, systemCaller('test')))) === 0);
}

/** Creates a version whose report waits for a review. */
export async function givenEvaluated(ctx: Context, more: Partial<VersionUpload> = {}): Promise<ModelVersion> {
  const { id } = await givenVersion(ctx, more);
  await startVersion(ctx, { id });
  await work(ctx);
  return getVersion(ctx, { id });
}

/** Returns the input of a reviewer who has read the latest report. */
export async function reviewOf(ctx: Context, version: ModelVersion): Promise<Review> {
  const { id: reportId, reportHash } = (await latestReport(ctx, version))!;
  return { id: version.id, reportId, reportHash, note: 'Read.', acknowledged: true };
}

/** Creates an approved version. */
export async function givenApproved(ctx: Context, more: Partial<VersionUpload> = {}): Promise<ModelVersion> {
  const version = await givenEvaluated(ctx, more);
  return approveReport(ctx, await reviewOf(ctx, version));
}

/** Creates a published version. */
export async function givenPublished(ctx: Context, more: Partial<VersionUpload> = {}): Promise<ModelVersion> {
  const { id } = await givenApproved(ctx, more);
  return publishVersion(ctx, { id });
}

/** Changes a byte of the latest stored report. */
export const flipByte = (
  ctx: Context,
  { reportId }: ModelVersion,
  column: 'artifact' | 'report' = 'artifact',
): Promise<unknown> =>
  ctx.sql.query(
    `UPDATE model.evaluation_reports SET ${column} = overlay(${column} PLACING '~' FROM 5) WHERE id = $1`,
    [reportId],
  );
