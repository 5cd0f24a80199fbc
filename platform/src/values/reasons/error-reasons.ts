import { conflicts } from './conflicts.ts';
import { unknownThings } from './unknown-things.ts';

/**
 * Every reason of an error, by its category: `extensions.reason` in the graph, `X-Error-Code` on REST. The
 * enum `ErrorReason` of the graph has the same names and describes them.
 */
export const errorReasons = {
  BAD_USER_INPUT: [
    'ACKNOWLEDGEMENT_REQUIRED',
    'AMOUNT_OVER_CAP',
    'BODY_INVALID',
    'CODE_INVALID',
    'CONFIRMATION_REQUIRED',
    'CUSTOM_FIELD_ARCHIVED',
    'EVENT_TYPE_UNKNOWN',
    'IMAGE_INVALID',
    'INVALID_ARGUMENTS',
    'INVALID_ID',
    'MEDIA_TYPE_UNSUPPORTED',
    'METHOD_NOT_ALLOWED',
    'MODULE_UNKNOWN',
    'MUTATION_BY_GET',
    'OPERATION_INVALID',
    'OPERATION_TOO_COSTLY',
    'OPERATION_TOO_LARGE',
    'OPERATION_UNKNOWN',
    'OPERATION_UNSUPPORTED',
    'PARSE_FAILED',
    'PASSWORD_WEAK',
    'PASSWORD_WRONG',
    'PERSISTED_QUERY_NOT_FOUND',
    'PERSISTED_QUERY_NOT_SUPPORTED',
    'REASON_REQUIRED',
    'REFERRAL_CODE_INVALID',
    'RENDER_FAILED',
    'REQUEST_INVALID',
    'SAMPLES_INVALID',
    'SCOPE_NOT_GRANTABLE',
    'SCOPE_UNKNOWN',
    'SENSITIVE_FIELD',
    'SENSITIVE_VALUE',
    'SIGNATURE_INVALID',
    'SUBJECT_UNKNOWN',
    'SUBSCRIPTION_OVER_HTTP',
    'TEMPLATE_INVALID',
    'TIER_PERIOD_MISSING',
    'TOKEN_INVALID',
    'TOO_FEW_SAMPLES',
    'UNKNOWN_CUSTOM_FIELD',
    'UNKNOWN_FIELD',
    'VALIDATION_FAILED',
  ],
  UNAUTHENTICATED: [
    'CALLER_REFUSED',
    'CREDENTIAL_EXPIRED',
    'CREDENTIAL_INVALID',
    'CREDENTIAL_MISPLACED',
    'CREDENTIAL_MISSING',
    'MEMBER_SESSION_REQUIRED',
  ],
  PAYMENT_REQUIRED: ['INSUFFICIENT_CREDITS', 'SUBSCRIPTION_REQUIRED', 'TRIAL_CREDITS_EXHAUSTED'],
  FORBIDDEN: [
    'CALLER_REFUSED',
    'INVITATION_OF_ANOTHER',
    'LIVE_ONLY',
    'MAILBOX_NOT_AVAILABLE',
    'MEMBERSHIP_REQUIRED',
    'MEMBER_RESTRICTED',
    'MODULE_DISABLED',
    'NOT_ALLOWED_IN_BATCH',
    'OPERATION_NOT_LISTED',
    'ORIGIN_REFUSED',
    'REVIEWER_IS_UPLOADER',
    'ROLE_REQUIRED',
    'SCOPE_MISSING',
  ],
  NOT_FOUND: unknownThings,
  CONFLICT: conflicts,
  GONE: ['DETAILS_EXPIRED', 'EVENT_EXPIRED', 'IDEMPOTENCY_ANSWER_ERASED'],
  PAYLOAD_TOO_LARGE: ['BODY_TOO_LARGE', 'FILE_TOO_LARGE', 'UPLOAD_TOO_LARGE'],
  RATE_LIMITED: ['RATE_LIMITED', 'SLOW_CONSUMER'],
  UNAVAILABLE: [
    'AUTHENTICATION_UNAVAILABLE',
    'CODE_UNAVAILABLE',
    'DATABASE_UNAVAILABLE',
    'GATEWAY_UNAVAILABLE',
    'GUARD_UNAVAILABLE',
    'MODEL_SERVICE_UNAVAILABLE',
    'NOTICE_UNVERIFIED',
    'OVERLOADED',
    'PAYMENTS_NOT_CONFIGURED',
    'PAYMENTS_UNAVAILABLE',
    'PEER_UNAVAILABLE',
    'PROFILE_PENDING',
    'PUSH_BATCH_TAKEN',
    'PUSH_SERVICE_UNAVAILABLE',
    'REGISTRATION_BUSY',
    'SHUTTING_DOWN',
    'SIGN_IN_BUSY',
    'STATEMENT_TOO_SLOW',
    'SUBGRAPH_UNAVAILABLE',
    'UPLOADS_BUSY',
  ],
  INTERNAL_SERVER_ERROR: [
    'INTERNAL',
    'SUBGRAPH_ANSWER_INVALID',
    'SUBGRAPH_ANSWER_TOO_LARGE',
    'SUBGRAPH_ERRORS_TOO_MANY',
    'SUBGRAPH_ERRORS_UNDESCRIBED',
  ],
} as const;

/** What went wrong, in the ways that a client can react to. */
export type ErrorCategory = keyof typeof errorReasons;

/** A reason that errors of a category may have. */
export type ReasonOf<Category extends ErrorCategory> = (typeof errorReasons)[Category][number];

/** A reason of any category. */
export type ErrorReason = ReasonOf<ErrorCategory>;

const known: ReadonlySet<string> = new Set(Object.values(errorReasons).flat());

export const isErrorReason = (text: string | null): text is ErrorReason => text !== null && known.has(text);

type Words<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First} ${Words<Rest>}`
  : Name;

/** `bulk award` for BULK_AWARD_NOT_FOUND. */
export type UnknownNoun =
  ReasonOf<'NOT_FOUND'> extends infer Reason
    ? Reason extends `${infer Name}_NOT_FOUND`
      ? Lowercase<Words<Name>>
      : never
    : never;
