import type { CombinedError } from 'urql';

type Values = Readonly<Record<string, string | number>>;

/** The error of one argument. */
export interface FieldFault {
  /** Path of the argument, such as `input.amount`. */
  readonly field: string;
  /** One of the documented reasons. */
  readonly code: string;
  /** The violated rule, such as AT_LEAST. Its parameters are in `values`. */
  readonly rule: string | null;
  readonly values: Values;
}

/**
 * An error of the API. It has no message, because messages of the API are in English and for programmers:
 * `messages/sentences.ts` has a sentence for each reason.
 */
export interface CallFailure {
  /** One of the documented reasons, or NETWORK. */
  readonly reason: string;
  /** Category such as FORBIDDEN. */
  readonly code: string;
  /** Parameters of the sentence, such as a role. */
  readonly values: Values;
  /** The error of each invalid argument. */
  readonly faults: readonly FieldFault[];
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const valuesOf = (values: unknown): Values =>
  typeof values === 'object' && values !== null ? (values as Values) : {};

/** Returns the first error of a response. */
export function failureOf({
  graphQLErrors: [first],
  response,
}: Pick<CombinedError, 'graphQLErrors' | 'response'>): CallFailure {
  if (!first) return failureFrom('NETWORK', 'NETWORK', {});
  const { reason, code } = first.extensions;
  return {
    ...failureFrom(textOf(reason) ?? 'UNKNOWN', textOf(code) ?? 'UNKNOWN', first.extensions),
    requestId: (response as Response | undefined)?.headers?.get('x-request-id') ?? null,
  };
}

interface FailureDetails {
  readonly errors?: unknown;
  readonly values?: unknown;
  readonly line?: unknown;
  readonly retryAfterSeconds?: unknown;
}

/**
 * Builds a failure from the parts of an error.
 *
 * @param details - the other `extensions` of the error
 */
export function failureFrom(
  reason: string,
  code: string,
  { errors, values, line, retryAfterSeconds }: FailureDetails,
): CallFailure {
  const faults = Array.isArray(errors) ? errors.map(faultOf) : [];
  return {
    reason,
    code,
    values: { ...faults[0]?.values, ...valuesOf(values), ...(typeof line === 'number' && { line }) },
    faults,
    requestId: null,
    retryAfterSeconds: numberOf(retryAfterSeconds),
  };
}

const faultOf = ({ field, code, rule, values }: Readonly<Record<string, unknown>>): FieldFault => ({
  field: String(field),
  code: String(code),
  rule: textOf(rule),
  values: valuesOf(values),
});

/**
 * Returns the error of each invalid field of a form, and whether every error belongs to a field of the form.
 * The field is the last part of the path that the form has: `input.hours[0].opensAt` is `hours`, or
 * `hours.0.opensAt` if the form has an input for each value of its rows.
 */
export function formFaults(
  { faults }: CallFailure,
  values: FormValues,
): { readonly byName: Readonly<Record<string, FieldFault>>; readonly isComplete: boolean } {
  const byName: Record<string, FieldFault> = {};
  let isComplete = faults.length > 0;
  for (const fault of faults) {
    const name = rowFieldOf(fault.field, values) ?? fieldOf(fault.field, values);
    if (name === undefined) isComplete = false;
    else byName[name] ??= fault;
  }
  return { byName, isComplete };
}

type FormValues = Readonly<Record<string, unknown>>;

const fieldOf = (path: string, values: FormValues): string | undefined =>
  path
    .split('.')
    .map((part) => part.replace(/\[\d+\]$/, ''))
    .findLast((part) => Object.hasOwn(values, part));

/** Returns the form's path of an input in a row: `items.3.quantity`. */
function rowFieldOf(path: string, values: FormValues): string | undefined {
  const [, list = '', place = '', part = ''] = /(\w+)\[(\d+)\]\.(\w+)$/.exec(path) ?? [];
  const rows = Object.hasOwn(values, list) ? values[list] : null;
  const row: unknown = Array.isArray(rows) ? rows[Number(place)] : null;
  const isInput = typeof row === 'object' && row !== null && Object.hasOwn(row, part);
  return isInput ? `${list}.${place}.${part}` : undefined;
}
