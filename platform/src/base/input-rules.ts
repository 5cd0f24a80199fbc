/**
 * Names of the rules that a value, or a row of a file, may break: `rule` of errors and issues in the graph.
 */
export const inputRuleNames = [
  'AMOUNT',
  'AT_LEAST',
  'AT_MOST',
  'BETWEEN',
  'BYTES_AT_MOST',
  'CATEGORY_PATH',
  'CELL_COUNT',
  'COLUMN_IGNORED',
  'COLUMN_MISSING',
  'COLUMN_REPEATED',
  'CONTROL_CHARACTERS',
  'CURRENCY',
  'DAY',
  'DECIMALS',
  'DISTINCT',
  'EMAIL_ADDRESS',
  'ENCODING',
  'END_BEFORE_START',
  'ERASED_MEMBER',
  'FILE_EMPTY',
  'FORMULA',
  'FUTURE',
  'ID',
  'INSTANT',
  'ITEMS',
  'ITEM_PRICE',
  'ITEM_QUANTITY',
  'JSON',
  'LANGUAGE_TAG',
  'LENGTH',
  'LENGTH_AT_MOST',
  'MINOR_UNITS',
  'NEEDS_OTHER',
  'NOT_WITH_OTHER',
  'NO_KNOWN_FIELD',
  'NUMBER',
  'OBJECT',
  'ONE_LINE',
  'ONE_OF',
  'PAST',
  'PHONE',
  'QUOTES',
  'REQUIRED',
  'ROW_TOO_LONG',
  'TAKEN',
  'TEXT',
  'TIME_OF_DAY',
  'TIME_ZONE',
  'UNKNOWN',
  'UNKNOWN_MEMBER',
  'UNKNOWN_STORE',
  'WEB_ADDRESS',
  'WHOLE_NUMBER',
  'WRITTEN_BY_OTHERS',
  'YES_OR_NO',
] as const;

export type InputRuleName = (typeof inputRuleNames)[number];

export type RuleValues = Readonly<Record<string, string | number>>;

/** A rule that a value breaks, for programs and for people. */
export interface InputRule {
  readonly name: InputRuleName;
  /** Values of the rule, such as the minimum. */
  readonly values?: RuleValues;
  /** Completes the sentence that begins with the path of the field. */
  readonly text: string;
}

/** Returns a rule with its own text. */
export const inputRule = (name: InputRuleName, text: string, values?: RuleValues): InputRule => ({
  name,
  text,
  ...(values && { values }),
});

type Bound = number | bigint;
const value = (bound: Bound): string | number => (typeof bound === 'bigint' ? String(bound) : bound);

export const required = inputRule('REQUIRED', 'is required');
export const notEmpty = inputRule('REQUIRED', 'must not be empty');
export const notNull = inputRule('REQUIRED', 'must not be null');
export const mustBeGiven = inputRule('REQUIRED', 'must be given');
export const uuid = inputRule('ID', 'must be a UUID');
export const inFuture = inputRule('FUTURE', 'must be in the future');
export const trueOrFalse = inputRule('YES_OR_NO', 'must be true or false');
export const aNumber = inputRule('NUMBER', 'must be a number');
export const aString = inputRule('TEXT', 'must be a string');
export const anObject = inputRule('OBJECT', 'must be an object');
export const distinct = inputRule('DISTINCT', 'must be distinct');
export const noControlCharacters = inputRule('CONTROL_CHARACTERS', 'must not contain control characters');
export const oneLine = inputRule('ONE_LINE', 'must be one line');

export const atLeast = (min: Bound): InputRule =>
  inputRule('AT_LEAST', `must be at least ${min}`, { min: value(min) });

export const atMost = (max: Bound): InputRule =>
  inputRule('AT_MOST', `must be at most ${max}`, { max: value(max) });

export const between = (min: Bound, max: Bound): InputRule =>
  inputRule('BETWEEN', `must be between ${min} and ${max}`, { min: value(min), max: value(max) });

/** @param max - characters */
export const lengthAtMost = (max: number): InputRule =>
  inputRule('LENGTH_AT_MOST', `must have at most ${max} characters`, { max });

/** @param max - characters */
export const lengthFrom1To = (max: number): InputRule =>
  inputRule('LENGTH', `must have 1 to ${max} characters`, { min: 1, max });

export const bytesAtMost = (max: number): InputRule =>
  inputRule('BYTES_AT_MOST', `must have at most ${max} bytes`, { max });

/** A list must have 1 to `max` things, such as `tags`. */
export const from1To = (max: number, things: string): InputRule =>
  inputRule('ITEMS', `must be 1 to ${max} ${things}`, { min: 1, max });

/** A list may have at most `max` things, such as `items`. */
export const listAtMost = (max: number, things: string): InputRule =>
  inputRule('ITEMS', `must have at most ${max} ${things}`, { min: 0, max });

export const oneOf = (options: readonly string[]): InputRule =>
  inputRule('ONE_OF', `must be one of ${options.join(', ')}`, { options: options.join(', ') });

export const currencyCode = inputRule('CURRENCY', 'must be an ISO 4217 code such as EUR');
export const validJson = inputRule('JSON', 'must be valid JSON');
export const unknownStore = inputRule('UNKNOWN_STORE', 'is no store of this workspace');

/** @param other - the argument that cannot be combined with this one */
export const notWith = (other: string): InputRule =>
  inputRule('NOT_WITH_OTHER', `cannot be combined with ${other}`, { other });

/** @param other - the argument that must be given together with this one */
export const givenWith = (other: string): InputRule =>
  inputRule('NEEDS_OTHER', `must be given with ${other}`, { other });

/** Rules for the values of scalars, by the name of the scalar. */
export const scalarRules: Readonly<Record<string, Omit<InputRule, 'text'>>> = {
  ID: uuid,
  String: aString,
  Boolean: trueOrFalse,
  Int: inputRule('WHOLE_NUMBER', ''),
  BigInt: inputRule('WHOLE_NUMBER', ''),
  Float: aNumber,
  PositiveInt: between(1, 2 ** 31 - 1),
  NonNegativeInt: between(0, 2 ** 31 - 1),
  EmailAddress: inputRule('EMAIL_ADDRESS', ''),
  JSONObject: anObject,
  DateTime: inputRule('INSTANT', ''),
  Date: inputRule('DAY', ''),
  URL: inputRule('WEB_ADDRESS', ''),
  TimeZone: inputRule('TIME_ZONE', ''),
  Currency: inputRule('CURRENCY', ''),
};
