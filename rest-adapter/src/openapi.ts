import type { GraphQLSchema } from 'graphql';
import { examples } from './examples.ts';
import { answerHeaders, describeRow, tagOf } from './openapi-operation.ts';
import type { Schema, Schemas } from './openapi-schema.ts';
import type { Row } from './row.ts';
import type { AccessMap } from './row-access.ts';

export interface DocumentOptions {
  readonly rows: readonly Row[];
  /** The schema that clients of the graph see. */
  readonly schema: GraphQLSchema;
  readonly access: AccessMap;
}

/** The parts of an OpenAPI 3.1 document that ours have. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: Schema;
  readonly servers: readonly Schema[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
  readonly components: Readonly<Record<string, Schema>>;
}

/** Describes every row of the v2 API; what is not a row is not in the document. */
export function openApiV2({ rows, schema, access }: DocumentOptions): OpenApiDocument {
  const schemas: Schemas = new Map();
  const documented = rows.filter(({ path }) => !path.startsWith('/api/v1/'));
  const paths: Record<string, Record<string, Schema>> = {};
  for (const row of documented) {
    const path = row.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [row.method.toLowerCase()]: describeRow(row, { schema, access, examples, schemas }),
    };
  }
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/', description: 'The origin that serves this document.' }],
    tags: [...new Set(documented.map(({ path }) => tagOf(path)))].sort().map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...Object.fromEntries(schemas), Error: errorSchema, Problem: problemSchema },
      securitySchemes,
      headers,
      parameters: { IdempotencyKey: idempotencyKey },
      responses: Object.fromEntries(
        Object.entries(failures).map(([name, failure]) => [name, failureResponse(failure)]),
      ),
    },
  };
}

const info: Schema = {
  title: 'Loyalty Platform API',
  version: '2.0.0',
  summary: 'Members, points, tiers, coupons, stores and everything else that an integration drives.',
  description: `Bodies are JSON. Instants are ISO 8601 in UTC. Ids are UUIDs.

**Lists** are newest first, the id deciding between equals, and paged with \`limit\` (at most 200) and
\`offset\`; a value out of range is refused with 400.

**Errors** are \`{"error": "<sentence>"}\` with a code to branch on in \`X-Error-Code\`; send \`Accept:
application/problem+json\` for RFC 9457. Quote \`X-Request-Id\` when you ask about an answer.

**Retries**: a POST with an \`Idempotency-Key\` is done once; the same call again within 24 hours gets the
first answer.

**Test keys** (\`lk_test_…\`) see and change only test data, on the same addresses.

**Changes**: fields, parameters, enum values and paths may be added at any time, so ignore what you do not
know. Nothing is removed or changes its meaning within 12 months of its announcement in the changelog; until
then its answers carry \`Deprecation\` and \`Sunset\` headers, and in the graph the field is \`@deprecated\`
with a reason.`,
};

const securitySchemes: Schema = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, the token of a signed-in user, or of a member session.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'An API key: lk_live_… or lk_test_…',
  },
};

const text = (description: string, example: string): Schema => ({
  description,
  schema: { type: 'string' },
  example,
});

const headers: Schema = {
  'X-Request-Id': text(
    'Names this call; sent back where the request carries one.',
    '0197a3c2-4be0-7c31-9a55-2f6d1f0c8e11',
  ),
  'X-Error-Code': text('What went wrong, to branch on; the list is open.', 'MEMBER_NOT_FOUND'),
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 }, example: 12 },
  RateLimit: text('Calls that remain (`r`) and seconds until all are back (`t`).', '"requests";r=5999;t=60'),
  'RateLimit-Policy': text('Calls allowed (`q`) in a window of `w` seconds.', '"requests";q=6000;w=60'),
};

const idempotencyKey: Schema = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Your own name for this call, such as an order id: sent again within 24 hours it gets the first answer.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const errorSchema: Schema = {
  type: 'object',
  properties: { error: { type: 'string', description: 'A sentence for people; it may change.' } },
  required: ['error'],
  additionalProperties: false,
};

const problemSchema: Schema = {
  type: 'object',
  description: 'RFC 9457.',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', description: 'As in X-Error-Code.' },
    instance: { type: 'string', description: 'As in X-Request-Id.' },
    errors: {
      type: 'array',
      items: { type: 'object', description: '`pointer` to the field at fault, `code`, `detail`.' },
    },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'instance'],
};

interface Failure {
  readonly description: string;
  readonly example: string;
  /** Further headers that come with it. */
  readonly headers?: readonly string[];
}

const failures: Readonly<Record<string, Failure>> = {
  Invalid: {
    description: 'The request is not valid; the sentence begins with the field.',
    example: 'limit must be between 1 and 200.',
  },
  Unauthenticated: {
    description: 'The credential is missing, wrong or expired.',
    example: 'Send an API key or a session token in the Authorization header.',
  },
  Forbidden: {
    description: 'The scope, the role or the module is missing.',
    example: 'This needs the scope members:write.',
  },
  NotFound: {
    description: 'There is no such thing in this workspace.',
    example: 'No member has the id 0197a3c2-4be0-7c31-9a55-2f6d1f0c8e11.',
  },
  Conflict: {
    description: 'The state of things does not allow it, or the Idempotency-Key stands for another call.',
    example: 'This member has 80 points, 100 are needed.',
  },
  RateLimited: {
    description: 'Too many calls.',
    example: 'More than 6000 requests in a minute. Wait 12 s.',
    headers: ['Retry-After'],
  },
  Unavailable: {
    description: 'Nothing was done; the same call may be sent again.',
    example: 'The service is busy. Try again.',
    headers: ['Retry-After'],
  },
};

function failureResponse({ description, example, headers: more = [] }: Failure): Schema {
  const named = ['X-Error-Code', ...more].map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return {
    description,
    headers: { ...answerHeaders, ...Object.fromEntries(named) },
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/Error' }, example: { error: example } },
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    },
  };
}
