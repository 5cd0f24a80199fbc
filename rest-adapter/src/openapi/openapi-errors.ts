import { apiOf } from '@loyalty/platform/http/api';
import { type GraphQLSchema, getNamedType, isNonNullType } from 'graphql';
import { placeOf } from '../input.ts';
import { answerOf, rootOf, selectedOf } from '../reply.ts';
import type { Row } from '../table/row.ts';
import type { RowOperation } from '../table/row-operation.ts';
import type { Schema } from './openapi-schema.ts';

/**
 * The possible errors of a row, by status. 404 is for rows with an id that may be unknown, and for reads that
 * may find nothing, 410 for what expires. 409, 413 and 415 are for changes, which may have a body.
 */
export function errorsOf(row: Row, operation: RowOperation, schema: GraphQLSchema): Record<string, Schema> {
  const isChange = row.method !== 'GET';
  const names = {
    400: 'Invalid',
    401: 'Unauthenticated',
    ...(apiOf(row.path) === 'v1' && row.method === 'POST' && { 402: 'PaymentRequired' }),
    403: 'Forbidden',
    ...(mayFindNothing(row, operation, schema) && { 404: 'NotFound' }),
    ...(isChange && { 409: 'Conflict', 413: 'TooLarge', 415: 'MediaType' }),
    ...(row.expires && { 410: 'Gone' }),
    429: 'RateLimited',
    503: 'Unavailable',
    default: 'Unexpected',
  };
  return Object.fromEntries(
    Object.entries(names).map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]),
  );
}

function mayFindNothing(row: Row, { definition, parameters }: RowOperation, schema: GraphQLSchema): boolean {
  const namesSomething = ({ name, type }: RowOperation['parameters'][number]) =>
    placeOf(row, name) === 'path' ||
    row.about?.[name] ||
    (row.method !== 'GET' && getNamedType(type).name === 'ID');
  const { type } = answerOf(selectedOf(rootOf(definition, schema), definition.selectionSet));
  return !isNonNullType(type) || parameters.some(namesSomething);
}
