/** Collects the values of a statement and returns their parameters. */
export interface SqlValues {
  readonly values: unknown[];
  /** Adds a value and returns its parameter with its type: `$4::int`. Equal values share a parameter. */
  add(value: unknown, type: string): string;
}

/** @param first - values that have parameters already, such as workspace and mode */
export function sqlValues(first: readonly unknown[]): SqlValues {
  const values = [...first];
  const places = new Map<string, string>();
  return {
    values,
    add(value, type) {
      const key = `${type} ${JSON.stringify(value)}`;
      const place = places.get(key) ?? `$${values.push(value)}::${type}`;
      places.set(key, place);
      return place;
    },
  };
}

/** The type of an operator's value. */
export type OperandType = 'NONE' | 'TEXT' | 'TEXTS' | 'NUMBER' | 'NUMBER_RANGE' | 'MOMENT' | 'DAYS' | 'MONTH';

/** The left side of an operator: SQL of a value that may be null. */
export interface Operand {
  /** SQL of the type of the field: text, numeric, timestamptz, text[], boolean, or month and day. */
  readonly column: string;
  /** For numbers: whether they are integers, which are compared as such. */
  readonly isWhole?: boolean;
  /** SQL of the time zone in which days begin. */
  readonly timeZone: string;
}

export interface OperatorSql {
  /** A Boolean expression; null counts as false. */
  readonly where: string;
  /** SQL of instants at which time alone may change the result. Past instants are ignored. */
  readonly turns: readonly string[];
}

export interface Operator {
  readonly label: string;
  readonly takes: OperandType;
  readonly compile: (operand: Operand, value: unknown, sql: SqlValues, now: string) => OperatorSql;
}

/** Operators by their key in conditions. */
export type Operators = Readonly<Record<string, Operator>>;

type Where = (column: string, value: unknown, sql: SqlValues) => string;

/** An operator that time alone does not change. */
const fixed = (label: string, takes: OperandType, where: Where): Operator => ({
  label,
  takes,
  compile: ({ column }, value, sql) => ({ where: where(column, value, sql), turns: [] }),
});

const given: Operators = {
  is_set: fixed('has a value', 'NONE', (column) => `${column} IS NOT NULL`),
  is_not_set: fixed('has no value', 'NONE', (column) => `${column} IS NULL`),
};

/** Operators of enum values and ids. */
const keywordOperators: Operators = {
  equals: fixed('is', 'TEXT', (column, value, sql) => `${column} = ${sql.add(value, 'text')}`),
  not_equals: fixed(
    'is not',
    'TEXT',
    (column, value, sql) => `${column} IS DISTINCT FROM ${sql.add(value, 'text')}`,
  ),
  in: fixed('is one of', 'TEXTS', (column, value, sql) => `${column} = ANY(${sql.add(value, 'text[]')})`),
  not_in: fixed(
    'is none of',
    'TEXTS',
    (column, value, sql) => `${column} = ANY(${sql.add(value, 'text[]')}) IS NOT TRUE`,
  ),
  ...given,
};

const textOperators: Operators = {
  ...keywordOperators,
  contains: fixed(
    'contains',
    'TEXT',
    (column, value, sql) => `position(lower(${sql.add(value, 'text')}) IN lower(${column})) > 0`,
  ),
  starts_with: fixed(
    'begins with',
    'TEXT',
    (column, value, sql) => `starts_with(lower(${column}), lower(${sql.add(value, 'text')}))`,
  ),
};

const compared = (label: string, sign: string): Operator => ({
  label,
  takes: 'NUMBER',
  compile: (operand, value, sql) => ({
    where: `${operand.column} ${sign} ${numberPlace(operand, value, sql)}`,
    turns: [],
  }),
});

/** Integers are compared as such, which is faster. */
const numberPlace = ({ isWhole }: Operand, value: unknown, sql: SqlValues): string =>
  sql.add(value, isWhole && Number.isSafeInteger(value) ? 'bigint' : 'numeric');

const numberOperators: Operators = {
  equals: compared('is', '='),
  not_equals: compared('is not', 'IS DISTINCT FROM'),
  greater_than: compared('is more than', '>'),
  at_least: compared('is at least', '>='),
  less_than: compared('is less than', '<'),
  at_most: compared('is at most', '<='),
  between: {
    label: 'is between',
    takes: 'NUMBER_RANGE',
    compile(operand, value, sql) {
      const [low, high] = (value as readonly number[]).map((each) => numberPlace(operand, each, sql));
      return { where: `${operand.column} BETWEEN ${low} AND ${high}`, turns: [] };
    },
  },
  ...given,
};

const flagOperators: Operators = {
  is_true: fixed('is true', 'NONE', (column) => `${column} IS TRUE`),
  is_false: fixed('is false', 'NONE', (column) => `${column} IS FALSE`),
  ...given,
};

