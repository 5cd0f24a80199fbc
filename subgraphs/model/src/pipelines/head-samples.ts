import { type Gate, gate } from '../estimators/gates.ts';
import type { AlignmentTarget } from '../estimators/training-request.ts';
import { auc, sumOf } from '../numerics/metrics.ts';
import { type HeadRows, varyingSignals } from './head-choice.ts';

/** The numbers of samples and of entities that a head needs. */
export const SAMPLES_MIN = 500;
const OF_EACH_LABEL_MIN = 50;
const SIGNAL_AUC_MAX = 0.97;

/** Whether the standard model has a score for exactly this target. */
export const hasStandardScore = (target: AlignmentTarget): boolean => target !== 'abandonment';

/** Returns the limitation of a head whose target has no score in the standard model. */
export const standardLimitations = (target: AlignmentTarget): string[] =>
  hasStandardScore(target) ? [] : ['NO_STANDARD_SCORE: the standard model has no score for this target.'];

export const countsOf = ({ labels, entities }: HeadRows) => ({
  rows: labels.length,
  entities: new Set(entities).size,
  positives: sumOf(labels),
});

/** Both labels must occur often enough. @param prefix - prefix of the gates' names */
export function labelGates({ labels }: HeadRows, prefix = ''): Gate[] {
  const positives = sumOf(labels);
  return [
    gate(`${prefix}positives`, positives, 'at least', OF_EACH_LABEL_MIN),
    gate(`${prefix}negatives`, labels.length - positives, 'at least', OF_EACH_LABEL_MIN),
  ];
}

/** The association of a single signal with the target: the AUC of its better direction. */
export interface SignalFigure {
  readonly name: string;
  readonly auc: number;
  /** True if it is constant. */
  readonly dropped: boolean;
}

export function signalFigures({ names, rows, labels }: HeadRows): SignalFigure[] {
  const varying = varyingSignals({ names, rows });
  return names.map((name, column) => {
    const values = Float64Array.from(labels, (_, row) => rows.values[row * rows.width + column]!);
    const area = auc(values, labels);
    return { name, auc: Math.max(area, 1 - area), dropped: !varying.includes(name) };
  });
}

/** The gate that no single signal may predict the target alone. */
export const leakageGate = (signals: readonly SignalFigure[]): Gate =>
  gate('leak_signal_auc', Math.max(...signals.map((signal) => signal.auc)), 'at most', SIGNAL_AUC_MAX);
