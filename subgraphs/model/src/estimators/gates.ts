import { type BootstrappedFigure, boundOf } from '../numerics/bootstrap.ts';

/** A condition that a model must meet before people may approve it. */
export interface Gate {
  readonly name: string;
  readonly passed: boolean;
  /** Null if the figure is not defined; then the gate is not passed. */
  readonly value: number | null;
  readonly threshold: number;
  /** The relation of value and threshold that passes the gate. */
  readonly rule: 'at least' | 'above' | 'at most' | 'below';
}

/** A figure of the held-out samples with its 95% bounds from resamples. */
export interface BoundedFigure {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

const LOW = 0.025;

/** Returns a number that can be written as JSON; null if it is not finite. */
export const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** Compares a figure with its threshold; NaN passes no gate. */
export function gate(name: string, value: number, rule: Gate['rule'], threshold: number): Gate {
  const holds: Record<Gate['rule'], boolean> = {
    'at least': value >= threshold,
    above: value > threshold,
    'at most': value <= threshold,
    below: value < threshold,
  };
  return { name, passed: holds[rule], value: finite(value), threshold, rule };
}

/** Returns the figure with its 95% bounds from resamples. */
export const boundedFigure = (figure: BootstrappedFigure): BoundedFigure => ({
  value: finite(figure.value),
  low: finite(boundOf(figure, LOW)),
  high: finite(boundOf(figure, 1 - LOW)),
});

// Real members are not that predictable; such a result suggests features that together contain the label, or
// a copy of it with some errors. For samples whose logit is linear in two features, held-out chances reach an
// AUC of .74, or .93 if the logit is three times as steep; a copy of the label with 3% errors reaches .98.
const AUC_MAX = 0.97;

/** As a share of the log-loss without the model; the steep samples leave .49, the copy .21. */
const LOG_LOSS_SHARE_MIN = 0.25;

/** Held-out metrics by their names in reports; a task has some of them. */
type HeldOutMetrics = Readonly<Record<string, { readonly value: number | null }>>;

/**
 * Returns warnings about results that are suspiciously good: several features together may leak the label
 * although none does alone, so the model itself is checked. The reviewer must give a reason to approve it.
 */
export function heldOutWarnings({ auc, log_loss: loss, log_loss_gain: gain }: HeldOutMetrics): Gate[] {
  const [area, logLoss, logLossGain] = [auc, loss, gain].map((figure) => figure?.value ?? null);
  const checks = [
    ...(area == null ? [] : [gate('held_out_auc', area, 'at most', AUC_MAX)]),
    ...(logLoss == null || logLossGain == null || logLoss + logLossGain <= 0
      ? []
      : [gate('held_out_log_loss_share', logLoss / (logLoss + logLossGain), 'at least', LOG_LOSS_SHARE_MIN)]),
  ];
  return checks.filter(({ passed }) => !passed);
}

/** Returns the warnings as limitations for reports and cards. */
export const warningLimitations = (warnings: readonly Gate[]): string[] =>
  warnings.length === 0
    ? []
    : [
        'TOO_GOOD: held-out figures are better than real data allows; features may know the label ' +
          `(${warnings.map(({ name }) => name).join(', ')}). An approval has to give a reason.`,
      ];
