import type { Context } from '@loyalty/platform/context';
import { invalid } from '@loyalty/platform/errors';
import { getPublished } from '../../training/publication/publication.service.ts';
import type { AlignmentTargetName } from '../../training/versions/model-version.ts';
import type { UsableAlignment } from './applied-alignments.service.ts';

/**
 * A published alignment by its id, for an answer that asks for it: this is the only way in which a version of
 * test samples is applied.
 *
 * @param target - what it must be trained to say; null for any
 * @throws AppError MODEL_VERSION_NOT_FOUND (404), VERSION_NOT_PUBLISHED, ARTIFACT_CHANGED (409),
 *   INVALID_ARGUMENTS (400) for a version of another target
 * @remarks Source: requirements M-ALN-07, M-ALN-10
 */
export async function getTrial(
  ctx: Context,
  id: string,
  target: AlignmentTargetName | null = null,
): Promise<UsableAlignment> {
  const { version, artifact } = await getPublished(ctx, { id, kind: 'ALIGNMENT' });
  const subject = version.subject as AlignmentTargetName;
  if (target !== null && subject !== target)
    throw invalid(
      'arguments.trial_version_id',
      `is a version for ${subject.toLowerCase()}, not for ${target.toLowerCase()}`,
      'INVALID_ARGUMENTS',
    );
  return {
    id: version.id,
    target: subject,
    horizon: version.horizon,
    fingerprint: version.fingerprint!,
    artifact,
    isTest: version.origin === 'TEST',
  };
}
