/**
 * Returns the lower factor of a symmetric positive definite matrix, of which the lower half is given, row by
 * row. If the matrix is not definite, a pivot is replaced by the smallest positive number.
 */
export function choleskyFactor(matrix: Float64Array, size: number): Float64Array {
  const lower = Float64Array.from(matrix);
  for (let i = 0; i < size; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      let sum = lower[i * size + j]!;
      for (let k = 0; k < j; k += 1) sum -= lower[i * size + k]! * lower[j * size + k]!;
      lower[i * size + j] = i === j ? Math.sqrt(Math.max(sum, Number.MIN_VALUE)) : sum / lower[j * size + j]!;
    }
  }
  return lower;
}

/** Solves a system with a lower triangular matrix in place: the right-hand side becomes the solution. */
export function solveLower(lower: ArrayLike<number>, right: Float64Array): void {
  const size = right.length;
  for (let i = 0; i < size; i += 1) {
    for (let k = 0; k < i; k += 1) right[i]! -= lower[i * size + k]! * right[k]!;
    right[i]! /= lower[i * size + i]!;
  }
}

/** Solves a symmetric positive definite system, of which the lower half is given, by Cholesky's method. */
export function solveSymmetric(matrix: Float64Array, right: Float64Array): Float64Array {
  const size = right.length;
  const lower = choleskyFactor(matrix, size);
  const solution = Float64Array.from(right);
  solveLower(lower, solution);
  for (let i = size - 1; i >= 0; i -= 1) {
    for (let k = i + 1; k < size; k += 1) solution[i]! -= lower[k * size + i]! * solution[k]!;
    solution[i]! /= lower[i * size + i]!;
  }
  return solution;
}
