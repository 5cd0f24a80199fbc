import { AppError } from '@loyalty/platform/base/errors';
import { z } from 'zod';
import { binaryChance, binaryLearners } from '../estimators/binary-model.ts';
import { fitDistribution, storedDistribution, unusualFeatures } from '../estimators/feature-distribution.ts';
import type { TrainedArtifact, TrainingConfig } from '../estimators/training-request.ts';
import { backboneModel } from './event-signals.ts';
import { columnsOf, type FittedHead, type HeadRows } from './head-choice.ts';

const number = z.coerce.number();

const alignmentModel = z.object({
  kind: z.literal('ALIGNMENT'),
  subject: z.enum(['purchase', 'churn', 'abandonment']),
  codeVersion: z.string(),
  origin: z.enum(['test', 'live']),
  /** The origin of the samples: a file, or the workspace's own facts. */
  source: z.enum(['upload', 'own_history']),
  /** In days. */
  horizon: number,
  /** The model whose signals the head was fitted to. */
  standardModel: z.object({
    version: z.literal(backboneModel.version),
    parametersSha256: z.literal(backboneModel.parametersSha256),
  }),
  head: z.string(),
  signals: z.array(z.string()),
  distribution: storedDistribution,
  /** Share of the label 1 in the samples of the fit. */
  baseRate: number,
  limitations: z.array(z.string()),
  model: z.discriminatedUnion('learner', [...binaryLearners]),
});

/** A fitted alignment with numbers as numbers. */
export type AlignmentModel = z.infer<typeof alignmentModel>;

/** To be increased with every change of fits or measurements. */
export const ALIGNMENT_CODE_VERSION = '1';

const known = new WeakMap<TrainedArtifact, AlignmentModel>();

/** Whether this code can apply the artifact as an alignment. */
export function isReadableAlignment(artifact: TrainedArtifact): boolean {
  const read = known.get(artifact) ?? alignmentModel.safeParse(artifact).data;
  if (read) known.set(artifact, read);
  return read !== undefined;
}

/**
 * Parses a stored alignment; the result is cached for each object.
 *
 * @throws AppError ARTIFACT_UNREADABLE (409) if it is not an alignment
 */
export function readAlignment(artifact: TrainedArtifact): AlignmentModel {
  if (!isReadableAlignment(artifact))
    throw new AppError('CONFLICT', 'ARTIFACT_UNREADABLE', 'The stored alignment cannot be read.');
  return known.get(artifact)!;
}

/** The aligned score of a member; null if its signals are outside of the head's training data. */
export interface AlignedScore {
  /** Chance of the target within the horizon, 0 to 1. */
  readonly score: number | null;
  /** Unusual signals; the standard score stays, with the limitation ALIGNMENT_SKIPPED_OOD. */
  readonly unusual: readonly string[];
}

/**
 * Returns the chance of the target by a published alignment.
 *
 * @param signals - by their names; those that the head does not use are ignored
 * @throws AppError ARTIFACT_UNREADABLE (409)
 */
export function alignedScore(
  artifact: TrainedArtifact,
  signals: Readonly<Record<string, number>>,
): AlignedScore {
  const { signals: names, distribution, model } = readAlignment(artifact);
  const row = names.map((name) => signals[name] ?? Number.NaN);
  const missing = names.filter((_, place) => Number.isNaN(row[place]!));
  if (missing.length > 0) return { score: null, unusual: missing };
  const unusual = unusualFeatures(distribution, row).map((place) => names[place]!);
  return unusual.length > 0 ? { score: null, unusual } : { score: binaryChance(model, row), unusual };
}

/** Makes the artifact of a head that was fitted to rows. */
export function alignmentModelOf(
  about: Pick<AlignmentModel, 'subject' | 'source' | 'head' | 'limitations' | 'standardModel'>,
  config: TrainingConfig,
  fitted: FittedHead,
  rows: HeadRows,
): AlignmentModel {
  const positives = rows.labels.reduce((sum, label) => sum + label, 0);
  return {
    kind: 'ALIGNMENT',
    codeVersion: ALIGNMENT_CODE_VERSION,
    origin: config.origin,
    horizon: config.horizon,
    ...about,
    signals: [...fitted.signals],
    distribution: plain(fitDistribution(columnsOf(rows, fitted.signals))),
    baseRate: positives / rows.labels.length,
    model: fitted.model,
  };
}

/** Plain mutable lists, as the type of a stored alignment requires. */
function plain<Fields extends object>(fields: Fields) {
  return structuredClone(fields) as {
    -readonly [Key in keyof Fields]: Fields[Key] extends readonly number[] ? number[] : Fields[Key];
  };
}
