import { invalid } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { listAtMost } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { chargeOf, maximumByContract } from '../credits/charges.ts';
import { paidWork } from '../credits/paid-work.service.ts';
import { type InferredFeatures, standardTrainer } from '../pipelines/trainer.ts';
import type { ModelVersion } from './model-version.ts';
import { getPublished } from './publication.service.ts';

const FEATURES_MAX = 64;

/** The inference of a published version. */
export interface TrainingInference extends InferredFeatures {
  readonly version: ModelVersion;
  readonly computedAt: Date;
  readonly creditsCharged: number;
}

/**
 * Infers from features with a published version; they must be exactly those of its training. An objective
 * costs 10 credits, a decision of items or baskets 50 more; features outside the training data cost nothing
 * and have no answer.
 *
 * @param features - finite numbers by `f_<name>`
 * @throws AppError VALIDATION_FAILED (400) naming the feature, MODEL_VERSION_NOT_FOUND (404),
 *   VERSION_NOT_PUBLISHED, ARTIFACT_CHANGED (409), TRIAL_CREDITS_EXHAUSTED, SUBSCRIPTION_REQUIRED,
 *   INSUFFICIENT_CREDITS (402)
 * @remarks Source: model API, section 2 "Credits", rules 4 and 7, section 4 "Training"; requirements
 *   M-TRN-24, M-TRN-27
 */
export async function inferTraining(
  ctx: Context,
  { id, features }: { readonly id: string; readonly features: Readonly<Record<string, unknown>> },
  trainer = standardTrainer,
): Promise<TrainingInference> {
  const { version, artifact } = await getPublished(ctx, { id, kind: 'TRAINING' });
  const numbers = numbersOf(features);
  const isDecision = version.subject === 'ITEM' || version.subject === 'BASKET';
  const maximum = maximumByContract([{ scores: 1, isDecision }]);
  const purpose = `inference ${version.subject.toLowerCase()}`;
  return paidWork(ctx, { maximum, purpose }, async (settle, contract) => {
    const inferred = trainer.inferFeatures(artifact, numbers);
    const { inDistribution, value, actions } = inferred;
    const hasDecision = isDecision && inDistribution && actions.length > 0;
    const usage = { scores: inDistribution && value !== null ? 1 : 0, hasDecision };
    const cost = chargeOf([usage], contract);
    const creditsCharged = cost > 0 ? await settle(ctx, cost) : 0;
    return { ...inferred, version, computedAt: ctx.clock.now(), creditsCharged };
  });
}

function numbersOf(features: Readonly<Record<string, unknown>>): Record<string, number> {
  const entries = Object.entries(features);
  if (entries.length > FEATURES_MAX) throw invalid('features', listAtMost(FEATURES_MAX, 'features'));
  gathered((check) => {
    for (const [name, value] of entries)
      check(() => {
        if (typeof value !== 'number' || !Number.isFinite(value))
          throw invalid(`features.${name}`, 'must be a finite number');
      });
  });
  return Object.fromEntries(entries) as Record<string, number>;
}
