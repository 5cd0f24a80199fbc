import { apiOf } from '@loyalty/platform/http/api';
import type { Access, AccessMap } from '@loyalty/platform/identity/access';
import { type GraphQLSchema, getNamedType, isEnumType, isNonNullType } from 'graphql';
import { placeOf, prefixOf } from '../input.ts';
import { rootOf, selectedOf } from '../reply.ts';
import type { Example } from '../rows/example.ts';
import { deprecationSentence } from '../table/deprecation.ts';
import { endpointOf } from '../table/endpoint.ts';
import type { Row } from '../table/row.ts';
import { accessesOf, scopesOf } from '../table/row-access.ts';
import type { Parameter, RowOperation } from '../table/row-operation.ts';
import { codesOf, errorsOf } from './openapi-errors.ts';
import { inputSchema, presentSchema, replySchema, type Schema, type Schemas } from './openapi-schema.ts';

/** What is needed to describe a row. */
export interface DescriptionContext {
  readonly schema: GraphQLSchema;
  readonly access: AccessMap;
  readonly examples: Readonly<Record<string, Example>>;
  /** Named schemas. `describeRow` adds the schemas that the row uses. */
  readonly schemas: Schemas;
}

/** A row as an OpenAPI operation. */
export interface DescribedRow {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly deprecated?: boolean;
  /** The day on which a deprecated operation is removed. */
  readonly 'x-sunset'?: string;
  readonly security: readonly Schema[];
  readonly 'x-required-scopes'?: readonly (readonly string[])[];
  /** Every code that X-Error-Code can have. */
  readonly 'x-error-codes': readonly string[];
  readonly parameters: readonly Schema[];
  readonly requestBody?: Schema;
  readonly responses: Readonly<Record<string, Schema>>;
}

/** Describes one row as an OpenAPI operation, with the descriptions of the graph. */
export function describeRow(
  row: Row,
  { schema, access, examples, schemas }: DescriptionContext,
): DescribedRow {
  const { operation } = endpointOf(row, { schema, access });
  const accesses = accessesOf(operation, access);
  const example = examples[operation.name];
  const text = example?.about ?? textOf(operation, schema);
  const scopes = scopesOf(accesses);
  const body = bodyOf(row, operation, schemas, example);
  const answer = {
    headers: row.method === 'GET' ? answerHeaders : { ...answerHeaders, ...replayHeader },
    content: row.download
      ? { 'text/csv': { schema: { type: 'string' }, example: example?.reply } }
      : json(replySchema(operation.definition, schema, schemas, row.omitNull), example?.reply),
  };
  return {
    operationId: operation.name,
    tags: [tagOf(row.path)],
    summary: text.split(/(?<=[.;:])\s/, 1)[0]!.replace(/[.;:]$/, ''),
    description: [
      text,
      ...accessSentences(accesses, scopes),
      ...(row.deprecated ? [deprecationSentence(row.deprecated)] : []),
    ].join(' '),
    ...(row.deprecated && { deprecated: true, 'x-sunset': row.deprecated.sunset }),
    security: securityOf(row, accesses),
    ...(scopes.length > 0 && { 'x-required-scopes': scopes }),
    'x-error-codes': codesOf(row, operation, accesses),
    parameters: parametersOf(row, operation, schemas),
    ...(body && { requestBody: body }),
    responses: {
      [row.status ?? 200]: { description: 'Done.', ...answer },
      ...(row.isBatch && {
        207: { description: 'Some items failed; `results` says which and why.', ...answer },
      }),
      ...errorsOf(row, operation, schema),
    },
  };
}

/** Returns the first noun of the path: `/api/v2/members/{id}/points` belongs to members. */
export const tagOf = (path: string): string =>
  path.replace(/^\/api\/(v\d+\/|(member|app)\/(?=[^:]))?/, '').split('/', 1)[0]!;

/**
 * Returns the graph's description of the field, without clauses about null, because REST answers 404 instead.
 */
