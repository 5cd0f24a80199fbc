import type { CombinedError } from 'urql';

/** An error as a person reads it. */
export interface CallFailure {
  readonly message: string;
  /** One of the documented reasons, or NETWORK. */
  readonly reason: string;
  /** Category such as FORBIDDEN. */
  readonly code: string;
  /** Path of the argument at fault, such as `input.amount`. */
  readonly field: string | null;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
}

/** How the graph refuses a value that is not of its type: the place in quotes, the reason behind it. */
const coercion = /^Variable "\$\w+" got invalid value .* at "([\w.]+)"; (.+)$/s;

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The first error of an answer. */
export function failureOf({ graphQLErrors: [first], networkError }: CombinedError): CallFailure {
  if (!first) {
    const message = networkError?.message ?? '';
    return {
      message,
      reason: 'NETWORK',
      code: 'NETWORK',
      field: null,
      requestId: null,
      retryAfterSeconds: null,
    };
  }
  const { reason, code, field, requestId, retryAfterSeconds } = first.extensions;
  const at = coercion.exec(first.message);
  return {
    message: at?.[2] ?? first.message,
    reason: textOf(reason) ?? 'UNKNOWN',
    code: textOf(code) ?? 'UNKNOWN',
    field: textOf(field) ?? at?.[1] ?? null,
    requestId: textOf(requestId),
    retryAfterSeconds: typeof retryAfterSeconds === 'number' ? retryAfterSeconds : null,
  };
}

/** The name of the form's field that an argument is: the last part of its path. */
export const formFieldOf = ({ field }: CallFailure): string | null => field?.split('.').at(-1) ?? null;
