/** Keys that are frequent enough to be predicted one by one. */
export type Vocabulary = readonly string[];

const ROWS_MIN = 20;
const ENTITIES_MIN = 15;
const KEYS_MAX = 50;

/** At most 50 keys with at least 20 rows and 15 entities, the most frequent first, equal ones by name. */
export function vocabularyOf(rows: readonly { readonly keys: readonly string[]; readonly entity: string }[]) {
  const found = new Map<string, { rows: number; entities: Set<string> }>();
  for (const { keys, entity } of rows) {
    for (const key of keys) {
      const known = found.get(key) ?? { rows: 0, entities: new Set<string>() };
      known.rows += 1;
      known.entities.add(entity);
      found.set(key, known);
    }
  }
  return [...found]
    .filter(([, each]) => each.rows >= ROWS_MIN && each.entities.size >= ENTITIES_MIN)
    .sort(([one, ofOne], [other, ofOther]) => ofOther.rows - ofOne.rows || (one < other ? -1 : 1))
    .slice(0, KEYS_MAX)
    .map(([key]) => key) satisfies Vocabulary;
}

/** How many keys a recommendation names: 5, fewer where the vocabulary is small. */
export const recommendedCount = (keys: number): number => Math.min(5, Math.max(1, Math.floor(keys / 3)));
