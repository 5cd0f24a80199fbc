import { upperQuantile, upperTail } from './normal-distribution.ts';

/**
 * Chance that a variable of Student's distribution exceeds `t`, by the normal variable that Wallace puts in
 * its place: at 3 degrees of freedom it is right to .002, and with more of them closer.
 *
 * @param freedom - degrees of freedom, above 0
 * @remarks Source: D. L. Wallace, Annals of Mathematical Statistics 30 (1959), 1121
 */
export const studentTail = (t: number, freedom: number): number => upperTail(normalOf(t, freedom));

/** The `t` that such a variable exceeds with chance `tail`, from 0 to 1; the inverse of `studentTail`. */
export function studentQuantile(tail: number, freedom: number): number {
  const z = upperQuantile(tail) / scaleOf(freedom);
  return Math.sign(z) * Math.sqrt(freedom * Math.expm1((z * z) / freedom));
}

const normalOf = (t: number, freedom: number): number =>
  Math.sign(t) * scaleOf(freedom) * Math.sqrt(freedom * Math.log1p((t * t) / freedom));

const scaleOf = (freedom: number): number => (8 * freedom + 1) / (8 * freedom + 3);
