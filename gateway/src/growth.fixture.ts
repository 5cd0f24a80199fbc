const RUNS = 5;

/**
 * Returns how many times longer `large` takes than `small`, by the fastest run of each, because a busy
 * machine does not slow down all runs.
 */
export async function growth(small: () => unknown, large: () => unknown): Promise<number> {
  const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let run = 0; run < RUNS; run += 1) {
    for (const [place, work] of [small, large].entries()) {
      const startedAt = performance.now();
      await work();
      least[place] = Math.min(least[place]!, performance.now() - startedAt);
    }
  }
  return least[1]! / least[0]!;
}
