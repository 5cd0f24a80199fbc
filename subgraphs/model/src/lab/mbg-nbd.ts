import { expectedWhileAlive } from '../numerics/hypergeometric.ts';
import { logGamma, logSum } from '../numerics/log-gamma.ts';
import { type FourParameters, memoized, type PurchaseModel } from './purchase-model.ts';

const { exp, log, log1p } = Math;

/**
 * MBG/NBD: a customer may drop out after each purchase, the first one too.
 *
 * @remarks Source: Batislam, Denizel and Filiztekin 2007, "Empirical validation and comparison of models for
 * customer base analysis"
 */
export const mbgNbd: PurchaseModel = {
  name: 'MBG/NBD',
  parameterNames: ['r', 'alpha', 'a', 'b'],
  timedNames: ['alpha'],

  logLikelihood(parameters) {
    const [r, alpha, a, b] = parameters as FourParameters;
    const fixed = r * log(alpha) - logGamma(r) + logGamma(a + b) - logGamma(b);
    const counted = memoized((x) => fixed + logGamma(r + x) + logGamma(b + x + 1) - logGamma(a + b + x + 1));
    return ({ x, tx, t }) => {
      const silent = -(r + x) * log(alpha + t);
      const dropped = log(a / (b + x)) - (r + x) * log(alpha + tx);
      return counted(x) + logSum(silent, dropped);
    };
  },

  aliveChance(parameters, { x, tx, t }) {
    const [r, alpha, a, b] = parameters as FourParameters;
    const survival = exp(-(r + x) * log1p((t - tx) / (alpha + tx)));
    return survival / (survival + a / (b + x));
  },

  expectedPurchases(parameters, pattern, ahead) {
    const [r, alpha, a, b] = parameters as FourParameters;
    const { x, t } = pattern;
    const whileAlive = expectedWhileAlive(r + x, a + b + x, a, ahead / (alpha + t));
    return whileAlive * mbgNbd.aliveChance(parameters, pattern);
  },
};
