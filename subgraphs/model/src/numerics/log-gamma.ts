const { log } = Math;

const HALF_LOG_TWO_PI = 0.9189385332046728;

/** From this argument on, Stirling's series of six terms is exact to double precision. */
const STIRLING_MIN = 10;

/**
 * Logarithm of the gamma function for x above 0: Stirling's series, after recurrence steps to the range where
 * it is exact.
 */
export function logGamma(x: number): number {
  let product = 1;
  let y = x;
  for (; y < STIRLING_MIN; y += 1) product *= y;
  const u = 1 / (y * y);
  const series =
    (1 / 12 - u * (1 / 360 - u * (1 / 1260 - u * (1 / 1680 - u * (1 / 1188 - (u * 691) / 360360))))) / y;
  return (y - 0.5) * log(y) - y + HALF_LOG_TWO_PI + series - log(product);
}

// Here and in the models, functions of Math are read once: inside the sandbox of a test runner each access to
// a global costs more than the function itself.
const { abs, exp, log1p, max } = Math;

/** Returns ln(e^one + e^other) without overflow or underflow. */
export function logSum(one: number, other: number): number {
  const larger = max(one, other);
  return larger === Number.NEGATIVE_INFINITY ? larger : larger + log1p(exp(-abs(one - other)));
}
