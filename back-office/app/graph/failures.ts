import type { CombinedError } from 'urql';

type Values = Readonly<Record<string, string | number>>;

/** What is wrong with one argument. */
export interface FieldFault {
  /** Its path, such as `input.amount`. */
  readonly field: string;
  /** One of the documented reasons. */
  readonly code: string;
  /** Which rule it breaks, such as AT_LEAST, with its values. */
  readonly rule: string | null;
  readonly values: Values;
}

/**
 * An error without its sentence, which is written for programmers and in English: `messages/sentences.ts` has
 * one for each reason.
 */
export interface CallFailure {
  /** One of the documented reasons, or NETWORK. */
  readonly reason: string;
  /** Category such as FORBIDDEN. */
  readonly code: string;
  /** What the sentence of the reason names, such as a role. */
  readonly values: Values;
  /** Every wrong argument. */
  readonly faults: readonly FieldFault[];
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const valuesOf = (values: unknown): Values =>
  typeof values === 'object' && values !== null ? (values as Values) : {};

/** The first error of an answer. */
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

/** @param details - what an answer says beside them, as `extensions` has it */
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
 * The fault of each field of a form that is at fault, and whether the form has all that are. The last part of
 * a path that a form has is its field: `input.hours[0].opensAt` is its `hours`, or `hours.0.opensAt` where
 * the form has an input for each part of its rows.
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

/** The path of an input in a row, as the form calls it: `items.3.quantity`. */
function rowFieldOf(path: string, values: FormValues): string | undefined {
  const [, list = '', place = '', part = ''] = /(\w+)\[(\d+)\]\.(\w+)$/.exec(path) ?? [];
  const rows = Object.hasOwn(values, list) ? values[list] : null;
  const row: unknown = Array.isArray(rows) ? rows[Number(place)] : null;
  const isInput = typeof row === 'object' && row !== null && Object.hasOwn(row, part);
  return isInput ? `${list}.${place}.${part}` : undefined;
}
