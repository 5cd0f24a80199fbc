import { AppError } from '@loyalty/platform/base/errors';
import { memoize } from '@loyalty/platform/base/memoize';
import type { AccessMap } from '@loyalty/platform/identity/access';
import type { FastifyRequest } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import { appErrorOf } from '../errors.ts';
import type { GraphClient, GraphReply } from '../graph-client.ts';
import { missing, type Received } from '../input.ts';
import { answerOf, replyShaper, rootOf, selectedOf } from '../reply.ts';
import type { Row } from './row.ts';
import { accessesOf, rowRefusal } from './row-access.ts';
import { type RowOperation, readOperation } from './row-operation.ts';

/** A row with everything that is needed to serve it. */
export interface Endpoint {
  readonly row: Row;
  readonly operation: RowOperation;
  /** Key of a root field. If its value is null, the answer is 404. */
  readonly answer: string;
  readonly shape: (data: Record<string, unknown>) => unknown;
  /** Returns the error if the caller may not use the row, otherwise null. */
  readonly refusal: (request: FastifyRequest) => AppError | null;
}

/** The schema and the access rules that apply to rows. */
export interface RowContext {
  /** The schema that clients of the graph see, with scalars that check values. */
  readonly schema: GraphQLSchema;
  readonly access: AccessMap;
}

/** @throws Error at start for a row that cannot be served */
export const endpointOf = (row: Row, { schema, access }: RowContext): Endpoint =>
  endpointOnce(row, schema, access);

const endpointOnce = memoize((row: Row, schema: GraphQLSchema, access: AccessMap): Endpoint => {
  const operation = readOperation(row.document, schema);
  const accesses = accessesOf(operation, access);
  return {
    row,
    operation,
    answer: answerOf(selectedOf(rootOf(operation.definition, schema), operation.definition.selectionSet)).key,
    shape: replyShaper(operation.definition, schema, row.omitNull),
    refusal: (request) => rowRefusal(request, accesses),
  };
});

/** Runs the operation of a row. The first error of the graph gets the documented names of fields. */
export async function execute(
  { row, operation }: Endpoint,
  variables: Record<string, unknown>,
  graph: GraphClient,
  request: FastifyRequest,
): Promise<Pick<GraphReply, 'data' | 'headers'> & { readonly error: AppError | undefined }> {
  const asked = { query: row.document, operationName: operation.name, variables };
  const { errors, ...answer } = await graph.execute(asked, request);
  return { ...answer, error: errors?.[0] && appErrorOf(errors[0], operation, row.prefixed) };
}

/**
 * Returns the documented body.
 *
 * @param ids - the ids of the request; an error names the last of them
 * @throws AppError 404 if the graph found nothing
 */
export function bodyOf(
  { row, answer, shape }: Endpoint,
  data: GraphReply['data'],
  ids: Received['params'],
): unknown {
  if (data?.[answer] === null) throw absent(row, ids);
  return shape(data ?? {});
}

/** Returns the ids in the query or the body that say what a request is about. */
export const aboutOf = (
  { about = {} }: Row,
  variables: Readonly<Record<string, unknown>>,
): Received['params'] =>
  Object.fromEntries(Object.keys(about).map((name) => [name, String(variables[name])]));

function absent(row: Row, ids: Received['params']): AppError {
  const [name, value] = Object.entries(ids).at(-1) ?? [];
  if (name === undefined || value === undefined)
    return new AppError('NOT_FOUND', 'NOT_FOUND', 'There is nothing here yet.');
  return missing(row, name, value);
}