export function textOf({ definition }: RowOperation, schema: GraphQLSchema): string {
  const fields = selectedOf(rootOf(definition, schema), definition.selectionSet);
  const { description, field } = fields.find(({ key }) => key === 'reply') ?? fields[0]!;
  return (description ?? field)
    .replace(/;? null (when|where|unless|for)\b[^.;]*/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function accessSentences(accesses: readonly Access[], scopes: readonly (readonly string[])[]): string[] {
  const roles = accesses.flatMap(({ role }) =>
    role ? [`A user needs the role ${role.toLowerCase()} or a higher one.`] : [],
  );
  const modules = accesses.flatMap(({ module }) =>
    module ? [`The module ${module} must be enabled in the workspace.`] : [],
  );
  return [
    ...(scopes.length > 0
      ? [`A key needs the scope ${scopes.map((all) => all.join(' and ')).join(', or ')}.`]
      : []),
    ...new Set([...roles, ...modules]),
    ...(accesses.some(({ liveOnly }) => liveOnly) ? ['Refused in test mode.'] : []),
    ...(accesses.some(({ callers }) => isOnly(callers, 'member')) ? ['Only with a member session.'] : []),
    ...(accesses.some(({ callers }) => isOnly(callers, 'user'))
      ? ['Only with the token of a signed-in user.']
      : []),
  ];
}

const isOnly = (callers: readonly string[], kind: string): boolean =>
  callers.includes(kind) && !callers.some((caller) => !['system', kind].includes(caller));

/**
 * Returns the possible credentials. In v2, a key may also be sent as X-API-Key. An empty requirement allows
 * anonymous callers.
 */
function securityOf({ path }: Row, accesses: readonly Access[]): Schema[] {
  const isOpenTo = (kind: string) => accesses.every(({ callers }) => callers.includes(kind));
  return [
    ...(isOpenTo('anonymous') ? [{}] : []),
    { bearer: [] },
    ...(isOpenTo('key') && apiOf(path) === 'v2' ? [{ apiKey: [] }] : []),
  ];
}

function parametersOf(row: Row, { parameters }: RowOperation, schemas: Schemas): Schema[] {
  const isIdempotent = row.method === 'POST';
  return [
    ...parameters.flatMap((parameter) => {
      const place = placeOf(row, parameter.name);
      if (place === 'body') return [];
      const prefix = prefixOf(row, parameter.name);
      if (prefix !== null) return [gatheredParameter(prefix, parameter)];
      return [
        {
          name: parameter.name,
          in: place,
          required: place === 'path' || isRequired(parameter),
          ...described(parameter),
          schema: {
            ...presentSchema(parameter.type, schemas),
            ...boundsOf(parameter),
            ...defaultOf(parameter),
          },
        },
      ];
    }),
    ...(isIdempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ];
}

/**
 * Describes query parameters with a common prefix as one object. Each property of the object is sent as one
 * parameter.
 */
const gatheredParameter = (prefix: string, { name, description }: Parameter): Schema => ({
  name,
  in: 'query',
  required: false,
  style: 'form',
  explode: true,
  description: `One parameter per field, such as \`${prefix}status=open\`. ${description ?? ''}`.trim(),
  schema: {
    type: 'object',
    propertyNames: { pattern: `^${prefix}.` },
    additionalProperties: { type: 'string' },
  },
  example: { [`${prefix}status`]: 'open' },
});

export const isRequired = ({ type, defaultValue }: Parameter): boolean =>
  isNonNullType(type) && defaultValue === undefined;

/**
 * Returns the bounds of the paging parameters. All lists of the graph are paged with `first` and `offset`.
 */
export function boundsOf({ argument, description }: Parameter): Schema {
  const last = argument?.split('.').at(-1);
  if (last === 'first') return { minimum: 1, maximum: pageSizeMax(description) };
  return last === 'offset' ? { minimum: 0, maximum: 10_000_000 } : {};
}

/** Returns the maximum page size: 200 rows, unless the description in the graph says otherwise. */
function pageSizeMax(description: string | null): number {
  const [, most] = description?.match(/at most ([\d,]+)/) ?? [];
  return most ? Number(most.replaceAll(',', '')) : 200;
}

const PAGE_DESCRIPTIONS: Readonly<Record<string, string>> = {
  first: 'Rows of a page.',
  offset: 'Rows to skip.',
};

export function described({ argument, description }: Parameter): Schema {
  const text = PAGE_DESCRIPTIONS[argument?.split('.').at(-1) ?? ''] ?? description;
  return text ? { description: text } : {};
}

export function defaultOf({ type, defaultValue }: Parameter): Schema {
  if (defaultValue === undefined) return {};
  return { default: isEnumType(getNamedType(type)) ? String(defaultValue).toLowerCase() : defaultValue };
}

function bodyOf(
  row: Row,
  { parameters }: RowOperation,
  schemas: Schemas,
  example: Example | undefined,
): Schema | null {
  const fields = parameters.filter(({ name }) => placeOf(row, name) === 'body');
  if (fields.length === 0) return null;
  const properties: Record<string, Schema> = {};
  for (const field of fields) {
    properties[field.name] = {
      ...inputSchema(field.type, schemas),
      ...boundsOf(field),
      ...defaultOf(field),
      ...described(field),
    };
  }
  if (row.fileField) Object.assign(properties, fileProperties(row.fileField));
  const required = fields.filter(isRequired).map(({ name }) => name);
  const spellings = Object.entries(row.also ?? {}).filter(([, meant]) => Object.hasOwn(properties, meant));
  for (const [spelling, meant] of spellings)
    properties[spelling] = { ...properties[meant], description: `Another spelling of ${meant}.` };
  const respelled = spellings.map(([, meant]) => meant);
  const either = required
    .filter((name) => respelled.includes(name))
    .map((name) => ({
      anyOf: [name, ...spellings.filter(([, meant]) => meant === name).map(([spelling]) => spelling)].map(
        (one) => ({ required: [one] }),
      ),
    }));
  const schema = {
    type: 'object',
    properties,
    required: required.filter((name) => !respelled.includes(name)),
    ...(either.length > 0 && { allOf: either }),
    additionalProperties: false,
  };
  const files = row.fileField ? fileTypes(example?.body) : {};
  return { required: required.length > 0, content: { ...json(schema, example?.body), ...files } };
}

const dates =
  "A date without a time is the start of that day in the workspace's time zone; " +
  'a time without an offset is UTC.';

/** Describes a file in a JSON body: its text, or its rows with the format json. */
const fileProperties = (rowsField: string): Schema => ({
  format: { type: 'string', enum: ['csv', 'json', 'ndjson'], description: 'How the file is written.' },
  content: { type: 'string', description: `The text of the file; for json, an array of rows. ${dates}` },
  [rowsField]: {
    type: 'array',
    items: { type: 'object' },
    description: `Rows, in place of content; both together are refused. ${dates}`,
  },
});

/** Describes a body that is the file itself. The examples contain the rows of the JSON example. */
function fileTypes(body: unknown): Schema {
  const found = Object.values((body ?? {}) as Record<string, unknown>).find((value) => Array.isArray(value));
  const rows = (found ?? [{ email: 'ada@example.com', fullName: 'Ada Lovelace' }]) as Readonly<
    Record<string, unknown>
  >[];
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const csv = [names, ...rows.map((row) => names.map((name) => row[name] ?? ''))];
  const file = (lines: readonly string[]): Schema => ({
    schema: { type: 'string' },
    example: lines.join('\n'),
  });
  return {
    'text/csv': file(csv.map((cells) => cells.join(','))),
    'application/x-ndjson': file(rows.map((row) => JSON.stringify(row))),
  };
}

/** Header of the answer to a write that was not done again because of its Idempotency-Key. */
const replayHeader: Schema = {
  'Idempotent-Replayed': { $ref: '#/components/headers/Idempotent-Replayed' },
};

/** Headers of every answer that counts against the rate limit. */
export const answerHeaders: Schema = Object.fromEntries(
  ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'].map((name) => [
    name,
    { $ref: `#/components/headers/${name}` },
  ]),
);

const json = (schema: Schema, example: unknown): Schema => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
});
