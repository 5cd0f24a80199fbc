import type { CombinedError } from 'urql';

/** What is wrong with one argument. */
export interface FieldFault {
  /** Its path, such as `input.amount`. */
  readonly field: string;
  readonly message: string;
}

/** An error as a person reads it. */
export interface CallFailure {
  readonly message: string;
  /** One of the documented reasons, or NETWORK. */
  readonly reason: string;
  /** Category such as FORBIDDEN. */
  readonly code: string;
  /** Every wrong argument. */
  readonly faults: readonly FieldFault[];
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The first error of an answer. */
export function failureOf({ graphQLErrors: [first], networkError }: CombinedError): CallFailure {
  if (!first) {
    const message = networkError?.message ?? '';
    return {
      message,
      reason: 'NETWORK',
      code: 'NETWORK',
      faults: [],
      requestId: null,
      retryAfterSeconds: null,
    };
  }
  const { reason, code, errors, requestId, retryAfterSeconds } = first.extensions;
  const faults = Array.isArray(errors) ? (errors as FieldFault[]) : [];
  return {
    // Of a value that does not fit its type the graph's own sentence repeats the value.
    message: faults[0]?.message ?? first.message,
    reason: textOf(reason) ?? 'UNKNOWN',
    code: textOf(code) ?? 'UNKNOWN',
    faults,
    requestId: textOf(requestId),
    retryAfterSeconds: typeof retryAfterSeconds === 'number' ? retryAfterSeconds : null,
  };
}

/**
 * The sentence of each field of a form that is at fault, and whether the form has all that are. The last part
 * of a path that a form has is its field: `input.hours[0].opensAt` is its `hours`.
 */
export function formErrors(
  { faults }: CallFailure,
  values: Readonly<Record<string, unknown>>,
): { readonly errors: Readonly<Record<string, string>>; readonly isComplete: boolean } {
  const errors: Record<string, string> = {};
  let isComplete = faults.length > 0;
  for (const { field, message } of faults) {
    const name = field
      .split('.')
      .map((part) => part.replace(/\[\d+\]$/, ''))
      .findLast((part) => Object.hasOwn(values, part));
    if (name === undefined) isComplete = false;
    else errors[name] ??= message;
  }
  return { errors, isComplete };
}
