import { type Gate, gate } from './gates.ts';

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
