import { systemCaller } from '@loyalty/platform/caller/caller';
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

/** An upload that passes, of ten samples. */
export const upload: VersionUpload = {
  kind: 'TRAINING',
  subject: 'RETURN',
  origin: 'LIVE',
  horizon: 30,
  name: 'Returns',
  confirmed: true,
  content: samplesOf(10),
};

/** A version that was uploaded. */
export async function givenVersion(ctx: Context, more: Partial<VersionUpload> = {}): Promise<ModelVersion> {
  return (await uploadVersion(ctx, { ...upload, ...more }, meanTrainer())).version;
}

/** What a worker does until nothing is left, of any workspace. */
export async function work(ctx: Context, trainer: Trainer = meanTrainer()): Promise<void> {
  const loop = attemptsLoop(trainer);
  while ((await loop.turn(contextOf(ctx.services, systemCaller('test')))) === 0);
}

/** A version whose report waits for a review. */
export async function givenEvaluated(ctx: Context, more: Partial<VersionUpload> = {}): Promise<ModelVersion> {
  const { id } = await givenVersion(ctx, more);
  await startVersion(ctx, { id });
  await work(ctx);
  return getVersion(ctx, { id });
}

/** What a reviewer sends who has read the latest report. */
export async function reviewOf(ctx: Context, version: ModelVersion): Promise<Review> {
  const { id: reportId, reportHash } = (await latestReport(ctx, version))!;
  return { id: version.id, reportId, reportHash, note: 'Read.', acknowledged: true };
}

/** A version that was approved. */
export async function givenApproved(ctx: Context, more: Partial<VersionUpload> = {}): Promise<ModelVersion> {
  const version = await givenEvaluated(ctx, more);
  return approveReport(ctx, await reviewOf(ctx, version));
}

/** A version in use. */
export async function givenPublished(ctx: Context, more: Partial<VersionUpload> = {}): Promise<ModelVersion> {
  const { id } = await givenApproved(ctx, more);
  return publishVersion(ctx, { id });
}

/** Another byte in what is stored of the latest report. */
export const flipByte = (
  ctx: Context,
  { reportId }: ModelVersion,
  column: 'artifact' | 'report' = 'artifact',
): Promise<unknown> =>
  ctx.sql.query(
    `UPDATE model.evaluation_reports SET ${column} = overlay(${column} PLACING '~' FROM 5) WHERE id = $1`,
    [reportId],
  );
