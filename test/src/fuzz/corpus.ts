import { rows } from '@loyalty/rest-adapter/table/rows';
import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getIntrospectionQuery,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  parse,
  validate,
} from 'graphql';

/** The most fields of a selection; an operation with all fields would be refused because of its size. */
const FIELDS_MAX = 6;
const DEPTH_MAX = 3;

/**
 * Valid operations: every document of REST, one operation for each root field of the graph, and introspection
 * queries.
 */
export function corpusOf(schema: GraphQLSchema): readonly string[] {
  const roots = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
    ['subscription', schema.getSubscriptionType()],
  ] as const;
  const generated = roots.flatMap(([keyword, type]) =>
    Object.values(type?.getFields() ?? {}).map((field) => operationOf(keyword, field, schema)),
  );
  const documents = [
    ...new Set(rows.map(({ document }) => document)),
    ...generated,
    getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true, specifiedByUrl: true }),
    '{ __type(name: "Member") { isOneOf name } }',
    'query ($name: String!) { __typename __type(name: $name) { inputFields { name isDeprecated } } viewer { workspace { id } } }',
  ];
  for (const document of documents) {
    const [fault] = validate(schema, parse(document));
    if (fault) throw new Error(`${fault.message} in ${document}`);
  }
  return documents;
}

function operationOf(keyword: string, field: GraphQLField<unknown, unknown>, schema: GraphQLSchema): string {
  const variables = field.args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const given = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
  const selection = selectionOf(getNamedType(field.type).name, schema, 1);
  return `${keyword} Asked${variables && `(${variables})`} { ${field.name}${given && `(${given})`} ${selection} }`;
}

function selectionOf(typeName: string, schema: GraphQLSchema, depth: number): string {
  const type = schema.getType(typeName);
  if (!isCompositeType(type)) return '';
  if (isAbstractType(type)) {
    const inner = schema
      .getPossibleTypes(type)
      .map(({ name }) => `... on ${name} ${selectionOf(name, schema, depth + 1)}`);
    return `{ __typename ${inner.join(' ')} }`;
  }
  const fields = Object.values(type.getFields())
    .filter(({ args }) => !args.some((arg) => isNonNullType(arg.type) && arg.defaultValue === undefined))
    .filter((field) => depth < DEPTH_MAX || !isCompositeType(getNamedType(field.type)))
    .slice(0, FIELDS_MAX)
    .map((field) => `${field.name} ${selectionOf(getNamedType(field.type).name, schema, depth + 1)}`);
  return `{ __typename ${fields.join(' ')} }`;
}

/** A value that fits the type. */
export function fittingValue(type: GraphQLInputType, depth = 0): unknown {
  if (isNonNullType(type)) return fittingValue(type.ofType, depth);
  if (isListType(type)) return depth > DEPTH_MAX ? [] : [fittingValue(type.ofType, depth + 1)];
  if (isEnumType(type)) return type.getValues()[0]!.name;
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter((field) => isNonNullType(field.type) || depth < 2);
    const chosen = type.isOneOf ? fields.slice(0, 1) : fields;
    return Object.fromEntries(chosen.map((field) => [field.name, fittingValue(field.type, depth + 1)]));
  }
  return values[type.name] ?? 1;
}

const values: Readonly<Record<string, unknown>> = {
  ID: '0198c0de-0000-7000-8000-000000000001',
  String: 'text',
  Boolean: true,
  Float: 1.5,
  DateTime: '2026-03-02T10:00:00Z',
  Date: '2026-03-02',
  EmailAddress: 'ada@example.com',
  JSONObject: { size: 'L' },
  URL: 'https://example.com/',
  TimeZone: 'Europe/Lisbon',
  Currency: 'EUR',
  FileText: 'email,name\n',
  Base64: 'YQ==',
};
