import type { ApiDescription } from './openapi-schema.ts';

const info = {
  title: 'Loyalty Platform API',
  version: '2.0.0',
  summary: 'Members, points, tiers, coupons, stores and everything else for integrations.',
  description: `Bodies are JSON. Instants are ISO 8601 in UTC. Ids are UUIDs.

**Lists** are newest first; equal times are ordered by id. They are paged with \`limit\` (at most 200) and
\`offset\`; a value out of range is refused with 400.

**Errors** are \`{"error": "<sentence>"}\` with a code for programs in \`X-Error-Code\`. Send \`Accept:
application/problem+json\` for RFC 9457: its \`errors\` have every wrong field of the request, the sentence
only the first. Quote \`X-Request-Id\` when you ask about an answer.

**Retries**: a POST with an \`Idempotency-Key\` is done once; the same call again within 24 hours gets the
first answer.

**Test keys** (\`lk_test_…\`) see and change only test data, on the same addresses.

**Websites** record what visitors do with a publishable key (\`pk_live_…\`), which everybody may see and
which can do nothing else: a script element with the source \`/t.js\` of this host and
\`data-key="pk_live_…"\`, then \`loyalty.track('view', { item_id: 'tea-100' })\`. Nothing is sent or
stored before \`loyalty.consent(true)\` or \`data-consent="granted"\`, nor where the browser sends Global
Privacy Control. \`data-page-view\` records page views. \`loyalty.identify(token)\`, with the token of a
member's session, says which member the visitor is.

**Changes**: fields, parameters, enum values and paths may be added at any time, so ignore what you do not
know. Nothing is removed or changes its meaning within 12 months of its announcement in the changelog; until
then its answers carry \`Deprecation\` and \`Sunset\` headers.`,
} as const;

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key, the token of a signed-in user, or of a member session. Pages of the same origin may use ' +
      'the cookie of a member session instead.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'An API key: lk_live_… or lk_test_…',
  },
};

const errorSchema = {
  type: 'object',
  description: 'Every error of this API.',
  properties: { error: { type: 'string', description: 'A sentence for people. It may change.' } },
  required: ['error'],
  additionalProperties: false,
};

const failures: ApiDescription['failures'] = {
  Invalid: {
    status: 400,
    description: 'The request is not valid. The sentence begins with the field.',
    code: 'VALIDATION_FAILED',
    example: 'limit must be between 1 and 200.',
  },
  Unauthenticated: {
    status: 401,
    description: 'The credential is missing, wrong or expired.',
    code: 'CREDENTIAL_MISSING',
    example: 'Send an API key or a session token in the Authorization header.',
  },
  Forbidden: {
    status: 403,
    description: 'The scope, the role or the module is missing.',
    code: 'SCOPE_MISSING',
    example: 'This needs the scope members:write.',
  },
  NotFound: {
    status: 404,
    description: 'There is no such thing in this workspace.',
    code: 'MEMBER_NOT_FOUND',
    example: 'No member has the id 0197a3c2-4be0-7c31-9a55-2f6d1f0c8e11.',
  },
  Conflict: {
    status: 409,
    description:
      'The current state does not allow it, or the Idempotency-Key was used for another call. With ' +
      'Retry-After, other calls are changing the same data: nothing was done, send the same call again.',
    code: 'INSUFFICIENT_POINTS',
    example: 'This member has 80 points, 100 are needed.',
    headers: ['Retry-After'],
  },
  Gone: {
    status: 410,
    description: 'The call was done; its answer was erased with the data of a person.',
    code: 'IDEMPOTENCY_ANSWER_ERASED',
    example: 'This call was done; its answer was erased with the data of a person. Do not send it again.',
  },
  TooLarge: {
    status: 413,
    description: 'The body is too large.',
    code: 'BODY_TOO_LARGE',
    example: 'The body is too large. Send less at once.',
  },
  MediaType: {
    status: 415,
    description: 'The media type of the body is not accepted here.',
    code: 'MEDIA_TYPE_UNSUPPORTED',
    example: 'The body must be JSON, sent as Content-Type: application/json.',
  },
  RateLimited: {
    status: 429,
    description: 'Too many calls.',
    code: 'RATE_LIMITED',
    example: 'More than 6000 requests in a minute. Wait 12 s.',
    headers: ['Retry-After'],
  },
  Unavailable: {
    status: 503,
    description: 'Nothing was done. Send the same call again.',
    code: 'DATABASE_UNAVAILABLE',
    example: 'The database is away. Try again; with an Idempotency-Key a write is done once only.',
    headers: ['Retry-After'],
  },
  Unexpected: {
    status: 500,
    description: 'Any other error. A status of 500 is a fault on our side: quote X-Request-Id.',
    code: 'INTERNAL',
    example: 'Something went wrong on our side. Quote the X-Request-Id of this answer.',
  },
};

/** The fixed parts of the OpenAPI document of the loyalty platform's API. */
export const v2Description: ApiDescription = {
  info,
  securitySchemes,
  errorSchema,
  errorOf: (_, sentence) => ({ error: sentence }),
  failures,
};