/** Operators of lists of names. An empty list counts as no value. */
const setOperators: Operators = {
  includes_any: fixed(
    'includes one of',
    'TEXTS',
    (column, value, sql) => `${column} && ${sql.add(value, 'text[]')}`,
  ),
  includes_all: fixed(
    'includes all of',
    'TEXTS',
    (column, value, sql) => `${column} @> ${sql.add(value, 'text[]')}`,
  ),
  includes_none: fixed(
    'includes none of',
    'TEXTS',
    (column, value, sql) => `(${column} && ${sql.add(value, 'text[]')}) IS NOT TRUE`,
  ),
  is_set: fixed('has a value', 'NONE', (column) => `cardinality(${column}) > 0`),
  is_not_set: fixed('has no value', 'NONE', (column) => `coalesce(cardinality(${column}), 0) = 0`),
};

const moment = (label: string, sign: string): Operator =>
  fixed(label, 'MOMENT', (column, value, sql) => `${column} ${sign} ${sql.add(value, 'timestamptz')}`);

/** SQL of a number of days of 24 hours. */
export const daysPlace = (days: unknown, sql: SqlValues): string =>
  `${sql.add(days, 'int')} * interval '24 hours'`;

/** Operators of instants. Operators with days are relative to now. */
const momentOperators: Operators = {
  before: moment('is before', '<'),
  after: moment('is after', '>='),
  within_last_days: {
    label: 'is within the last days',
    takes: 'DAYS',
    compile({ column }, value, sql, now) {
      const days = daysPlace(value, sql);
      return {
        where: `${column} > ${now} - ${days} AND ${column} <= ${now}`,
        turns: [column, `${column} + ${days}`],
      };
    },
  },
  more_than_days_ago: {
    label: 'is more days ago than',
    takes: 'DAYS',
    compile({ column }, value, sql, now) {
      const days = daysPlace(value, sql);
      return { where: `${column} <= ${now} - ${days}`, turns: [`${column} + ${days}`] };
    },
  },
  within_next_days: {
    label: 'is within the next days',
    takes: 'DAYS',
    compile({ column }, value, sql, now) {
      const days = daysPlace(value, sql);
      return {
        where: `${column} > ${now} AND ${column} <= ${now} + ${days}`,
        turns: [column, `${column} - ${days}`],
      };
    },
  },
  ...given,
};

/** SQL of the current day in the member's time zone. */
const today = ({ timeZone }: Operand, now: string): string => `(${now} AT TIME ZONE ${timeZone})::date`;

/**
 * SQL of the date of a month and day in a year. If the year has no 29 February, it is 28 February.
 *
 * @param monthDay - month times 100 plus day
 */
const dayIn = (year: string, monthDay: string): string => {
  const first = `make_date(${year}, ${monthDay} / 100, 1)`;
  const last = `(${first} + interval '1 month' - interval '1 day')::date`;
  return `least(${first} + (${monthDay} % 100 - 1), ${last})`;
};

/** SQL of the next such day, including today. */
function nextDay(operand: Operand, now: string): string {
  const year = `extract(year FROM ${today(operand, now)})::int`;
  const thisYear = dayIn(year, operand.column);
  return `CASE WHEN ${thisYear} >= ${today(operand, now)} THEN ${thisYear}
               ELSE ${dayIn(`${year} + 1`, operand.column)} END`;
}

/** SQL of the instant at which a day begins in the member's time zone. */
const beginOf = (day: string, { timeZone }: Operand): string =>
  `((${day})::timestamp AT TIME ZONE ${timeZone})`;

/** Operators of yearly days, such as a birthday, in the member's time zone. */
const dayOfYearOperators: Operators = {
  is_today: {
    label: 'is today',
    takes: 'NONE',
    compile(operand, _value, _sql, now) {
      const next = nextDay(operand, now);
      return {
        where: `${next} = ${today(operand, now)}`,
        turns: [beginOf(next, operand), beginOf(`${next} + 1`, operand)],
      };
    },
  },
  within_next_days: {
    label: 'is today or within the next days',
    takes: 'DAYS',
    compile(operand, value, sql, now) {
      const next = nextDay(operand, now);
      const days = sql.add(value, 'int');
      return {
        where: `${next} <= ${today(operand, now)} + ${days}`,
        turns: [beginOf(`${next} - ${days}`, operand), beginOf(`${next} + 1`, operand)],
      };
    },
  },
  in_month: fixed(
    'is in the month',
    'MONTH',
    (column, value, sql) => `${column} / 100 = ${sql.add(value, 'int')}`,
  ),
  is_set: fixed('has a value', 'NONE', (column) => `${column} IS NOT NULL`),
  is_not_set: fixed('has no value', 'NONE', (column) => `${column} IS NULL`),
};

export type FieldType = 'TEXT' | 'KEYWORD' | 'NUMBER' | 'FLAG' | 'SET' | 'MOMENT' | 'DAY_OF_YEAR';

/** The operators of each field type. */
export const operatorsOf: Readonly<Record<FieldType, Operators>> = {
  TEXT: textOperators,
  KEYWORD: keywordOperators,
  NUMBER: numberOperators,
  FLAG: flagOperators,
  SET: setOperators,
  MOMENT: momentOperators,
  DAY_OF_YEAR: dayOfYearOperators,
};
