// Here and in the models, functions of Math are taken once: inside the sandbox of a test runner each access
// to a global costs more than the function.
const { abs, exp, log1p, max } = Math;

/** ln(e^one + e^other), where either alone may be too large or too small for a number. */
export function logSum(one: number, other: number): number {
  const larger = max(one, other);
  return larger === Number.NEGATIVE_INFINITY ? larger : larger + log1p(exp(-abs(one - other)));
}
