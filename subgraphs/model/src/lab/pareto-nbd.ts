import { gaussFraction } from '../numerics/gauss-fraction.ts';
import { logGamma, logSum } from '../numerics/log-gamma.ts';
import { type FourParameters, memoized, type Pattern, type PurchaseModel } from './purchase-model.ts';

const { abs, exp, expm1, log, log1p, max, min } = Math;

/**
 * Pareto/NBD: a customer may drop out at any time.
 *
 * @remarks Source: Schmittlein, Morrison and Colombo 1987; likelihood as in Fader and Hardie 2005, "A note on
 *   deriving the Pareto/NBD model and related expressions"
 */
export const paretoNbd: PurchaseModel = {
  name: 'Pareto/NBD',
  parameterNames: ['r', 'alpha', 's', 'beta'],
  timedNames: ['alpha', 'beta'],

  logLikelihood(parameters) {
    const [r, alpha, s, beta] = parameters as FourParameters;
    const fixed = r * log(alpha) + s * log(beta) - logGamma(r);
    const counted = memoized((x) => fixed + logGamma(r + x));
    return (pattern) =>
      counted(pattern.x) + logSum(alivePart(parameters, pattern), droppedPart(parameters, pattern));
  },

  aliveChance(parameters, pattern) {
    const [alive, dropped] = [alivePart(parameters, pattern), droppedPart(parameters, pattern)];
    return 1 / (1 + exp(dropped - alive));
  },

  expectedPurchases(parameters, pattern, ahead) {
    const [r, alpha, s, beta] = parameters as FourParameters;
    const { x, t } = pattern;
    const ends = -expm1((1 - s) * log1p(ahead / (beta + t))) / (s - 1);
    const whileAlive = ((r + x) * (beta + t) * ends) / (alpha + t);
    return whileAlive * paretoNbd.aliveChance(parameters, pattern);
  },
};

/** Logarithm of the likelihood's part for customers who are still active. */
function alivePart(parameters: readonly number[], { x, t }: Pattern): number {
  const [r, alpha, s, beta] = parameters as FourParameters;
  return -(r + x) * log(alpha + t) - s * log(beta + t);
}

/**
 * Logarithm of the likelihood's part for customers who dropped out between their last purchase and the end.
 */
function droppedPart(parameters: readonly number[], { x, tx, t }: Pattern): number {
  if (tx === t) return Number.NEGATIVE_INFINITY;
  const [r, , s] = parameters as FourParameters;
  const [atLast, atEnd] = [tail(parameters, x, tx), tail(parameters, x, t)];
  return log(s / (r + s + x)) + atLast + log(-expm1(min(atEnd - atLast, 0)));
}

/**
 * Logarithm of 2F1(n, m; n + 1; z) / (larger + time)^n with n = r + s + x and z = |alpha - beta| / (larger +
 * time). Euler's transformation makes it (1 - z)^(1 - m) 2F1(1, n + 1 - m; n + 1; z), all of whose terms are
 * positive.
 */
function tail(parameters: readonly number[], x: number, time: number): number {
  const [r, alpha, s, beta] = parameters as FourParameters;
  const n = r + s + x;
  const m = alpha >= beta ? s + 1 : r + x;
  const larger = max(alpha, beta) + time;
  const z = abs(alpha - beta) / larger;
  return (1 - m) * log1p(-z) + log(gaussFraction(n + 1 - m, n + 1, z)) - n * log(larger);
}
