/** Runs `act` on every item, at most `limit` at once; results are in the order of the items. */
export async function withConcurrencyLimit<Item, Result>(
  limit: number,
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
): Promise<PromiseSettledResult<Result>[]> {
  const results = new Array<PromiseSettledResult<Result>>(items.length);
  const waiting = items.entries();
  const runner = async () => {
    // One iterator for all runners: each takes the next item.
    for (const [place, item] of waiting) [results[place]] = await Promise.allSettled([act(item)]);
  };
  await Promise.all(Array.from({ length: limit }, runner));
  return results;
}
