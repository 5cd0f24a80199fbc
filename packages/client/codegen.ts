import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { accessMap, apiSchemaOf, supergraphFile } from '@loyalty/gateway/supergraph/supergraph-sdl';
import { openApi } from '@loyalty/rest-adapter/openapi/openapi';
import { rows } from '@loyalty/rest-adapter/table/rows';
import {
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isUnionType,
} from 'graphql';
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';

// Writes the types of both REST APIs, of subscriptions and of errors, from the OpenAPI documents and the
// graph.
const scalars: Readonly<Record<string, string>> = {
  Int: 'number',
  Float: 'number',
  PositiveInt: 'number',
  NonNegativeInt: 'number',
  Boolean: 'boolean',
  BigInt: 'string | number',
  JSON: 'unknown',
  JSONObject: 'Readonly<Record<string, unknown>>',
};
const sdl = readFileSync(supergraphFile, 'utf8');
const schema = apiSchemaOf(sdl);
const folder = new URL('./generated/', import.meta.url);
mkdirSync(folder, { recursive: true });

for (const api of ['v1', 'v2'] as const) {
  const document = openApi(api, { rows, schema, access: accessMap(sdl) });
  const types = await openapiTypescript(JSON.stringify(document) as unknown as OpenAPI3);
  writeFileSync(new URL(`${api}.ts`, folder), astToString(types));
}

const reasons = schema.getType('ErrorReason');
if (!isEnumType(reasons)) throw new Error('The graph has no enum ErrorReason.');
const names = reasons.getValues().map(({ name }) => `  | '${name}'`);
writeFileSync(new URL('reasons.ts', folder), `export type ErrorReason =\n${names.join('\n')};\n`);

const subscriptions = Object.values(schema.getSubscriptionType()!.getFields());
const named = new Map<string, GraphQLNamedType>();
for (const field of subscriptions) visit(field);
const declared = [...named.values()].sort((a, b) => a.name.localeCompare(b.name)).map(declarationOf);
const shapes = subscriptions.map(
  ({ name, args, type }) =>
    `  readonly ${name}: { readonly args: ${argumentsOf(args)}; readonly payload: ${typeOf(type)} };`,
);
const variables = subscriptions.map(
  ({ name, args }) => `  ${name}: {${args.map((arg) => ` ${arg.name}: '${arg.type}'`).join(',')} },`,
);
writeFileSync(
  new URL('subscriptions.ts', folder),
  `${declared.join('\n')}
/** Arguments and events of each subscription. */
export interface Subscriptions {\n${shapes.join('\n')}\n}
/** Types of the arguments, as declared in a document of the graph. */
export const subscriptionArguments = {\n${variables.join('\n')}\n} as const;
`,
);

/** Collects the types of a field's result and arguments, and all types that they refer to. */
function visit({ type, args }: { type: GraphQLOutputType; args: readonly GraphQLArgument[] }): void {
  for (const one of [type, ...args.map((arg) => arg.type)].map(getNamedType)) {
    if (
      named.has(one.name) ||
      !(isObjectType(one) || isInterfaceType(one) || isUnionType(one) || isEnumType(one))
    )
      continue;
    named.set(one.name, one);
    if (isObjectType(one) || isInterfaceType(one)) for (const field of fieldsOf(one)) visit(field);
  }
}

/** Returns the fields that can be selected by their name alone. */
function fieldsOf(type: Extract<GraphQLNamedType, { getFields(): unknown }>) {
  const fields = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
  return fields.filter(({ args }) => !args.some(isRequiredArgument));
}

function declarationOf(type: GraphQLNamedType): string {
  if (isEnumType(type)) return `export type ${type.name} = ${valuesOf(type)};`;
  const possible = isUnionType(type) ? type.getTypes() : [type].filter(isObjectType);
  const name = possible.map((one) => `'${one.name}'`).join(' | ') || 'string';
  const fields = isUnionType(type) ? [] : fieldsOf(type as never);
  const lines = fields.map((field) => `  readonly ${field.name}: ${typeOf(field.type)};`);
  return `export interface ${type.name} {\n  readonly __typename: ${name};\n${lines.join('\n')}\n}`;
}

function valuesOf(type: GraphQLEnumType): string {
  return type
    .getValues()
    .map(({ name }) => `'${name}'`)
    .join(' | ');
}

function argumentsOf(args: readonly GraphQLArgument[]): string {
  const lines = args.map(
    (arg) => `readonly ${arg.name}${isRequiredArgument(arg) ? '' : '?'}: ${typeOf(arg.type)}`,
  );
  return lines.length > 0 ? `{ ${lines.join('; ')} }` : 'Readonly<Record<string, never>>';
}

/** Returns the TypeScript type of a GraphQL type in its JSON form. */
function typeOf(type: GraphQLOutputType | GraphQLArgument['type']): string {
  const nullable = getNullableType(type);
  const text = isListType(nullable) ? `readonly (${typeOf(nullable.ofType)})[]` : nameOf(getNamedType(type));
  return isNonNullType(type) ? text : `${text} | null`;
}

function nameOf({ name }: GraphQLNamedType): string {
  return named.has(name) ? name : (scalars[name] ?? 'string');
}
