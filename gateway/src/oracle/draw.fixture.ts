/** The decisions of a generator, taken in order from a list of numbers. */
export interface Draw {
  /** Returns an integer from 0, below `limit`. */
  below(limit: number): number;
  /** Returns true with this probability in percent. */
  chance(percent: number): boolean;
  pick<T>(from: readonly T[]): T;
}

/** Makes decisions from the given numbers; after their end, every decision is the simplest one. */
export function drawFrom(numbers: Iterable<number>): Draw {
  const rest = numbers[Symbol.iterator]();
  const below = (limit: number): number => (rest.next().value ?? 0) % limit;
  return {
    below,
    chance: (percent) => below(100) >= 100 - percent,
    pick: <T>(from: readonly T[]): T => {
      if (from.length === 0) throw new Error('There is nothing to pick from.');
      return from[below(from.length)] as T;
    },
  };
}
