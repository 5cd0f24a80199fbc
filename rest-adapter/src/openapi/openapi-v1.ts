import type { ApiDescription } from './openapi-schema.ts';
import { v2Description } from './openapi-v2.ts';

const info = {
  title: 'Consumer State Model API',
  version: '1.0.0',
  summary: 'Analyses of members, and the import of the data that they rest on; paid for with credits.',
  description: `Bodies are JSON. Instants are ISO 8601 in UTC. Ids are UUIDs of this platform: members
of an import are named by \`mappings\`.

**Keys** are sent as \`Authorization: Bearer <key>\` and in no other way. An administrator creates them in
the application. They end after 90 days, or when the administrator loses that role. Workspace and caller come
from the key: a request that names them is refused.

**Credits**: USD 1 buys 10,000. A member scored by an objective costs 10, an answer with recommendations
50, a new behavioural event 1. The maximum cost of a call is reserved before it. Then its actual cost is
charged. Failed and unavailable answers, previews and repetitions are free, and so is everything with a
test key.

**Answers**: 200 says that a call was completed, not that there is a prediction. A result whose status is
\`unavailable\` says nothing about the member: never read it as zero risk.

**Errors** are \`{"error": {"code", "message"}}\` with the same code in \`X-Error-Code\`; send \`Accept:
application/problem+json\` for RFC 9457. Quote \`X-Request-Id\` when you ask about an answer. After 402
stop automatic retries. Fetch the current state before a decision is recorded again.

**Changes**: fields, parameters, enum values and paths may be added at any time, so ignore what you do not
know.`,
} as const;

const errorSchema = {
  type: 'object',
  description: 'Every error of this API.',
  properties: {
    error: {
      type: 'object',
      description: 'What is wrong.',
      properties: {
        code: {
          type: 'string',
          description: 'The code of the error, for programs. Further codes may be added.',
        },
        message: { type: 'string', description: 'A sentence for people. It may change.' },
      },
      required: ['code', 'message'],
      additionalProperties: false,
    },
    issues: {
      type: 'array',
      description: 'The faults of samples that were sent; the first 1,000.',
      items: {
        type: 'object',
        properties: {
          row: {
            type: 'integer',
            format: 'int32',
            minimum: 0,
            maximum: 2_147_483_647,
            description: '1 is the first row of data, 0 the header.',
          },
          column: { type: 'string', description: 'The column at fault; empty for the whole row.' },
          message: { type: 'string', description: 'A sentence that says what to do.' },
        },
        required: ['row', 'column', 'message'],
        additionalProperties: false,
      },
    },
  },
  required: ['error'],
  additionalProperties: false,
};

const { NotFound, Unavailable, Conflict, TooLarge, MediaType, Unexpected } = v2Description.failures;
const failures: ApiDescription['failures'] = {
  Invalid: {
    status: 400,
    description: 'The request is not valid. The sentence begins with the field.',
    code: 'VALIDATION_FAILED',
    example: 'requests is required.',
  },
  Unauthenticated: {
    status: 401,
    description: 'The key is missing, wrong or expired.',
    code: 'CREDENTIAL_MISSING',
    example: 'Send an API key or a session token in the Authorization header.',
  },
  PaymentRequired: {
    status: 402,
    description:
      'The wallet does not cover the call: INSUFFICIENT_CREDITS, TRIAL_CREDITS_EXHAUSTED or ' +
      'SUBSCRIPTION_REQUIRED. Stop automatic retries; the owner funds the wallet or activates the service.',
    code: 'INSUFFICIENT_CREDITS',
    example: 'This needs 30 credits, 12 are available.',
  },
  Forbidden: {
    status: 403,
    description: 'The scope is missing, or the key lost it because its creator lost the role.',
    code: 'SCOPE_MISSING',
    example: 'This needs the scope predictions:read.',
  },
  NotFound: NotFound!,
  Conflict: {
    ...Conflict!,
    code: 'IMPORT_TOKEN_MISMATCH',
    example: 'The token is not of a preview of this input without issues. Preview it again.',
  },
  Gone: {
    status: 410,
    description: 'It was there, and is deleted by now; or the answer to the call was erased with a person.',
    code: 'DETAILS_EXPIRED',
    example: 'Results of single members are deleted 7 days after the end of a job.',
  },
  TooLarge: TooLarge!,
  MediaType: MediaType!,
  RateLimited: {
    status: 429,
    description: 'Too many calls.',
    code: 'RATE_LIMITED',
    example: 'More than 300 requests in a minute. Wait 12 s.',
    headers: ['Retry-After'],
  },
  Unavailable: Unavailable!,
  Unexpected: Unexpected!,
};

/** The fixed parts of the OpenAPI document of the model API. */
export const v1Description: ApiDescription = {
  info,
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', description: 'An API key with a scope of the model API.' },
  },
  errorSchema,
  errorOf: (code, message) => ({ error: { code, message } }),
  failures,
};
