import { choicesOf } from '../table/choice.ts';
import type { Row } from '../table/row.ts';
import { type DescribedRow, type DescriptionContext, describeRow } from './openapi-operation.ts';
import type { Schema } from './openapi-schema.ts';

type Choices = ReturnType<typeof choicesOf>;
type Media = { readonly schema: Schema; readonly example?: unknown };

/**
 * Describes the rows of one method and path as one OpenAPI operation with alternative bodies and answers. It
 * has the name of the row without a condition, otherwise that of the first row.
 */
export function describeChoice(rows: readonly [Row, ...Row[]], context: DescriptionContext): Schema {
  const choices = choicesOf(rows);
  const described = rows.map((row) => ({ row, ...describeRow(row, context) }));
  const main = described.find(({ row }) => !row.when && !row.about) ?? described[0]!;
  const { row: _, ...alone } = main;
  if (rows.length === 1 && Object.keys(choices).length === 0) return alone;
  const others = described.filter((one) => one !== main);
  const scopes = distinct(described.flatMap((one) => one['x-required-scopes'] ?? []));
  const body = main.row.method === 'GET' ? {} : { requestBody: bodyOf(described, choices) };
  return {
    ...alone,
    description: [main.description, ...others.map(sentencesOf)].join('\n\n'),
    ...(scopes.length > 0 && { 'x-required-scopes': scopes }),
    'x-error-codes': distinct(described.flatMap((one) => one['x-error-codes'])).sort(),
    parameters: [
      ...mergedParameters(described),
      ...(main.row.method === 'GET' ? selectorParameters(choices) : []),
    ],
    ...body,
    responses: responsesOf(described),
  };
}

type OneOfMany = DescribedRow & { readonly row: Row };

/**
 * Lists equal parameters once, with the description of the first row that has it. A parameter is required if
 * every row requires it.
 */
function mergedParameters(described: readonly OneOfMany[]): Schema[] {
  const isRequired = ({ name }: Schema) =>
    described.every(({ parameters }) => parameters.some((one) => one['name'] === name && one['required']));
  const merged = new Map<string, Schema>();
  for (const one of described.flatMap(({ parameters }) => parameters)) {
    const key = JSON.stringify({ ...one, description: undefined, required: undefined });
    if (!merged.has(key)) merged.set(key, 'name' in one ? { ...one, required: isRequired(one) } : one);
  }
  return [...merged.values()];
}

const sentencesOf = ({ row, description }: OneOfMany): string => {
  const { when, about = {} } = row;
  const named = when ? [] : Object.keys(about).map((name) => `\`${name}\``);
  const chosen = Object.entries(when ?? {}).map(([name, value]) => `\`${name}: ${value}\``);
  const conditions = [...chosen, ...named];
  return `With ${conditions.join(' and ')}: ${description}`;
};

const selectorParameters = (choices: Choices): Schema[] =>
  Object.entries(choices).map(([name, values]) => ({
    name,
    in: 'query',
    required: false,
    description: `Chooses what is read: ${values.join(', ')}. Absent for the plain answer.`,
    schema: { type: 'string', enum: values },
  }));

function bodyOf(described: readonly OneOfMany[], choices: Choices): Schema {
  const bodies = described.map((one) => {
    const { schema = { type: 'object' }, example } = mediaOf(one.requestBody);
    return { name: one.operationId, schema: withSelectors(schema, one.row, choices), example };
  });
  return { required: true, content: { 'application/json': alternatives(bodies) } };
}

/**
 * Adds the fields that choose the row to a schema. A row with `when` requires them. In the row without
 * `when`, a boolean field is false or absent.
 */
function withSelectors(schema: Schema, { when }: Row, choices: Choices): Schema {
  const { properties = {}, required = [] } = schema as { properties?: Schema; required?: string[] };
  const others = Object.keys(choices).filter((name) => typeof choices[name]![0] === 'boolean');
  const chosen = when
    ? Object.entries(when).map(([name, value]) => [
        name,
        { const: value, description: `Chooses what is done: ${wordsOf(String(value))}.` },
      ])
    : others.map((name) => [name, { const: false, description: 'Only a preview: nothing is changed.' }]);
  return {
    ...schema,
    properties: { ...properties, ...Object.fromEntries(chosen) },
    required: [...required, ...Object.keys(when ?? {})],
  };
}

/** `schedule_create` → `schedule create`. */
const wordsOf = (value: string): string => value.replaceAll('_', ' ');

/** Returns the responses by status. Answers with the same schema are listed once. */
function responsesOf(described: readonly OneOfMany[]): Schema {
  const merged: Record<string, Schema> = {};
  const statuses = [...new Set(described.flatMap(({ responses }) => Object.keys(responses)))].sort();
  for (const status of statuses) {
    const answering = described.filter(({ responses }) => responses[status]);
    const answer = answering[0]!.responses[status]!;
    const answers = answering.map((one) => ({
      name: one.operationId,
      schema: mediaOf(one.responses[status]).schema ?? {},
      example: mediaOf(one.responses[status]).example,
    }));
    merged[status] =
      '$ref' in answer ? answer : { ...answer, content: { 'application/json': alternatives(answers) } };
  }
  return merged;
}

interface Alternative {
  readonly name: string;
  readonly schema: Schema;
  readonly example: unknown;
}

/** Uses `anyOf`, because a value may fit several of the schemas. */
function alternatives(all: readonly Alternative[]): Schema {
  const schemas = distinct(all.map(({ schema }) => schema));
  const named = all.filter(({ example }) => example !== undefined);
  return {
    schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
    examples: Object.fromEntries(named.map(({ name, example }) => [name, { value: example }])),
  };
}

const mediaOf = (part: Schema | undefined): Partial<Media> =>
  (part?.['content'] as Record<string, Media> | undefined)?.['application/json'] ?? {};

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
