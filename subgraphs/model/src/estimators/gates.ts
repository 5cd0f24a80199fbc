import { type BootstrappedFigure, boundOf } from '../numerics/bootstrap.ts';

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

// Real members are not that predictable: features that know the label together, or a copy of it with some
// errors, are. Of samples whose logit is linear in two features, held-out chances reach an AUC of .74, of
// .93 where the logit is three times as steep; a copy of the label with 3% of errors reaches .98.
const AUC_MAX = 0.97;

/** Of the log-loss without the model; the steep samples leave .49, the copy .21. */
const LOG_LOSS_SHARE_MIN = 0.25;

/** Figures of the held-out side as reports call them; a task has some of them. */
type HeldOutMetrics = Readonly<Record<string, { readonly value: number | null }>>;

/**
 * What is too good to be believed without a reason: no single feature may give the label away where several
 * do together, so that the model itself is looked at. Whoever approves it has to say why it is right.
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

/** The same, as a limitation that reports and cards list. */
export const warningLimitations = (warnings: readonly Gate[]): string[] =>
  warnings.length === 0
    ? []
    : [
        'TOO_GOOD: held-out figures are better than real data allows; features may know the label ' +
          `(${warnings.map(({ name }) => name).join(', ')}). An approval has to give a reason.`,
      ];
