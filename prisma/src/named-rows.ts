import type pg from 'pg';

const names = new Map<string, string>();

/** Returns the field of a column: `member_id` becomes `memberId`. */
export function fieldOf(column: string): string {
  let name = names.get(column);
  if (name === undefined) {
    name = column.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    names.set(column, name);
  }
  return name;
}

/** Converts rows in array form (`rowMode: 'array'`) to objects with names in camelCase. */
export function namedRows<Row>({ fields, rows }: pg.QueryArrayResult<unknown[]>): Row[] {
  const keys = fields.map(({ name }) => fieldOf(name));
  return rows.map((values) => {
    const row: Record<string, unknown> = {};
    for (let place = 0; place < keys.length; place += 1) row[keys[place]!] = values[place];
    return row as Row;
  });
}
