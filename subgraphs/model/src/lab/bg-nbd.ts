import { expectedWhileAlive } from '../numerics/hypergeometric.ts';
import { logGamma, logSum } from '../numerics/log-gamma.ts';
import { type FourParameters, memoized, type PurchaseModel } from './purchase-model.ts';

const { exp, log, log1p } = Math;

/**
 * BG/NBD: a customer may drop out after each repeat purchase.
 *
 * @remarks Source: Fader, Hardie and Lee 2005, "Counting your customers the easy way"
 */
export const bgNbd: PurchaseModel = {
  name: 'BG/NBD',
  parameterNames: ['r', 'alpha', 'a', 'b'],
  timedNames: ['alpha'],

  logLikelihood(parameters) {
    const [r, alpha, a, b] = parameters as FourParameters;
    const fixed = r * log(alpha) - logGamma(r) + logGamma(a + b) - logGamma(b);
    const counted = memoized((x) => fixed + logGamma(r + x) + logGamma(b + x) - logGamma(a + b + x));
    return ({ x, tx, t }) => {
      const silent = -(r + x) * log(alpha + t);
      if (x === 0) return counted(x) + silent;
      const dropped = log(a / (b + x - 1)) - (r + x) * log(alpha + tx);
      return counted(x) + logSum(silent, dropped);
    };
  },

  aliveChance(parameters, { x, tx, t }) {
    const [r, alpha, a, b] = parameters as FourParameters;
    if (x === 0) return 1;
    const survival = exp(-(r + x) * log1p((t - tx) / (alpha + tx)));
    return survival / (survival + a / (b + x - 1));
  },

  expectedPurchases(parameters, pattern, ahead) {
    const [r, alpha, a, b] = parameters as FourParameters;
    const { x, t } = pattern;
    const whileAlive = expectedWhileAlive(r + x, a + b + x - 1, a, ahead / (alpha + t));
    return whileAlive * bgNbd.aliveChance(parameters, pattern);
  },
};
