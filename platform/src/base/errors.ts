import type { DatabaseFault } from '@loyalty/prisma/database-error';
import type { ErrorCategory, ErrorReason, ReasonOf, UnknownNoun } from './error-reasons.ts';
import type { InputRule, InputRuleName, RuleValues } from './input-rules.ts';

/** HTTP status for each GraphQL `extensions.code`. */
export const httpStatus: Record<ErrorCategory, number> = {
  BAD_USER_INPUT: 400,
  UNAUTHENTICATED: 401,
  PAYMENT_REQUIRED: 402,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  GONE: 410,
  PAYLOAD_TOO_LARGE: 413,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
  INTERNAL_SERVER_ERROR: 500,
};

/** HTTP statuses of codes that are more specific than their category. */
const ownStatus: Readonly<Record<string, number>> = { METHOD_NOT_ALLOWED: 405, MEDIA_TYPE_UNSUPPORTED: 415 };

/** Returns the HTTP status of an error. */
export const httpStatusOf = ({ category, code }: Pick<AppError, 'category' | 'code'>): number =>
  ownStatus[code] ?? httpStatus[category];

/** One problem in a text that was sent. */
export interface ContentIssue {
  /** Row of the problem: 1 is the first row of data, 0 the header. */
  readonly row: number;
  readonly column: string;
  readonly message: string;
}

/** One wrong field of a request. */
export interface InputFault {
  /** Path of the wrong argument, for example `input.amount`. */
  readonly field: string;
  readonly code: ErrorReason;
  /** A sentence that begins with the path. */
  readonly message: string;
  /** The rule that the value breaks, if it is a rule with a name. */
  readonly rule?: InputRuleName;
  /** Values of the rule, for example `min`, `max` or `other`. */
  readonly values?: RuleValues;
}

interface ErrorDetails {
  /** Path of the wrong argument, for example `input.amount`; the message begins with it. */
  readonly field?: string;
  /** All wrong fields if there are several; the error itself is the first of them. */
  readonly errors?: readonly InputFault[];
  /** The rule that the field breaks. */
  readonly rule?: InputRuleName;
  /** Values that the message names, such as a role or a bound, for programs that write their own message. */
  readonly values?: RuleValues;
  /** Line of the problem in a text that was sent, from 1. */
  readonly line?: number;
  readonly column?: number;
  /** Problems in a text that was sent; a long list may be cut. */
  readonly issues?: readonly ContentIssue[];
  /** Seconds (whole) after which the same call may succeed. */
  readonly retryAfterSeconds?: number;
  /** Response names from the root of the operation to the refused field. */
  readonly path?: readonly string[];
}

/** The only error whose message reaches a client. Programs branch on the code; people read the message. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly category: ErrorCategory;
  /**
   * SCREAMING_SNAKE, more specific than the category: `extensions.reason` in the graph, `X-Error-Code` in
   * REST.
   */
  readonly code: ErrorReason;
  readonly details: ErrorDetails;

  constructor(category: ErrorCategory, code: ErrorReason, message: string, details: ErrorDetails = {}) {
    super(message);
    this.category = category;
    this.code = code;
    this.details = details;
  }
}

/** 400; `rule` completes the sentence that begins with the path of the field: `must be at least 1`. */
export function invalid(
  field: string,
  rule: string | InputRule,
  code: ReasonOf<'BAD_USER_INPUT'> = 'VALIDATION_FAILED',
): AppError {
  if (typeof rule === 'string') return new AppError('BAD_USER_INPUT', code, `${field} ${rule}.`, { field });
  const { name, values, text } = rule;
  return new AppError('BAD_USER_INPUT', code, `${field} ${text}.`, {
    field,
    rule: name,
    ...(values && { values }),
  });
}

/** Returns all wrong fields that an error names, the first one first. */
export function inputFaults({ code, message, details }: AppError): readonly InputFault[] {
  const { field, errors, rule, values } = details;
  if (errors) return errors;
  return field === undefined
    ? []
    : [{ field, code, message, ...(rule && { rule, ...(values && { values }) }) }];
}

/** 401. */
export const unauthenticated = (code: ReasonOf<'UNAUTHENTICATED'>, message: string): AppError =>
  new AppError('UNAUTHENTICATED', code, message);

/** 402. */
export const paymentRequired = (code: ReasonOf<'PAYMENT_REQUIRED'>, message: string): AppError =>
  new AppError('PAYMENT_REQUIRED', code, message);

