/** Collects the values of a statement and gives their places. */
export interface SqlValues {
  readonly values: unknown[];
  /** The place of a value with its type: `$4::int`. Equal values have one place. */
  add(value: unknown, type: string): string;
}

/** @param first - values that have their places already, such as workspace and mode */
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
