import { type AppError, conflict } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { publish } from '@loyalty/platform/work/events';
import type { TrainedArtifact } from '../estimators/training-request.ts';
import { type ModelVersion, wrongState } from './model-version.ts';
import { artifactChanged, getArtifact, latestReport, readArtifact } from './reports.service.ts';
import { noteVersionEvent } from './version-events.service.ts';
import { versionPublished } from './versions.events.ts';
import { changeVersion, getVersion, setStatus, type VersionName } from './versions.service.ts';
import { findLiveAlignments, isSecondPublished, type StoredAlignment } from './versions.store.ts';

/**
 * Publishes an approved version, after verifying the hashes of its stored artifact and report. Only one live
 * alignment can be published for each target.
 *
 * @throws AppError MODEL_VERSION_NOT_FOUND (404), VERSION_STATE (409) unless it is approved,
 *   ARTIFACT_CHANGED, APPROVAL_STALE, TARGET_PUBLISHED (409)
 * @remarks Source: model API, section 3; requirements M-TRN-21, M-TRN-25, M-ALN-10
 */
export const publishVersion = (ctx: Context, name: VersionName): Promise<ModelVersion> =>
  changeVersion(ctx, name, async (tx, version) => {
    if (version.status !== 'APPROVED') throw wrongState(version, 'published');
    await requireApproval(tx, version);
    await setStatus(tx, version.id, 'PUBLISHED', tx.clock.now());
    const { id: modelVersionId, kind, subject, origin } = version;
    const fingerprint = version.fingerprint!;
    await noteVersionEvent(tx, version, 'published', {
      message: `“${version.name}” was published.`,
      after: { fingerprint },
    });
    await publish(tx, versionPublished, { modelVersionId, kind, subject, origin, fingerprint });
  }).catch((error: unknown) => {
    throw isSecondPublished(error) ? targetPublished() : error;
  });

async function requireApproval(tx: Context, version: ModelVersion): Promise<void> {
  const report = await latestReport(tx, version);
  if (!report?.isIntact || report.fingerprint !== version.fingerprint) throw artifactChanged();
  if (report.isStale || report.reviewStatus !== 'APPROVED')
    throw conflict('APPROVAL_STALE', 'The approval is not of the latest report. Review that report first.');
}

const targetPublished = (): AppError =>
  conflict('TARGET_PUBLISHED', 'Another live version of this target is published. Unpublish that one first.');

/**
 * Unpublishes a version. It stays approved.
 *
 * @throws AppError MODEL_VERSION_NOT_FOUND (404), VERSION_STATE (409) unless it is published
 * @remarks Source: model API, section 3; requirements M-TRN-22, M-TRN-29
 */
export const unpublishVersion = (ctx: Context, name: VersionName): Promise<ModelVersion> =>
  changeVersion(ctx, name, async (tx, version) => {
    if (version.status !== 'PUBLISHED') throw wrongState(version, 'unpublished');
    await setStatus(tx, version.id, 'APPROVED');
    await noteVersionEvent(tx, version, 'unpublished', { message: `“${version.name}” was unpublished.` });
  });

/** A published version with its artifact. */
export interface PublishedVersion {
  readonly version: ModelVersion;
  readonly artifact: TrainedArtifact;
}

/**
 * Returns a published version with its artifact, whose hash was verified.
 *
 * @throws AppError MODEL_VERSION_NOT_FOUND (404), VERSION_NOT_PUBLISHED, ARTIFACT_CHANGED (409)
 * @remarks Source: model API, section 3; requirements M-TRN-24, M-TRN-25
 */
export async function getPublished(ctx: Context, name: VersionName): Promise<PublishedVersion> {
  const version = await getVersion(ctx, name);
  if (version.status !== 'PUBLISHED')
    throw conflict(
      'VERSION_NOT_PUBLISHED',
      'Only a published version answers. Approve and publish it first.',
    );
  return { version, artifact: await getArtifact(ctx, version) };
}

/** A published live alignment. */
export interface LiveAlignment extends Omit<StoredAlignment, 'artifact'> {
  /** Null if the stored artifact is not the approved one. */
  readonly artifact: TrainedArtifact | null;
}

/**
 * Returns the live alignments that standard analyses apply, at most one for each target, in one statement.
 *
 * @remarks Source: requirement M-ALN-07
 */
export async function liveAlignments(ctx: Context): Promise<LiveAlignment[]> {
  const stored = await findLiveAlignments(ctx);
  return stored.map((each) => ({ ...each, artifact: readArtifact(each.artifact, each.fingerprint) }));
}
