/** More terms than any horizon of some decades needs. */
const TERMS_MAX = 200_000;
const PRECISION = 1e-13;

/**
 * Gauss's hypergeometric series without its first term, 2F1(a, b; c; z) - 1, to 1e-13 of 2F1. The remainder
 * after the last term is bounded by a geometric series, so that a slowly converging series is not cut off
 * early.
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
    // Squared, because terms and sums of either sign are compared.
    if (term * term <= precision * precision * (1 + sum) * (1 + sum)) break;
  }
  return sum;
}

/**
 * Expected purchases of a customer who is alive, in models in which customers drop out after purchases
 * (BG/NBD and MBG/NBD): c / (a - 1) (1 - (1 - z)^k 2F1(k, c - a + 1; c; z)). Euler's transformation moves the
 * exponent k out of the hypergeometric function, so that frequent buyers need no more terms, and avoids
 * cancellation for small z.
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
