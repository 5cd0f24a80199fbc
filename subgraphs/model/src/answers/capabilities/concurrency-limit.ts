/** Runs `act` on every item, at most `width` at once; what came of them stands in the order of the items. */
export async function inLanes<Item, Result>(
  width: number,
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
): Promise<PromiseSettledResult<Result>[]> {
  const settled = new Array<PromiseSettledResult<Result>>(items.length);
  const waiting = items.entries();
  const lane = async () => {
    // One iterator for all lanes: each takes the next item that nobody has.
    for (const [place, item] of waiting) [settled[place]] = await Promise.allSettled([act(item)]);
  };
  await Promise.all(Array.from({ length: width }, lane));
  return settled;
}
