const RUNS = 5;

/**
 * How many times longer `large` takes than `small`, by the quickest run of each: what a busy machine adds to
 * one run, it does not add to all.
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
