import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { bareField, rootOf, type Selected, selectedOf } from './reply.ts';

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 takes it. */
export type Schema = { readonly [keyword: string]: unknown };

/** Named schemas that a document refers to, filled while its operations are described. */
export type Schemas = Map<string, Schema>;

/** What each scalar of the graph is in JSON. */
const scalarSchemas: Readonly<Record<string, Schema>> = {
  ID: { type: 'string', format: 'uuid' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  Int: { type: 'integer', format: 'int32' },
  Float: { type: 'number' },
  PositiveInt: { type: 'integer', minimum: 1 },
  NonNegativeInt: { type: 'integer', minimum: 0 },
  BigInt: {
    type: ['integer', 'string'],
    format: 'int64',
    description: 'A number while it is exact in JSON (below 2^53), text beyond.',
  },
  EmailAddress: { type: 'string', format: 'email' },
  JSON: {},
  JSONObject: { type: 'object', additionalProperties: true },
  DateTime: { type: 'string', format: 'date-time' },
  Date: { type: 'string', format: 'date' },
  URL: { type: 'string', format: 'uri' },
  TimeZone: { type: 'string', description: 'An IANA time zone, such as Europe/Lisbon.' },
  FileText: { type: 'string', description: 'The text of the file, up to 5 MiB.' },
  Currency: { type: 'string', pattern: '^[A-Z]{3}$' },
};

/** A variable or an input field as it comes in a body. */
export const inputSchema = (type: GraphQLInputType, schemas: Schemas): Schema =>
  isNonNullType(type) ? presentSchema(type.ofType, schemas) : nullable(presentSchema(type, schemas));

/** The same for places that cannot say null: paths and queries. */
export function presentSchema(type: GraphQLInputType, schemas: Schemas): Schema {
  const present = getNullableType(type);
  if (isListType(present)) return { type: 'array', items: inputSchema(present.ofType, schemas) };
  return isInputObjectType(present) ? objectInput(present, schemas) : leafSchema(getNamedType(present));
}

/** By reference: input objects may hold themselves. */
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

/** What the description of a reply goes by. */
interface Outputs {
  readonly schemas: Schemas;
  /** Fields that are absent instead of null. */
  readonly omitNull: readonly string[];
}

/** The body that `replyShaper` makes of an operation's data. */
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
  if (!reply) return objectSchema(others, 1, outputs);
  // A reply that is null is answered with 404.
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
  const schema = { ...described(named.description), ...objectSchema(fields, depth + 1, outputs) };
  return fields.some(({ key, field }) => key === 'id' && field === 'id')
    ? shared(named.name, schema, outputs.schemas)
    : schema;
}

/** Fields beyond the documented ones may be added at any time, so they are not excluded. */
function objectSchema(
  fields: readonly (Selected & { readonly depth?: number })[],
  depth: number,
  outputs: Outputs,
): Schema {
  const isOmitted = ({ key }: Selected) => outputs.omitNull.includes(key);
  const properties = fields.map((field) => {
    const at = field.depth ?? depth;
    const schema = isOmitted(field)
      ? presentOutput(getNullableType(field.type), field.selections, at, outputs)
      : outputSchema(field.type, field.selections, at, outputs);
    return [field.key, { ...schema, ...described(field.description) }];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: fields.filter((field) => !isOmitted(field)).map(({ key }) => key),
  };
}

/** The first shape of a type that shows its id goes by the type's name; others stand where they are used. */
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
  const meanings = values
    .filter(({ description }) => description)
    .map(({ name, description }) => `${name.toLowerCase()}: ${description}`);
  const description = [type.description, ...meanings].filter(Boolean).join('\n');
  return { type: 'string', enum: values.map(({ name }) => name.toLowerCase()), ...described(description) };
}

function nullable(schema: Schema): Schema {
  const { type, enum: values } = schema;
  if ('$ref' in schema) return { anyOf: [schema, { type: 'null' }] };
  if (type === undefined) return schema;
  return {
    ...schema,
    type: [type, 'null'].flat(),
    ...(Array.isArray(values) && { enum: [...values, null] }),
  };
}

const described = (description: string | null | undefined): Schema => (description ? { description } : {});
