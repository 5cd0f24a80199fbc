import { STATUS_CODES } from 'node:http';
import { deepFreeze, memoize } from '@loyalty/platform/base/memoize';
import { type Api, apiOf } from '@loyalty/platform/http/api';
import type { AccessMap } from '@loyalty/platform/identity/access';
import type { GraphQLSchema } from 'graphql';
import type { Row } from '../table/row.ts';
import { examples } from './examples.ts';
import { describeChoice } from './openapi-choice.ts';
import { restDescriptions, tagDescriptions, withDescriptions } from './openapi-descriptions.ts';
import { answerHeaders, tagOf } from './openapi-operation.ts';
import type { ApiDescription, Failure, Schema, Schemas } from './openapi-schema.ts';
import { v1Description } from './openapi-v1.ts';
import { v2Description } from './openapi-v2.ts';

export interface DocumentOptions {
  readonly rows: readonly Row[];
  /** The schema that clients of the graph see. */
  readonly schema: GraphQLSchema;
  readonly access: AccessMap;
  /** The address that users open. Without it, the document refers to the origin that serves it. */
  readonly url?: string | undefined;
}

/** The parts of an OpenAPI 3.1 document that our documents have. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: Schema;
  readonly servers: readonly Schema[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
  readonly components: Readonly<Record<string, Schema>>;
}

const descriptions: Readonly<Record<Api, ApiDescription>> = { v1: v1Description, v2: v2Description };

/** Returns the OpenAPI document of an API. It contains all rows of the API, and no other operations. */
export function openApi(api: Api, { rows, schema, access, url: given }: DocumentOptions): OpenApiDocument {
  const document = documents[api](rows, schema, access);
  const url = given?.replace(/\/+$/, '');
  if (!url) return document;
  const { info, servers } = document;
  const contact = { ...(info['contact'] as Schema), url: `${url}/docs` };
  return { ...document, info: { ...info, contact }, servers: servers.map((server) => ({ ...server, url })) };
}

/**
 * Creates the document without an address. It is the same in all processes, so each process creates it once.
 */
const documentsOf = (api: Api) =>
  memoize((rows: readonly Row[], schema: GraphQLSchema, access: AccessMap) =>
    deepFreeze(documentOf(api, { rows, schema, access })),
  );
const documents = { v1: documentsOf('v1'), v2: documentsOf('v2') };

function documentOf(api: Api, { rows, schema, access }: DocumentOptions): OpenApiDocument {
  const { info, securitySchemes, errorSchema, ...description } = descriptions[api];
  const schemas: Schemas = new Map();
  const documented = rows.filter(({ path }) => apiOf(path) === api);
  const paths: Record<string, Record<string, Schema>> = {};
  const operations = Map.groupBy(documented, ({ method, path }) => `${method} ${path}`);
  for (const [, [first, ...others]] of operations) {
    const path = first!.path.replace(/:(\w+)/g, '{$1}');
    const described = describeChoice([first!, ...others], { schema, access, examples, schemas });
    paths[path] = { ...paths[path], [first!.method.toLowerCase()]: described };
  }
  const responses = Object.entries(description.failures).map(([name, failure]) => [
    name,
    failureResponse(failure, description.errorOf),
  ]);
  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info: { ...info, contact: { name: 'Loyalty Platform' }, license },
    servers: [{ url: '/', description: 'The origin that serves this document.' }],
    tags: tagsOf(documented),
    paths,
    components: {
      schemas: { ...Object.fromEntries(schemas), Error: errorSchema, Problem: problemSchema },
      securitySchemes,
      headers,
      parameters: { IdempotencyKey: idempotencyKey },
      responses: Object.fromEntries(responses),
    },
  };
  return withDescriptions(document, restDescriptions(schema, document));
}

const license: Schema = { name: 'All rights reserved', identifier: 'LicenseRef-Loyalty-Platform' };

/** Returns the tags of the rows, in the order of their descriptions. */
function tagsOf(rows: readonly Row[]): OpenApiDocument['tags'] {
  const used = new Set(rows.map(({ path }) => tagOf(path)));
  const ordered = [...Object.keys(tagDescriptions), ...used].filter((name) => used.has(name));
  return [...new Set(ordered)].map((name) => {
    const description = tagDescriptions[name];
    return { name, ...(description !== undefined && { description }) };
  });
}

const text = (description: string, example: string): Schema => ({
  description,
  schema: { type: 'string' },
  example,
});

const headers: Schema = {
  'X-Request-Id': text(
    'The id of this call. An id in the request is sent back.',
    '0197a3c2-4be0-7c31-9a55-2f6d1f0c8e11',
  ),
  'X-Error-Code': text(
    'The code of the error, for programs. Further codes may be added.',
    'MEMBER_NOT_FOUND',
  ),
  'Retry-After': {
    description: 'Seconds to wait.',
    schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 86_400 },
    example: 12,
  },
  'Idempotent-Replayed': text('`true` where the call was done before: this is its first answer.', 'true'),
  RateLimit: text('Calls that remain (`r`) and seconds until all are back (`t`).', '"requests";r=5999;t=60'),
  'RateLimit-Policy': text('Calls allowed (`q`) in a window of `w` seconds.', '"requests";q=6000;w=60'),
};

const idempotencyKey: Schema = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Your own name for this call, such as an order id. The same call within 24 hours gets the first answer.' +
    ' Calls that take or return a password, key or token ignore it: they are done each time they are sent.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const problemSchema: Schema = {
  type: 'object',
  description: 'An error as RFC 9457 writes it.',
  properties: {
    type: {
      type: 'string',
      format: 'uri',
      description: 'The address of the page that explains the code. It is absolute, and the same for a code.',
    },
    title: { type: 'string', description: 'The status in words.' },
    status: {
      type: 'integer',
      format: 'int32',
      minimum: 400,
      maximum: 599,
      description: 'The status of the answer.',
    },
    detail: { type: 'string', description: 'A sentence for people. It may change.' },
    code: { type: 'string', description: 'As in X-Error-Code.' },
    instance: { type: 'string', description: 'As in X-Request-Id.' },
    errors: {
      type: 'array',
      description: 'Every field at fault, at most 50. The first one is that of `detail`.',
      maxItems: 50,
      items: {
        type: 'object',
        properties: {
          pointer: { type: 'string', description: 'A JSON Pointer to the field at fault, such as #/amount.' },
          code: { type: 'string', description: 'As in X-Error-Code.' },
          detail: { type: 'string', description: 'A sentence that says what to do.' },
        },
        required: ['pointer', 'code', 'detail'],
      },
    },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'instance'],
};

const problemExample = (status: number, code: string, detail: string) => ({
  type: `https://loyalty.example.com/docs/errors/${code}`,
  title: STATUS_CODES[status],
  status,
  detail,
  code,
  instance: '0197a3c2-4be0-7c31-9a55-2f6d1f0c8e11',
});

function failureResponse(
  { description, status, code, example, headers: more = [] }: Failure,
  errorOf: ApiDescription['errorOf'],
): Schema {
  const named = ['X-Error-Code', ...more].map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return {
    description,
    headers: { ...answerHeaders, ...Object.fromEntries(named) },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        example: errorOf(code, example),
      },
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        example: problemExample(status, code, example),
      },
    },
  };
}