/** 403. */
export const forbidden = (code: ReasonOf<'FORBIDDEN'>, message: string, details?: ErrorDetails): AppError =>
  new AppError('FORBIDDEN', code, message, details);

/** Returns the refusal with the path of the refused field in the operation. */
export const refusedAt = (
  { category, code, message, details }: AppError,
  path: readonly string[],
): AppError => new AppError(category, code, message + fieldSentence(path), { ...details, path });

/** Returns the refusal with the refused field of the input; the message begins with the field. */
export const refusedField = ({ category, code, message, details }: AppError, field: string): AppError =>
  new AppError(category, code, `${field} is refused. ${message}`, { ...details, field });

/** The sentence that `refusedAt` appends. REST removes it, because REST clients do not see the operation. */
export const fieldSentence = (path: readonly (string | number)[]): string =>
  ` The field refused is ${path.join('.')}.`;

/** 404; `noun` in lower case: `notFound('member', id)` has the code MEMBER_NOT_FOUND. */
export const notFound = (noun: UnknownNoun | 'API key', id: string): AppError =>
  new AppError(
    'NOT_FOUND',
    `${noun.toUpperCase().replaceAll(' ', '_')}_NOT_FOUND` as ReasonOf<'NOT_FOUND'>,
    `No ${noun} has the id ${id}.`,
  );

/** 409. */
export const conflict = (code: ReasonOf<'CONFLICT'>, message: string, details?: ErrorDetails): AppError =>
  new AppError('CONFLICT', code, message, details);

/** 409 with Retry-After: concurrent calls are changing the same rows. Nothing was done. */
export const busy = (code: ReasonOf<'CONFLICT'>, message: string): AppError =>
  conflict(code, message, { retryAfterSeconds: 1 });

/**
 * Returns whether the same call may succeed later. All such errors have `retryAfterSeconds`, except errors of
 * other servers.
 */
export const isTransient = ({ category, details }: Pick<AppError, 'category' | 'details'>): boolean =>
  category === 'UNAVAILABLE' || category === 'RATE_LIMITED' || details.retryAfterSeconds !== undefined;

/** 429. */
export const rateLimited = (message: string, retryAfterSeconds: number): AppError =>
  new AppError('RATE_LIMITED', 'RATE_LIMITED', message, { retryAfterSeconds });

/** 429 that ends a subscription; `waiting` is how many results waited to be read. */
export const slowConsumer = (waiting: number): AppError =>
  new AppError(
    'RATE_LIMITED',
    'SLOW_CONSUMER',
    `More than ${waiting.toLocaleString('en')} results wait: read faster or subscribe again.`,
  );

/**
 * 500: an unexpected error.
 *
 * @param quote - the identifier of the request that a client quotes in a support request
 */
export const internalError = (quote = 'the X-Request-Id of this answer'): AppError =>
  new AppError('INTERNAL_SERVER_ERROR', 'INTERNAL', `Something went wrong on our side. Quote ${quote}.`);

/** 503: nothing was done, the same call may be sent again. */
export const unavailable = (
  code: ReasonOf<'UNAVAILABLE'>,
  message: string,
  retryAfterSeconds = 1,
): AppError => new AppError('UNAVAILABLE', code, message, { retryAfterSeconds });

/** 503: too many large uploads are in progress; this one would wait for too long. */
export const uploadsBusy = (): AppError =>
  unavailable('UPLOADS_BUSY', 'Too many large uploads are under way. Send this one again.', 5);

/** 409: a row that the call changes stayed locked by other calls until the time limit. */
export const rowBusy = (): AppError =>
  busy('ROW_BUSY', 'Other calls are changing the same data right now; nothing was changed. Try again.');

const AGAIN = 'Try again; with an Idempotency-Key a write is done once only.';

/** The error for each fault of the database. */
export const databaseErrors: Readonly<Record<DatabaseFault, () => AppError>> = {
  // It is unknown whether a write was committed whose answer was lost.
  AWAY: () => unavailable('DATABASE_UNAVAILABLE', `The database is away. ${AGAIN}`),
  LOCKED: rowBusy,
  OVERLOADED: () => unavailable('OVERLOADED', `Too many calls wait for the database. ${AGAIN}`),
  TOO_SLOW: () => unavailable('STATEMENT_TOO_SLOW', `The database took too long for this call. ${AGAIN}`),
};
