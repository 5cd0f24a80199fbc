/** Decisions of a generator, taken one after the other from a list of numbers. */
export interface Draw {
  /** A whole number from 0, below `limit`. */
  below(limit: number): number;
  /** True in so many of a hundred cases. */
  chance(percent: number): boolean;
  pick<T>(from: readonly T[]): T;
}

/** Draws from the numbers given; when they are used up, every decision is the simplest one. */
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
