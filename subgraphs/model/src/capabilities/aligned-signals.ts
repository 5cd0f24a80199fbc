import type { AppliedAlignment } from '../alignment/applied-alignments.service.ts';
import { roundedScore, type Signal, signalJson } from '../standard-model/standard-state.ts';
import type { AlignmentTargetName } from '../versions/model-version.ts';

/** The signals of a state. */
export type SignalName = 'purchase' | 'longGap' | 'cartRemoval';

/** The target of an alignment of each signal. */
export const targetOf: Readonly<Record<SignalName, AlignmentTargetName>> = {
  purchase: 'PURCHASE',
  longGap: 'CHURN',
  cartRemoval: 'ABANDONMENT',
};

/** The results of published alignments for the signals of a member. */
export type SignalAlignments = Readonly<Partial<Record<SignalName, AppliedAlignment>>>;

/** Returns a signal with its aligned score; the standard score is kept beside it. */
export function alignedJson(signal: Signal, alignment: AppliedAlignment | undefined) {
  if (!alignment || alignment.score === null) return signalJson(signal);
  const { id, fingerprint, horizonDays, score } = alignment;
  return {
    ...signalJson(signal),
    score: roundedScore(score),
    horizon_days: horizonDays,
    standard_score: signal.score,
    alignment: { id, fingerprint },
  };
}

/** Merges the limitations of signals and of their alignments, without duplicates. */
export const withAlignments = (
  limitations: readonly string[],
  alignments: readonly (AppliedAlignment | undefined)[],
): string[] => [...new Set([...limitations, ...alignments.flatMap((each) => each?.limitations ?? [])])];
