import { type Gate, gate } from '../estimators/gates.ts';
import type { AlignmentTarget } from '../estimators/training-request.ts';
import { auc, sumOf } from '../numerics/metrics.ts';
import { type HeadRows, varyingSignals } from './head-choice.ts';

/** Samples, or entities, that a head needs. */
export const SAMPLES_MIN = 500;
const OF_EACH_LABEL_MIN = 50;
const SIGNAL_AUC_MAX = 0.97;

/** Has the standard model a score for the very target? */
export const hasStandardScore = (target: AlignmentTarget): boolean => target !== 'abandonment';

/** The limitation of a head for a target that the standard model has no score for. */
export const standardLimitations = (target: AlignmentTarget): string[] =>
  hasStandardScore(target) ? [] : ['NO_STANDARD_SCORE: the standard model has no score for this target.'];

export const countsOf = ({ labels, entities }: HeadRows) => ({
  rows: labels.length,
  entities: new Set(entities).size,
  positives: sumOf(labels),
});

/** Both labels occur often enough. @param prefix - of the names of gates */
export function labelGates({ labels }: HeadRows, prefix = ''): Gate[] {
  const positives = sumOf(labels);
  return [
    gate(`${prefix}positives`, positives, 'at least', OF_EACH_LABEL_MIN),
    gate(`${prefix}negatives`, labels.length - positives, 'at least', OF_EACH_LABEL_MIN),
  ];
}

/** What a signal alone says about the target: the area under the curve of its better direction. */
export interface SignalFigure {
  readonly name: string;
  readonly auc: number;
  /** It is the same in all rows. */
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

/** No signal alone may give the target away. */
export const leakageGate = (signals: readonly SignalFigure[]): Gate =>
  gate('leak_signal_auc', Math.max(...signals.map((signal) => signal.auc)), 'at most', SIGNAL_AUC_MAX);
