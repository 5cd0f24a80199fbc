import type { AppliedAlignment } from '../alignment/applied-alignments.service.ts';
import { roundedScore, type Signal, signalJson } from '../standard-model/standard-state.ts';
import type { AlignmentTargetName } from '../versions/model-version.ts';

/** The signals of a state. */
export type SignalName = 'purchase' | 'longGap' | 'cartRemoval';

/** What an alignment of a signal is trained to say. */
export const targetOf: Readonly<Record<SignalName, AlignmentTargetName>> = {
  purchase: 'PURCHASE',
  longGap: 'CHURN',
  cartRemoval: 'ABANDONMENT',
};

/** What published alignments say about the signals of a member. */
export type SignalAlignments = Readonly<Partial<Record<SignalName, AppliedAlignment>>>;

/** A signal with its aligned score, beside which the standard score is kept. */
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

/** Limitations of signals and of what is applied to them, each once. */
export const withAlignments = (
  limitations: readonly string[],
  alignments: readonly (AppliedAlignment | undefined)[],
): string[] => [...new Set([...limitations, ...alignments.flatMap((each) => each?.limitations ?? [])])];
