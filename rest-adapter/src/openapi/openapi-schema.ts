import type { ErrorReason } from '@loyalty/platform/base/error-reasons';
import { INT32_MAX } from '@loyalty/platform/graph/scalars';
import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  GraphQLNonNull,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { answerOf, bareField, hasCodeValues, rootOf, type Selected, selectedOf } from '../reply.ts';

/** A JSON Schema of draft 2020-12, which OpenAPI 3.1 uses. */
export type Schema = { readonly [keyword: string]: unknown };

/** Named schemas that a document refers to. They are added while its operations are described. */
export type Schemas = Map<string, Schema>;

/** A whole number of 32 bits, as in GraphQL and PostgreSQL. */
const int32 = (minimum: number): Schema => ({
  type: 'integer',
  format: 'int32',
  minimum,
  maximum: INT32_MAX,
});

/** The JSON Schema of each scalar of the graph. */
const scalarSchemas: Readonly<Record<string, Schema>> = {
  ID: { type: 'string', format: 'uuid' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  Int: int32(-INT32_MAX - 1),
  Float: { type: 'number' },
  PositiveInt: int32(1),
  NonNegativeInt: int32(0),
  BigInt: {
    type: ['integer', 'string'],
    format: 'int64',
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    pattern: '^-?[0-9]{1,19}$',
    description: 'A number below 2^53, where JSON is exact; text above.',
  },
  EmailAddress: { type: 'string', format: 'email' },
  JSON: {},
  JSONObject: { type: 'object', additionalProperties: true },
  DateTime: { type: 'string', format: 'date-time' },
  Date: { type: 'string', format: 'date' },
  URL: { type: 'string', format: 'uri' },
  TimeZone: { type: 'string', description: 'An IANA time zone, such as Europe/Lisbon.' },
  FileText: {
    type: 'string',
    description:
      'The text of the file, up to 5 MiB. A date without a time is the start of that day in the ' +
      "workspace's time zone; a time without an offset is UTC.",
  },
  Currency: { type: 'string', pattern: '^[A-Z]{3}$' },
};

/** Returns the schema of a variable or an input field in a body. */
export const inputSchema = (type: GraphQLInputType, schemas: Schemas): Schema =>
  isNonNullType(type) ? presentSchema(type.ofType, schemas) : nullable(presentSchema(type, schemas));

/** Returns the same schema for a path or a query, which cannot contain null. */
export function presentSchema(type: GraphQLInputType, schemas: Schemas): Schema {
  const present = getNullableType(type);
  if (isListType(present)) return { type: 'array', items: inputSchema(present.ofType, schemas) };
  return isInputObjectType(present) ? objectInput(present, schemas) : leafSchema(getNamedType(present));
}

/** Returns a reference, because an input object may contain itself. */
function objectInput(type: GraphQLInputObjectType, schemas: Schemas): Schema {
  if (!schemas.has(type.name)) {
    schemas.set(type.name, {});
    const fields = Object.values(type.getFields());
    const properties = fields.map((field) => [
      field.name,
      { ...inputSchema(field.type, schemas), ...described(field.description) },
    ]);
    schemas.set(type.name, {
      type: 'object',
      ...described(type.description),
      properties: Object.fromEntries(properties),
      required: fields
        .filter((field) => isNonNullType(field.type) && field.defaultValue === undefined)
        .map(({ name }) => name),
      additionalProperties: false,
    });
  }
  return reference(type.name);
}

/** Settings for describing a reply. */
interface Outputs {
  readonly schemas: Schemas;
  /** Fields that are left out instead of being null. */
  readonly omitNull: readonly string[];
}

/** Returns the schema of the body that `replyShaper` creates from the data of an operation. */
export function replySchema(
  operation: OperationDefinitionNode,
  schema: GraphQLSchema,
  schemas: Schemas,
  omitNull: readonly string[] = [],
): Schema {
  const outputs = { schemas, omitNull };
  const fields = selectedOf(rootOf(operation, schema), operation.selectionSet);
  const reply = fields.find(({ key }) => key === 'reply');
  const others = fields.filter((field) => field !== reply);
  if (!reply) {
    const [, ...rest] = others;
    const answer = answerOf(others);
    // The answer is 404 if this field is null, so the schema has no null.
    const type = new GraphQLNonNull(getNullableType(answer.type));
    return objectSchema([{ ...answer, type, isOperation: true }, ...rest], 1, outputs);
  }
  // The answer is 404 if the reply is null, so the schema has no null.
  const type = getNullableType(reply.type);
  if (others.length === 0 || isListType(type)) return presentOutput(type, reply.selections, 1, outputs);
  return objectSchema(
    [...selectedOf(type, reply.selections!).map((field) => ({ ...field, depth: 2 })), ...others],
    1,
    outputs,
  );
}

const outputSchema = (
  type: GraphQLOutputType,
  selections: SelectionSetNode | undefined,
  depth: number,
  outputs: Outputs,
): Schema =>
  isNonNullType(type)
    ? presentOutput(type.ofType, selections, depth, outputs)
    : nullable(presentOutput(type, selections, depth, outputs));

function presentOutput(
  type: GraphQLOutputType,
  selections: SelectionSetNode | undefined,
  depth: number,
  outputs: Outputs,
): Schema {
  if (isListType(type))
    return { type: 'array', items: outputSchema(type.ofType, selections, depth, outputs) };
  const named = getNamedType(type);
  if (!selections) return leafSchema(named);
  const fields = selectedOf(type, selections);
  const bare = bareField(fields, depth);
  if (bare) return outputSchema(bare.type, bare.selections, depth + 1, outputs);
  const schema = objectSchema(fields, depth + 1, outputs);
  const hasId = isObjectType(named) && 'id' in named.getFields();
  const about = described(named.description);
  if (fields.some(({ key, field }) => key === 'id' && field === 'id'))
    return shared(named.name, { ...about, ...schema }, outputs.schemas);
  // Without its id, an object is described only by its field, not by its type: the points of an order are not
  // an order.
  return hasId ? schema : { ...about, ...schema };
}

/** Fields that represent their whole object. The description of the object's own field fits them. */
const WHOLE_OBJECT_FIELDS = ['id', 'nodes', 'amountMinor'];

/**
 * Returns the graph's description of a field. If one nested field replaces the object, the description of the
 * nested field is returned, unless the nested field represents the whole object.
 */
function ownDescription(
  field: Selected & { readonly isOperation?: boolean },
  beside: readonly Selected[],
  depth: number,
): string | null {
  // In the graph, the description of this field describes the operation, not its value.
  if (field.isOperation)
    return getNamedType(field.type).name === 'Boolean' ? 'True: it is done.' : 'What the call returns.';
  const bare = field.selections && bareField(selectedOf(field.type, field.selections), depth);
  if (!bare) return field.description;
  const isOneOfParts = beside.some((other) => other !== field && other.field === field.field);
  if (WHOLE_OBJECT_FIELDS.includes(bare.field) && !isOneOfParts) return field.description;
  return ownDescription(bare, [bare], depth + 1);
}

/** New fields may be added at any time, so unknown fields are allowed. */
function objectSchema(
  fields: readonly (Selected & { readonly depth?: number; readonly isOperation?: boolean })[],
  depth: number,
  outputs: Outputs,
): Schema {
  const isOmitted = ({ key }: Selected) => outputs.omitNull.includes(key);
  const properties = fields.map((field) => {
    const at = field.depth ?? depth;
    const schema = isOmitted(field)
      ? presentOutput(getNullableType(field.type), field.selections, at, outputs)
      : outputSchema(field.type, field.selections, at, outputs);
    return [field.key, { ...schema, ...described(ownDescription(field, fields, at)) }];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: fields.filter((field) => !isOmitted(field)).map(({ key }) => key),
  };
}

/**
 * Shares the first selection of a type with its id as a named schema. Different selections of the same type
 * are written in place.
 */
function shared(name: string, schema: Schema, schemas: Schemas): Schema {
  const known = schemas.get(name);
  if (known && JSON.stringify(known) !== JSON.stringify(schema)) return schema;
  schemas.set(name, schema);
  return reference(name);
}

const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

function leafSchema(type: GraphQLNamedType): Schema {
  if (!isEnumType(type)) return scalarSchemas[type.name] ?? {};
  const values = type.getValues();
  const written = (name: string) => (hasCodeValues(type) ? name : name.toLowerCase());
  const meanings = values
    .filter(({ description }) => description)
    .map(({ name, description }) => `${written(name)}: ${description}`);
  const description = [type.description, ...meanings].filter(Boolean).join('\n');
  return { type: 'string', enum: values.map(({ name }) => written(name)), ...described(description) };
}

function nullable(schema: Schema): Schema {
  const { type, enum: values } = schema;
  if ('$ref' in schema) return { anyOf: [schema, { type: 'null' }] };
  if (type === undefined) return schema;
  return {
    ...schema,
    type: [...new Set([type, 'null'].flat())],
    ...(Array.isArray(values) && { enum: [...new Set([...values, null])] }),
  };
}

const described = (description: string | null | undefined): Schema => (description ? { description } : {});

/** An error that an API may answer with. */
export interface Failure {
  readonly description: string;
  readonly status: number;
  /** An example of X-Error-Code. */
  readonly code: ErrorReason;
  /** An example of the error sentence. */
  readonly example: string;
  /** Additional headers of the error. */
  readonly headers?: readonly string[];
}

/** The parts of the document of one API that do not come from its rows. */
export interface ApiDescription {
  readonly info: Schema;
  readonly securitySchemes: Readonly<Record<string, Schema>>;
  readonly errorSchema: Schema;
  /** Returns the body of an error. */
  readonly errorOf: (code: string, sentence: string) => unknown;
  /** The errors, by the names with which operations refer to them. */
  readonly failures: Readonly<Record<string, Failure>>;
}
