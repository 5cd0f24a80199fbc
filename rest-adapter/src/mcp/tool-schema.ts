import type { GraphQLSchema } from 'graphql';
import { placeOf, prefixOf } from '../input.ts';
import { boundsOf, defaultOf, described, isRequired } from '../openapi/openapi-operation.ts';
import {
  inputSchema,
  presentSchema,
  replySchema,
  type Schema,
  type Schemas,
} from '../openapi/openapi-schema.ts';
import type { Endpoint } from '../table/endpoint.ts';
import type { Row } from '../table/row.ts';
import type { Parameter } from '../table/row-operation.ts';

/** The argument that makes a call safe to repeat. In REST it is a header. */
export const IDEMPOTENCY_KEY = 'idempotencyKey';
/** The argument with which a call waits until the work that it reads has ended. */
export const WAIT = 'wait';

const idempotencyKey: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description: 'Your own name for this call. The same call within 24 hours gets the first answer.',
};

const wait: Schema = {
  type: 'boolean',
  default: false,
  description: 'Answers when it has ended, at most after five minutes. Progress is reported meanwhile.',
};

/** Returns whether a tool accepts `idempotencyKey`: its row is a POST and has no such field of its own. */
export const takesKey = ({ row, operation }: Endpoint): boolean =>
  row.method === 'POST' && !operation.parameters.some(({ name }) => /^idempotency_?key$/i.test(name));

/** Returns the JSON Schema of a tool's arguments. It contains all schemas that it refers to. */
export function toolInput(endpoint: Endpoint): Schema {
  const { row, operation } = endpoint;
  const schemas: Schemas = new Map();
  const properties = operation.parameters.map((parameter) => [
    parameter.name,
    argumentSchema(row, parameter, schemas),
  ]);
  const required = operation.parameters
    .filter((parameter) => placeOf(row, parameter.name) === 'path' || isRequired(parameter))
    .map(({ name }) => name);
  return complete(
    {
      type: 'object',
      properties: {
        ...Object.fromEntries(properties),
        ...(takesKey(endpoint) && { [IDEMPOTENCY_KEY]: idempotencyKey }),
        ...(row.tool?.waits && { [WAIT]: wait }),
      },
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
    schemas,
  );
}

function argumentSchema(row: Row, parameter: Parameter, schemas: Schemas): Schema {
  const about = described(parameter);
  if (prefixOf(row, parameter.name) !== null)
    return { type: 'object', additionalProperties: { type: 'string' }, ...about };
  const isInBody = placeOf(row, parameter.name) === 'body';
  return {
    ...(isInBody ? inputSchema(parameter.type, schemas) : presentSchema(parameter.type, schemas)),
    ...boundsOf(parameter),
    ...defaultOf(parameter),
    ...about,
  };
}

/** Returns the JSON Schema of a tool's reply. */
export function toolOutput({ row, operation }: Endpoint, schema: GraphQLSchema): Schema {
  const schemas: Schemas = new Map();
  return complete(replySchema(operation.definition, schema, schemas, row.omitNull), schemas);
}

/**
 * Adds the named schemas that a schema refers to. A schema that is only a reference is replaced by its
 * target.
 */
function complete(schema: Schema, schemas: Schemas): Schema {
  const name = String(schema['$ref'] ?? '')
    .split('/')
    .at(-1)!;
  const whole = { ...(schemas.get(name) ?? schema), ...definitions(schemas) };
  return JSON.parse(JSON.stringify(whole).replaceAll('#/components/schemas/', '#/$defs/')) as Schema;
}

const definitions = (schemas: Schemas): Schema =>
  schemas.size > 0 ? { $defs: Object.fromEntries(schemas) } : {};
