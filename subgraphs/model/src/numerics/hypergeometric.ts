/** No series that a horizon of some decades needs is longer. */
const TERMS_MAX = 200_000;
const PRECISION = 1e-13;

/**
 * Gauss's hypergeometric series without its first term, 2F1(a, b; c; z) - 1, to 1e-13 of 2F1. What is left
 * behind the last term is bound by a geometric series, so that a slow series is not cut off early.
 *
 * @param z - from 0 to below 1; the closer to 1, the more terms
 */
export function gaussSeries(a: number, b: number, c: number, z: number): number {
  const precision = PRECISION * (1 - z);
  let term = 1;
  let sum = 0;
  for (let n = 0; n < TERMS_MAX; n += 1) {
    term *= ((a + n) * (b + n) * z) / ((c + n) * (n + 1));
    sum += term;
    // Squares, because terms and sums of either sign are compared.
    if (term * term <= precision * precision * (1 + sum) * (1 + sum)) break;
  }
  return sum;
}

/**
 * Purchases expected of a customer who is alive, where dropping out follows purchases (BG/NBD and MBG/NBD):
 * c / (a - 1) (1 - (1 - z)^k 2F1(k, c - a + 1; c; z)). Euler's transformation takes the exponent k out of the
 * hypergeometric function, so that frequent buyers need no more terms; and 1 is not taken from 1 where z is
 * small.
 *
 * @param k - r and the number of repeat purchases
 * @param c - a + b and the number of repeat purchases, less 1 for BG/NBD
 * @param a - any but 1
 * @param ahead - time ahead over (alpha + time observed); z is ahead / (1 + ahead)
 */
export function expectedWhileAlive(k: number, c: number, a: number, ahead: number): number {
  const exponent = (1 - a) * Math.log1p(ahead);
  const series = gaussSeries(c - k, a - 1, c, ahead / (1 + ahead));
  return (c * (-Math.expm1(exponent) - Math.exp(exponent) * series)) / (a - 1);
}
