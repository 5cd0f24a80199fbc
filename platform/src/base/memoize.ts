interface Kept<Result> {
  readonly next: WeakMap<object, Kept<Result>>;
  made?: { readonly result: Result };
}

/**
 * Makes a pure function run once per process for the same objects, compared by identity. All callers share
 * the result: neither it nor its inputs may be changed. It is kept as long as the inputs exist.
 */
export function memoize<Inputs extends readonly [object, ...object[]], Result>(
  make: (...inputs: Inputs) => Result,
): (...inputs: Inputs) => Result {
  const first = newKept<Result>();
  return (...inputs) => {
    const kept = inputs.reduce((found: Kept<Result>, input) => {
      const next = found.next.get(input) ?? newKept<Result>();
      found.next.set(input, next);
      return next;
    }, first);
    kept.made ??= { result: make(...inputs) };
    return kept.made.result;
  };
}

const newKept = <Result>(): Kept<Result> => ({ next: new WeakMap() });

/** Freezes plain objects and arrays at every depth, and returns the same value. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}
