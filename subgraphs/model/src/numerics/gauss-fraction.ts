const PRECISION = 1e-15;
/** Hundreds of steps are needed if alpha and beta differ by five powers of ten. */
const STEPS_MAX = 100_000;
/** Replaces a denominator of 0. */
const TINY = 1e-300;

/**
 * Gauss's continued fraction of 2F1(1, b; c; z), by the method of Lentz. Near z = 1 it needs only the square
 * root of the number of terms of the series.
 *
 * @param z - from 0 to below 1
 */
export function gaussFraction(b: number, c: number, z: number): number {
  let numerator = 1;
  let denominator = 0;
  let value = 1;
  for (let step = 1; step < STEPS_MAX; step += 1) {
    const coefficient = -partOf(step, b, c) * z;
    denominator = 1 / (1 + coefficient * denominator || TINY);
    numerator = 1 + coefficient / numerator || TINY;
    const change = numerator * denominator;
    value *= change;
    if ((change - 1) * (change - 1) < PRECISION * PRECISION) break;
  }
  return 1 / value;
}

function partOf(step: number, b: number, c: number): number {
  const half = step >> 1;
  const place = c + step;
  if (step % 2 === 0) return (half * (c - b - 1 + half)) / ((place - 2) * (place - 1));
  return ((b + half) * (c - 1 + half)) / ((place - 2) * (place - 1));
}
