const { log } = Math;
const HALF_LOG_TWO_PI = 0.9189385332046728;
/** From here on Stirling's series of six terms is as exact as a double. */
const STIRLING_MIN = 10;

/** Logarithm of the gamma function: Stirling's series, after stepping up to where it holds; x above 0. */
export function logGamma(x: number): number {
  let product = 1;
  let y = x;
  for (; y < STIRLING_MIN; y += 1) product *= y;
  const u = 1 / (y * y);
  const series =
    (1 / 12 - u * (1 / 360 - u * (1 / 1260 - u * (1 / 1680 - u * (1 / 1188 - (u * 691) / 360360))))) / y;
  return (y - 0.5) * log(y) - y + HALF_LOG_TWO_PI + series - log(product);
}
