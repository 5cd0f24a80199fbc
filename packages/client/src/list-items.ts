/** A part of a list: how many items, and how many before them are skipped. */
export interface OffsetPage {
  readonly limit: number;
  readonly offset: number;
}

/** A part of a list: how many items, and after which one. */
export interface CursorPage {
  readonly limit: number;
  readonly after?: string;
}

/**
 * The items of a list that is read by `limit` and `offset`, as all lists of v2 are, page after page.
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
 * The items of a list that is read by `limit` and `after`, as those of v1 are, page after page.
 *
 * @param nextOf - the cursor of the next page; null after the last one
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
