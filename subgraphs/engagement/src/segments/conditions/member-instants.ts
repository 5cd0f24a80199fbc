/**
 * The latest instants at which things happened to a member, once for each kind of occurrences that conditions
 * count. Where members are few and conditions are many, this is much faster than to count for each condition.
 */
export interface MemberInstants {
  /**
   * When the latest occurrence but `place - 1` happened, timestamptz; null where there are fewer.
   *
   * @param occurrences - of all members, as FROM and WHERE over `o`
   */
  at(occurrences: string, place: number): string;
  /** Joins that follow `FROM engagement.profiles AS p`. */
  joins(): string;
}

/** @returns an empty collection; it fills while conditions are compiled */
export function memberInstants(): MemberInstants {
  const placesOf = new Map<string, number>();
  const names = new Map<string, string>();
  return {
    at(occurrences, place) {
      const name = names.get(occurrences) ?? `happened${names.size + 1}`;
      names.set(occurrences, name);
      placesOf.set(occurrences, Math.max(place, placesOf.get(occurrences) ?? 0));
      return `${name}.instants[${place}]`;
    },
    joins: () =>
      [...names].map(([occurrences, name]) => joined(occurrences, name, placesOf.get(occurrences)!)).join(''),
  };
}

/** Without the offset, PostgreSQL would write the array out at every place that reads it. */
const joined = (occurrences: string, name: string, places: number): string => `
   CROSS JOIN LATERAL (
      SELECT ARRAY(SELECT o.occurred_at FROM ${occurrences} AND o.member_id = p.member_id
                    ORDER BY o.occurred_at DESC LIMIT ${places}) AS instants
      OFFSET 0) AS ${name}`;
