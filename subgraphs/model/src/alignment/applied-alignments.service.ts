import { invalid } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import type { TrainedArtifact } from '../estimators/training-request.ts';
import { type AlignedScore, isReadableAlignment } from '../pipelines/alignment-artifact.ts';
import type { AlignmentTargetName } from '../versions/model-version.ts';
import { getPublished, liveAlignments } from '../versions/publication.service.ts';
import { alignedScores } from './aligned-scores.service.ts';

/** An alignment that may be applied to scores of its target. */
export interface UsableAlignment {
  readonly id: string;
  readonly target: AlignmentTargetName;
  /** In days. */
  readonly horizon: number;
  readonly fingerprint: string;
  /** Null if the stored artifact is unusable. */
  readonly artifact: TrainedArtifact | null;
  /** True if it was trained on test samples. */
  readonly isTest?: boolean;
}

/** A standard score that may be aligned. */
export interface AlignableScore {
  readonly memberId: string;
  readonly target: AlignmentTargetName;
  /** Horizon of the score in days; null if it has no horizon. */
  readonly horizonDays: number | null;
  /** Applied in place of the live alignment. */
  readonly trial: UsableAlignment | null;
}

/** The result of an alignment for a standard score. */
export interface AppliedAlignment {
  readonly id: string;
  readonly fingerprint: string;
  /** Horizon in days. */
  readonly horizonDays: number;
  /** Null if the standard score stays; a limitation gives the reason. */
  readonly score: number | null;
  /** Signals of the member that are unlike the samples. */
  readonly unusual: readonly string[];
  readonly limitations: readonly string[];
}

/**
 * Applies the published live alignments, or those of a trial, to standard scores of members at one moment. If
 * none is published, this costs one statement; facts of the members are read once.
 *
 * @param scores - their members all have a standard score
 * @returns for each score the result of its alignment; null if there is none for its target
 * @throws AppError PEER_UNAVAILABLE (503)
 * @remarks Source: model API, section 4 "Alignment"; requirements M-ALN-07, M-ALN-10
 */
export async function applyAlignments(
  ctx: Context,
  scores: readonly AlignableScore[],
  cutoff: Date,
): Promise<(AppliedAlignment | null)[]> {
  const live = scores.some(({ trial }) => !trial) ? await liveAlignments(ctx) : [];
  const chosen = scores.map(({ trial, target }): UsableAlignment | null =>
    usable(trial ?? live.find((alignment) => alignment.target === target) ?? null),
  );
  const results = await scoresOf(ctx, scores, chosen, cutoff);
  return scores.map((asked, place) => {
    const alignment = chosen[place];
    if (!alignment) return null;
    const { id, fingerprint, horizon: horizonDays, artifact, isTest } = alignment;
    const result = (artifact && results.get(artifact)?.get(asked.memberId)) ?? null;
    const score = fits(alignment, asked) ? (result?.score ?? null) : null;
    if (!artifact)
      ctx.log.error({ requestId: ctx.request.requestId, modelVersionId: id }, 'alignment unreadable');
    const limitations = [
      ...(score === null ? [skipped(alignment, asked, result)] : []),
      ...(isTest ? ['TEST_ORIGIN'] : []),
    ];
    return { id, fingerprint, horizonDays, score, unusual: result?.unusual ?? [], limitations };
  });
}

const usable = (alignment: UsableAlignment | null): UsableAlignment | null =>
  alignment?.artifact && !isReadableAlignment(alignment.artifact)
    ? { ...alignment, artifact: null }
    : alignment;

const fits = ({ horizon }: UsableAlignment, { horizonDays }: AlignableScore): boolean =>
  horizonDays === null || horizonDays === horizon;

/** Returns the reason why the standard score stays. */
function skipped(alignment: UsableAlignment, asked: AlignableScore, result: AlignedScore | null): string {
  if (!alignment.artifact) return 'ALIGNMENT_SKIPPED_UNREADABLE';
  if (!fits(alignment, asked)) return 'ALIGNMENT_SKIPPED_HORIZON';
  return result ? 'ALIGNMENT_SKIPPED_OOD' : 'ALIGNMENT_SKIPPED_NO_DATA';
}

type Results = ReadonlyMap<TrainedArtifact, ReadonlyMap<string, AlignedScore | null>>;

/** Returns the scores of each artifact for the members it is applied to. */
async function scoresOf(
  ctx: Context,
  scores: readonly AlignableScore[],
  chosen: readonly (UsableAlignment | null)[],
  cutoff: Date,
): Promise<Results> {
  const wanted = scores.flatMap((asked, place) => {
    const alignment = chosen[place];
    return alignment?.artifact && fits(alignment, asked) ? [{ asked, artifact: alignment.artifact }] : [];
  });
  if (wanted.length === 0) return new Map();
  const artifacts = [...new Set(wanted.map(({ artifact }) => artifact))];
  const memberIds = [...new Set(wanted.map(({ asked }) => asked.memberId))];
  const found = await alignedScores(ctx, artifacts, memberIds, cutoff);
  return new Map(
    artifacts.map((artifact, place) => [
      artifact,
      new Map(memberIds.map((id, member) => [id, found[place]![member]!])),
    ]),
  );
}

/**
 * Returns a published alignment by its id, for a call that names it. Only this way a version of test samples
 * is applied.
 *
 * @param target - the target it must be trained for; null for any
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
