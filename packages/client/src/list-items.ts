/** A part of a list: the number of items, and the number of skipped items before them. */
export interface OffsetPage {
  readonly limit: number;
  readonly offset: number;
}

/** A part of a list: the number of items, and the item after which they begin. */
export interface CursorPage {
  readonly limit: number;
  readonly after?: string;
}

/**
 * Yields the items of a list with `limit` and `offset`, page after page. All lists of v2 are of this kind.
 *
 * @example
 * const ask = (query) => ok(client.v2.GET('/api/v2/members', { params: { query } }));
 * for await (const member of byOffset(ask, ({ members }) => members)) console.log(member.name);
 */
export async function* byOffset<Page, Item>(
  ask: (page: OffsetPage) => Promise<Page>,
  itemsOf: (page: Page) => readonly Item[],
  limit = 100,
): AsyncGenerator<Item, void, undefined> {
  for (let offset = 0; ; offset += limit) {
    const items = itemsOf(await ask({ limit, offset }));
    yield* items;
    if (items.length < limit) return;
  }
}

/**
 * Yields the items of a list with `limit` and `after`, page after page. The lists of v1 are of this kind.
 *
 * @param nextOf - returns the cursor of the next page; null after the last page
 */
export async function* byCursor<Page, Item>(
  ask: (page: CursorPage) => Promise<Page>,
  itemsOf: (page: Page) => readonly Item[],
  nextOf: (page: Page) => string | null | undefined,
  limit = 100,
): AsyncGenerator<Item, void, undefined> {
  let after: string | null | undefined;
  do {
    const page: Page = await ask({ limit, ...(after && { after }) });
    yield* itemsOf(page);
    after = nextOf(page);
  } while (after);
}
