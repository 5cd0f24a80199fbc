import { types } from 'node:util';
import { GraphQLError, type GraphQLScalarType } from 'graphql';
import {
  GraphQLBigInt,
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

/** A whole number is sent as one: text and fractions are refused, where the library would round them. */
const whole = (scalar: GraphQLScalarType) => ({
  ...behaviour(scalar),
  parseValue: (value: unknown) => {
    if (!Number.isInteger(value)) throw new GraphQLError('It must be a whole number.');
    return scalar.parseValue(value) as number;
  },
});

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

/** 64-bit numbers leave as JSON numbers while those are exact, as text beyond. */
const bigInt = {
  ...behaviour(GraphQLBigInt),
  serialize: (value: unknown) => {
    const whole = BigInt(value as bigint);
    return whole >= Number.MIN_SAFE_INTEGER && whole <= Number.MAX_SAFE_INTEGER
      ? Number(whole)
      : whole.toString();
  },
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
