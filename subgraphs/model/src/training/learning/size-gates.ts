import { type Gate, gate } from '../measures/gates.ts';
import type { LearnedModel } from './trained-model.ts';
import type { TrainingRun } from './training-run.ts';

const SAMPLES_MIN = 500;
const ENTITIES_MIN = 300;
const HELD_OUT_MIN = 60;
const KEYS_MIN = 2;
const LOSS_ABOVE_BASE_MAX = 0.01;

/** Conditions on the size of samples of items and baskets. */
export const keySizeGates = ({ samples, split }: TrainingRun, keys: number): Gate[] => [
  gate('samples', samples.ids.length, 'at least', SAMPLES_MIN),
  gate('entities', new Set(samples.entities).size, 'at least', ENTITIES_MIN),
  gate('held_out_samples', split.test.length, 'at least', HELD_OUT_MIN),
  gate('keys', keys, 'at least', KEYS_MIN),
];

/**
 * An incremental version must not be worse than the one that it continues on the same held-out side.
 *
 * @param lossOf - of the base; null where it is of another kind
 */
export function baseGate(
  { base }: TrainingRun,
  loss: number,
  lossOf: (model: LearnedModel) => number | null,
): Gate[] {
  const ofBase = base ? lossOf(base.model) : null;
  return ofBase === null ? [] : [gate('log_loss_above_base', loss - ofBase, 'at most', LOSS_ABOVE_BASE_MAX)];
}
