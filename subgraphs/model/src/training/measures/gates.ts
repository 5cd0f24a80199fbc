import { type BootstrappedFigure, boundOf } from './bootstrap.ts';

/** A condition that a model has to meet before people may approve it. */
export interface Gate {
  readonly name: string;
  readonly passed: boolean;
  /** Null where the figure is not defined; then the gate is not passed. */
  readonly value: number | null;
  readonly threshold: number;
  /** How the value relates to the threshold in a gate that is passed. */
  readonly rule: 'at least' | 'above' | 'at most' | 'below';
}

/** A figure of the held-out side with its bounds: 95% of the resamples lie between them. */
export interface BoundedFigure {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

const LOW = 0.025;

/** A number that can be written as JSON; null where it is not finite. */
export const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** Compares a figure with its threshold; what is not a number passes nothing. */
export function gate(name: string, value: number, rule: Gate['rule'], threshold: number): Gate {
  const holds: Record<Gate['rule'], boolean> = {
    'at least': value >= threshold,
    above: value > threshold,
    'at most': value <= threshold,
    below: value < threshold,
  };
  return { name, passed: holds[rule], value: finite(value), threshold, rule };
}

/** The figure and the bounds between which 95% of its resamples lie. */
export const boundedFigure = (figure: BootstrappedFigure): BoundedFigure => ({
  value: finite(figure.value),
  low: finite(boundOf(figure, LOW)),
  high: finite(boundOf(figure, 1 - LOW)),
});
