import { types } from 'node:util';
import { GraphQLError, type GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import {
  GraphQLCurrency,
  GraphQLDate,
  GraphQLDateTimeISO,
  GraphQLEmailAddress,
  GraphQLJSON,
  GraphQLJSONObject,
  GraphQLNonNegativeInt,
  GraphQLPositiveInt,
  GraphQLTimeZone,
  GraphQLURL,
} from 'graphql-scalars';

/** Returns the behaviour of a scalar without its name, so that the SDL's name and description stay. */
const behaviour = ({ serialize, parseValue, parseLiteral }: GraphQLScalarType) => ({
  serialize,
  parseValue,
  parseLiteral,
});

/** Maximum of GraphQL's Int and of PostgreSQL's integer. */
export const INT32_MAX = 2 ** 31 - 1;

/** Accepts integers only as JSON numbers. Text and fractions are refused; the library would round them. */
const whole = (scalar: GraphQLScalarType) => {
  const parseValue = (value: unknown) => {
    if (!Number.isInteger(value) || Number(value) > INT32_MAX) {
      throw new GraphQLError(`It must be a whole number of at most ${INT32_MAX}.`);
    }
    return scalar.parseValue(value) as number;
  };
  const parseLiteral = (node: ValueNode) => parseValue(node.kind === Kind.INT ? Number(node.value) : null);
  return { ...behaviour(scalar), parseValue, parseLiteral };
};

/** A day is stored and sent as text, because a Date object would shift it between time zones. */
const day = {
  serialize: (value: unknown) => (value instanceof Date ? value.toISOString().slice(0, 10) : String(value)),
  parseValue: (value: unknown) => {
    GraphQLDate.parseValue(value);
    return value;
  },
  parseLiteral: (
    node: Parameters<typeof GraphQLDate.parseLiteral>[0],
    variables?: Record<string, unknown>,
  ) => {
    GraphQLDate.parseLiteral(node, variables);
    return (node as { value: string }).value;
  },
};

const INT64_MAX = 2n ** 63n - 1n;

/** Reads an integer from a JSON number, or from text if a JSON number would not be exact. */
function readBigInt(value: unknown): bigint {
  const isExact = Number.isSafeInteger(value) || typeof value === 'bigint';
  const isText = typeof value === 'string' && /^-?\d{1,19}$/.test(value);
  const whole = isExact || isText ? BigInt(value as number | bigint | string) : null;
  if (whole === null || whole > INT64_MAX || whole < -INT64_MAX - 1n) {
    throw new TypeError('BigInt must be a whole number of at most 64 bits, as text beyond 2^53.');
  }
  return whole;
}

/** Our own scalar, because the library's writes a warning to the console of every process. */
const bigInt = {
  serialize: (value: unknown) => {
    const whole = readBigInt(value);
    return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole.toString();
  },
  parseValue: readBigInt,
  parseLiteral: (node: ValueNode) =>
    readBigInt(node.kind === Kind.INT || node.kind === Kind.STRING ? node.value : null),
};

/**
 * Under Jest, an answer that is replayed for an Idempotency-Key contains Dates of another realm, for which
 * `instanceof` is false.
 */
const dateTime = {
  ...behaviour(GraphQLDateTimeISO),
  serialize: (value: unknown) => GraphQLDateTimeISO.serialize(types.isDate(value) ? new Date(value) : value),
};

/** A URL stays text; it is only validated. */
const url = {
  ...behaviour(GraphQLURL),
  serialize: String,
  parseValue: (value: unknown) => String(GraphQLURL.parseValue(value)),
};

/** Resolvers of the scalars of the prelude, the same in every subgraph. */
export const scalars = {
  DateTime: dateTime,
  Date: day,
  EmailAddress: behaviour(GraphQLEmailAddress),
  JSONObject: behaviour(GraphQLJSONObject),
  JSON: behaviour(GraphQLJSON),
  PositiveInt: whole(GraphQLPositiveInt),
  NonNegativeInt: whole(GraphQLNonNegativeInt),
  BigInt: bigInt,
  URL: url,
  TimeZone: behaviour(GraphQLTimeZone),
  Currency: behaviour(GraphQLCurrency),
};
