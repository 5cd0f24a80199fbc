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

/** A scalar's behaviour without its own name, so that the SDL's name and description stay. */
const behaviour = ({ serialize, parseValue, parseLiteral }: GraphQLScalarType) => ({
  serialize,
  parseValue,
  parseLiteral,
});

/** What GraphQL's own Int and a column of PostgreSQL's integer hold. */
export const INT32_MAX = 2 ** 31 - 1;

/** A whole number is sent as one: text and fractions are refused, where the library would round them. */
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

/** A day is kept and sent as text: a Date object would move it between time zones. */
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

/** A whole number of JSON, or the text of one where a JSON number would no longer be exact. */
function readBigInt(value: unknown): bigint {
  const isExact = Number.isSafeInteger(value) || typeof value === 'bigint';
  const isText = typeof value === 'string' && /^-?\d{1,19}$/.test(value);
  const whole = isExact || isText ? BigInt(value as number | bigint | string) : null;
  if (whole === null || whole > INT64_MAX || whole < -INT64_MAX - 1n) {
    throw new TypeError('BigInt must be a whole number of at most 64 bits, as text beyond 2^53.');
  }
  return whole;
}

/** Our own, because the library's writes a warning to the console for every process. */
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
 * An answer that an Idempotency-Key replays holds Dates of another realm under Jest, which `instanceof`
 * denies.
 */
const dateTime = {
  ...behaviour(GraphQLDateTimeISO),
  serialize: (value: unknown) => GraphQLDateTimeISO.serialize(types.isDate(value) ? new Date(value) : value),
};

/** URLs stay text. */
const url = {
  ...behaviour(GraphQLURL),
  serialize: String,
  parseValue: (value: unknown) => String(GraphQLURL.parseValue(value)),
};

/** Resolvers of the prelude's scalars, the same in every subgraph. */
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
