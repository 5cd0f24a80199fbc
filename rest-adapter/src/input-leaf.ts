import { invalid } from '@loyalty/platform/base/errors';
import { isUuid } from '@loyalty/platform/base/ids';
import { oneOf } from '@loyalty/platform/base/input-rules';
import { INT32_MAX } from '@loyalty/platform/graph/scalars';
import { type GraphQLLeafType, isEnumType } from 'graphql';

/** The part of a request that holds a value. */
export type Place = 'path' | 'query' | 'body';

/**
 * Reads one value of a request and checks it against its type. Clients send enum values in lower case.
 *
 * @param path - the error sentence begins with it, for example `keys.p256dh`
 * @throws AppError VALIDATION_FAILED or INVALID_ID (400) naming the path
 */
export function readLeaf(value: unknown, type: GraphQLLeafType, path: string, place: Place): unknown {
  if (Array.isArray(value) && place !== 'body') throw invalid(path, 'is given more than once');
  if (isEnumType(type)) {
    const names = type.getValues().map(({ name }) => name.toLowerCase());
    if (typeof value !== 'string' || !names.includes(value)) throw invalid(path, oneOf(names));
    return value.toUpperCase();
  }
  const plain = place === 'body' ? value : fromText(value, type.name);
  const rule = rules[type.name] ?? 'is not valid';
  if (type.name === 'ID') {
    if (typeof plain !== 'string' || !isUuid(plain)) throw invalid(path, rule, 'INVALID_ID');
    return plain;
  }
  // The scalars of graphql-scalars read 1.5 as 1 and "0x10" as 16.
  if (/Int$/.test(type.name) && !isWhole(plain, type.name === 'BigInt')) throw invalid(path, rule);
  // Only the subgraph that defines FileText can read the file.
  if (type.name === 'FileText' && typeof plain !== 'string') throw invalid(path, rule);
  try {
    type.parseValue(plain);
  } catch {
    throw invalid(path, rule);
  }
  return plain;
}

const WHOLE = /^-?(0|[1-9]\d*)$/;
const DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Paths and queries contain text. Numbers and booleans in them must be written as in JSON. */
function fromText(value: unknown, typeName: string): unknown {
  if (typeof value !== 'string') return value;
  if (typeName === 'BigInt') return value;
  if (typeName.endsWith('Int')) return WHOLE.test(value) ? Number(value) : value;
  if (typeName === 'Float') return DECIMAL.test(value) ? Number(value) : value;
  if (typeName === 'Boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

/** Numbers beyond 2^53 are exact only as text. */
const isWhole = (value: unknown, isText: boolean): boolean =>
  Number.isSafeInteger(value) ||
  (isText && typeof value === 'string' && WHOLE.test(value) && value.length <= 20);

/** The rule of each type. It follows the field name in the error sentence. */
const rules: Readonly<Record<string, string>> = {
  ID: 'must be a UUID',
  String: 'must be a string',
  Boolean: 'must be true or false',
  Int: `must be a whole number of up to 32 bits, ${-INT32_MAX - 1} to ${INT32_MAX}`,
  Float: 'must be a number',
  PositiveInt: `must be a whole number, at least 1 and at most ${INT32_MAX}`,
  NonNegativeInt: `must be a whole number, at least 0 and at most ${INT32_MAX}`,
  BigInt:
    `must be a whole number of at most ${2n ** 63n - 1n}, as text beyond ${Number.MAX_SAFE_INTEGER}; ` +
    'amounts are in minor units, 1250 for 12.50',
  EmailAddress: 'must be an e-mail address such as ada@example.com',
  JSON: 'must be JSON',
  JSONObject: 'must be an object',
  DateTime: 'must be an instant such as 2026-11-21T09:30:00Z',
  Date: 'must be a day such as 2026-11-21',
  URL: 'must be an absolute URL',
  TimeZone: 'must be an IANA time zone such as Europe/Lisbon',
  FileText: 'must be the text of a file',
  Currency: 'must be an ISO 4217 code such as EUR',
};
