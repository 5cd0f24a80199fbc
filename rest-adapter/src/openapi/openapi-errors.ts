import { type ErrorReason, errorReasons } from '@loyalty/platform/base/error-reasons';
import { apiOf } from '@loyalty/platform/http/api';
import type { Access } from '@loyalty/platform/identity/access';
import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isNonNullType,
} from 'graphql';
import { missing, placeOf } from '../input.ts';
import { answerOf, rootOf, selectedOf } from '../reply.ts';
import type { Row } from '../table/row.ts';
import type { RowOperation } from '../table/row-operation.ts';
import { errorCodes } from './error-codes.ts';
import type { Schema } from './openapi-schema.ts';

/**
 * Returns the possible errors of a row, by status. Rows whose id may be unknown and reads that may find
 * nothing have 404. Rows whose data expires have 410, and so have POSTs, because the answer to a repeated
 * call may be erased. Only changes have 409, 413 and 415.
 */
export function errorsOf(row: Row, operation: RowOperation, schema: GraphQLSchema): Record<string, Schema> {
  const isChange = row.method !== 'GET';
  const names = {
    400: 'Invalid',
    401: 'Unauthenticated',
    ...(apiOf(row.path) === 'v1' && row.method === 'POST' && { 402: 'PaymentRequired' }),
    403: 'Forbidden',
    ...((mayFindNothing(row, operation, schema) || hasNotFoundCodes(operation)) && { 404: 'NotFound' }),
    ...(isChange && { 409: 'Conflict', 413: 'TooLarge', 415: 'MediaType' }),
    ...((row.expires || row.method === 'POST') && { 410: 'Gone' }),
    429: 'RateLimited',
    503: 'Unavailable',
    default: 'Unexpected',
  };
  return Object.fromEntries(
    Object.entries(names).map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]),
  );
}

/** Returns whether the operation lists its own NOT_FOUND codes. */
const hasNotFoundCodes = ({ name }: RowOperation): boolean =>
  errorCodes[name]?.some((code) => (errorReasons.NOT_FOUND as readonly string[]).includes(code)) ?? false;

function mayFindNothing(row: Row, { definition, parameters }: RowOperation, schema: GraphQLSchema): boolean {
  const namesSomething = ({ name, type }: RowOperation['parameters'][number]) =>
    placeOf(row, name) === 'path' ||
    row.about?.[name] ||
    (row.method !== 'GET' && getNamedType(type).name === 'ID');
  const { type } = answerOf(selectedOf(rootOf(definition, schema), definition.selectionSet));
  return !isNonNullType(type) || parameters.some(namesSomething);
}

/** Codes for a part of the product that is unavailable or overloaded. The client may send the call again. */
const UNAVAILABLE_CODES: readonly ErrorReason[] = [
  'AUTHENTICATION_UNAVAILABLE',
  'DATABASE_UNAVAILABLE',
  'GATEWAY_UNAVAILABLE',
  'GUARD_UNAVAILABLE',
  'MODEL_SERVICE_UNAVAILABLE',
  'OVERLOADED',
  'PEER_UNAVAILABLE',
  'SHUTTING_DOWN',
  'STATEMENT_TOO_SLOW',
  'SUBGRAPH_UNAVAILABLE',
];

const IDEMPOTENCY: readonly ErrorReason[] = errorReasons.CONFLICT.filter((code) =>
  code.startsWith('IDEMPOTENCY_'),
);

/** Returns every code that X-Error-Code can have on an operation, in alphabetical order. */
export function codesOf(row: Row, operation: RowOperation, accesses: readonly Access[]): ErrorReason[] {
  const isChange = row.method !== 'GET';
  const codes = [
    ...inputCodes(row, operation),
    ...accessCodes(row, accesses),
    ...notFoundCodes(row, operation),
    ...(isChange ? (['BODY_INVALID', 'BODY_TOO_LARGE', 'MEDIA_TYPE_UNSUPPORTED', 'ROW_BUSY'] as const) : []),
    ...(row.method === 'POST' ? [...IDEMPOTENCY, 'IDEMPOTENCY_ANSWER_ERASED' as const] : []),
    ...(errorCodes[operation.name] ?? []),
    ...(row.bodyBytesMax || row.fileField ? (['UPLOADS_BUSY'] as const) : []),
    ...UNAVAILABLE_CODES,
    'RATE_LIMITED' as const,
    'INTERNAL' as const,
  ];
  return [...new Set(codes)].sort();
}

const inputCodes = (row: Row, { parameters }: RowOperation): ErrorReason[] => [
  'UNKNOWN_FIELD',
  'VALIDATION_FAILED',
  ...(parameters.some(({ name, type }) => placeOf(row, name) !== 'path' && holdsId(type))
    ? (['INVALID_ID'] as const)
    : []),
  ...(row.fileField ? (['FILE_TOO_LARGE', 'SCOPE_MISSING'] as const) : []),
];

/** Returns whether the type contains an id at any depth. */
function holdsId(type: GraphQLInputType, seen = new Set<string>()): boolean {
  const named = getNamedType(type);
  if (seen.has(named.name)) return false;
  seen.add(named.name);
  if (!isInputObjectType(named)) return named.name === 'ID';
  return Object.values(named.getFields()).some((field) => holdsId(field.type, seen));
}

/** Returns the codes of errors about the caller, according to the access rules of the row. */
function accessCodes({ path }: Row, accesses: readonly Access[]): ErrorReason[] {
  const has = (test: (access: Access) => boolean) => accesses.some(test);
  const isOpen = accesses.every(({ callers }) => callers.includes('anonymous'));
  return [
    'CREDENTIAL_EXPIRED',
    'CREDENTIAL_INVALID',
    ...(isOpen ? [] : (['CREDENTIAL_MISSING'] as const)),
    ...(apiOf(path) === 'v1' ? (['CREDENTIAL_MISPLACED'] as const) : []),
    'CALLER_REFUSED',
    ...(has(({ callers }) => callers.includes('member')) ? (['MEMBER_SESSION_REQUIRED'] as const) : []),
    ...(has(({ scopes }) => scopes.length > 0) ? (['SCOPE_MISSING'] as const) : []),
    ...(has(({ role }) => role !== null) ? (['ROLE_REQUIRED'] as const) : []),
    ...(has(({ module }) => module !== null) ? (['MODULE_DISABLED'] as const) : []),
    ...(has(({ liveOnly }) => liveOnly) ? (['LIVE_ONLY'] as const) : []),
  ];
}

/** Returns the NOT_FOUND codes for the ids in the path and in `about`. */
function notFoundCodes(row: Row, { parameters }: RowOperation): ErrorReason[] {
  const named = parameters.filter(({ name }) => placeOf(row, name) === 'path' || row.about?.[name]);
  return named.flatMap(({ name, type }) =>
    getNamedType(type).name === 'ID' ? [missing(row, name, '').code] : [],
  );
}
