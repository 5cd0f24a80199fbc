/** A confidence interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The 97.5 % quantile of the normal distribution: intervals of 95 %. */
export const Z_95 = 1.959963984540054;

/**
 * Wilson's score interval of a proportion, without correction of continuity.
 *
 * @param successes - at most `n`
 * @param z - quantile of the normal distribution. Default: 95 %
 * @returns null if `n` is 0
 * @remarks Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference,
 * Journal of the American Statistical Association 22 (1927), 209–212
 */
export function wilson(successes: number, n: number, z = Z_95): Interval | null {
  if (n === 0) return null;
  const share = successes / n;
  const spread = z ** 2 / n;
  const centre = share + spread / 2;
  const half = z * Math.sqrt((share * (1 - share)) / n + spread / (4 * n));
  // The bounds 0 and 1 are set exactly, because of rounding errors.
  const low = successes === 0 ? 0 : (centre - half) / (1 + spread);
  const high = successes === n ? 1 : (centre + half) / (1 + spread);
  return { low: Math.min(low, share), high: Math.max(high, share) };
}

/**
 * Newcombe's hybrid score interval of the difference `a / na - b / nb` of two independent proportions,
 * computed from the Wilson interval of each.
 *
 * @param z - quantile of the normal distribution. Default: 95 %
 * @returns null if `na` or `nb` is 0
 * @remarks Source: R. G. Newcombe, Interval estimation for the difference between independent proportions:
 * comparison of eleven methods, Statistics in Medicine 17 (1998), 873–890, method 10
 */
export function newcombe(a: number, na: number, b: number, nb: number, z = Z_95): Interval | null {
  const ofA = wilson(a, na, z);
  const ofB = wilson(b, nb, z);
  if (!ofA || !ofB) return null;
  const [shareA, shareB] = [a / na, b / nb];
  const difference = shareA - shareB;
  return {
    low: Math.max(-1, difference - Math.hypot(shareA - ofA.low, ofB.high - shareB)),
    high: Math.min(1, difference + Math.hypot(ofA.high - shareA, shareB - ofB.low)),
  };
}
