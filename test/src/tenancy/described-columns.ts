import { types } from '@loyalty/prisma/client';
import type pg from 'pg';

/** A column of a result, as PostgreSQL describes it. */
export interface DescribedColumn {
  readonly name: string;
  /** The TypeScript type of the values that are not null. */
  readonly type: string;
  /**
   * Whether the value may be null: the column may be null in its table, and no condition of the statement
   * excludes nulls. PostgreSQL does not report this for outer joins and expressions. Array columns count as
   * never null: Prisma declares none of them NOT NULL, but never stores null in one.
   */
  readonly isNullable: boolean;
}

interface Field {
  readonly name: string;
  readonly tableID: number;
  readonly columnID: number;
  readonly dataTypeID: number;
}

/** Returns a function that describes the columns of the result of a statement. It executes nothing. */
export async function columnDescriber(
  client: pg.Client,
): Promise<(text: string) => Promise<DescribedColumn[]>> {
  const typeOf = await valueTypes(client);
  const { rows } = await client.query<{ place: string; column: string }>(
    `SELECT a.attrelid || '.' || a.attnum AS place, a.attname AS column FROM pg_attribute AS a
      WHERE a.attnum > 0 AND NOT a.attnotnull
        AND NOT EXISTS (SELECT FROM pg_type AS t WHERE t.oid = a.atttypid AND t.typcategory = 'A')`,
  );
  const nullable = new Map(rows.map(({ place, column }) => [place, column]));
  return async (text) =>
    (await describe(client, text)).map(({ name, tableID, columnID, dataTypeID }) => ({
      name,
      type: typeOf(dataTypeID),
      isNullable: mayBeNull(text, nullable.get(`${tableID}.${columnID}`)),
    }));
}

/** @param column - the column, if it may be null in its table */
const mayBeNull = (text: string, column: string | undefined): boolean =>
  column !== undefined && !new RegExp(`\\b${column} (?:IS NOT NULL|BETWEEN|IN \\(|= ANY)`).test(text);

/** Prepares a statement and reads the description of its columns. */
const describe = (client: pg.Client, text: string): Promise<Field[]> =>
  new Promise((resolve, reject) => {
    let fields: Field[] = [];
    const statement = {
      submit(connection: pg.Connection) {
        connection.parse({ text, name: '', types: [] }, true);
        connection.describe({ type: 'S', name: '' }, true);
        connection.sync();
      },
      handleRowDescription(message: { fields: Field[] }) {
        fields = message.fields;
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(fields),
    };
    client.query(statement);
  });

/** An example of a value in PostgreSQL's text format, for each category of types. */
const samples: Readonly<Record<string, string>> = {
  A: '{}',
  B: 't',
  D: '2026-01-02 03:04:05+00',
  N: '1',
  S: 'a',
};

interface ValueType {
  readonly oid: number;
  readonly name: string;
  readonly category: string;
  readonly element: number;
  readonly labels: readonly string[] | null;
}

/** Returns a function that gives the TypeScript type of a PostgreSQL type, by its oid. */
async function valueTypes(client: pg.Client): Promise<(oid: number) => string> {
  const { rows } = await client.query<ValueType>(
    `SELECT t.oid::int, t.typname AS name, t.typcategory AS category, t.typelem::int AS element,
            (SELECT array_agg(e.enumlabel::text) FROM pg_enum AS e WHERE e.enumtypid = t.oid) AS labels
       FROM pg_type AS t`,
  );
  const byId = new Map(rows.map((row) => [row.oid, row]));
  const typeOf = (oid: number): string => {
    const { name, category, element, labels } = byId.get(oid)!;
    if (labels) return labels.map((label) => `'${label}'`).join(' | ');
    if (name.startsWith('json') || name === 'record') return 'unknown';
    if (name === 'bytea') return 'Buffer';
    const parsed = types.getTypeParser(oid, 'text')(samples[category] ?? 'a') as unknown;
    if (Array.isArray(parsed)) return `readonly (${typeOf(element)} | null)[]`;
    return parsed instanceof Date ? 'Date' : typeof parsed;
  };
  return typeOf;
}
