const ROOT_OF_TAU = Math.sqrt(2 * Math.PI);

/** From this argument on, the continued fraction replaces the series. */
const SERIES_TO = 3;

const density = (z: number): number => Math.exp((-z * z) / 2) / ROOT_OF_TAU;

/**
 * Chance that a standard normal variable exceeds `z`, with a relative error of about 1e-13 up to z = 38,
 * where it underflows.
 *
 * @remarks Source: Abramowitz and Stegun, 26.2.11 (series) and 26.2.14 (continued fraction)
 */
export function upperTail(z: number): number {
  if (z < 0) return 1 - upperTail(-z);
  return z < SERIES_TO ? 0.5 - density(z) * centralSeries(z) : density(z) / tailFraction(z);
}

function centralSeries(z: number): number {
  let term = z;
  let sum = z;
  for (let k = 3; Math.abs(term) > 1e-17 * sum; k += 2) {
    term *= (z * z) / k;
    sum += term;
  }
  return sum;
}

/** The greater `z`, the fewer terms: 57 at 3, 16 at 10. */
function tailFraction(z: number): number {
  let fraction = z;
  for (let k = Math.ceil(12 + 400 / (z * z)); k >= 1; k -= 1) fraction = z + k / fraction;
  return fraction;
}

const STEP = 1e-15;

/**
 * The `z` that a standard normal variable exceeds with chance `tail`, above 0 and below 1.
 *
 * @remarks Source: Abramowitz and Stegun, 26.2.23 (first guess, within 4.5e-4), then Halley's steps
 */
export function upperQuantile(tail: number): number {
  if (tail > 0.5) return -upperQuantile(1 - tail);
  const t = Math.sqrt(-2 * Math.log(tail));
  let z =
    t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  for (let round = 0; round < 10; round += 1) {
    const error = (upperTail(z) - tail) / density(z);
    const step = error / (1 + (z * error) / 2);
    z += step;
    if (Math.abs(step) < STEP * Math.max(1, Math.abs(z))) break;
  }
  return z;
}

/**
 * Chance that a variable of Student's distribution exceeds `t`, by Wallace's normal approximation: its error
 * is .002 at 3 degrees of freedom, and smaller with more of them.
 *
 * @param freedom - degrees of freedom, above 0
 * @remarks Source: D. L. Wallace, Annals of Mathematical Statistics 30 (1959), 1121
 */
export const studentTail = (t: number, freedom: number): number => upperTail(normalOf(t, freedom));

/**
 * The `t` that a variable of Student's distribution exceeds with chance `tail`, from 0 to 1; the inverse of
 * `studentTail`.
 */
export function studentQuantile(tail: number, freedom: number): number {
  const z = upperQuantile(tail) / scaleOf(freedom);
  return Math.sign(z) * Math.sqrt(freedom * Math.expm1((z * z) / freedom));
}

const normalOf = (t: number, freedom: number): number =>
  Math.sign(t) * scaleOf(freedom) * Math.sqrt(freedom * Math.log1p((t * t) / freedom));

const scaleOf = (freedom: number): number => (8 * freedom + 1) / (8 * freedom + 3);
