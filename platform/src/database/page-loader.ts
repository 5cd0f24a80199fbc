import type { Context } from '../context.ts';
import { loader } from './loaders.ts';
import { type PageRequest, scan } from './pages.ts';

/** Requests for pages of several owners, all in the same direction: one column for each part of a request. */
export interface WantedPages<Owner> extends ReturnType<typeof scan> {
  readonly owners: readonly Owner[];
  /** Maximum of rows per page, including the one row that shows whether more follow. */
  readonly limits: readonly number[];
  readonly offsets: readonly number[];
  readonly cursorIds: readonly (string | null)[];
}

/** A row with the place of its page in the wanted columns, counted from 1. */
export type Placed<Row> = Row & { readonly place: number | bigint };

/**
 * Declares a list that each owner has. Pages that are loaded in one tick are read by one statement for each
 * direction.
 * @returns a function that reads one page, in the form that `page` expects
 * @returns reads a page as `page` expects it
 */
export function pageLoader<Owner extends string | object, Row>(
  read: (ctx: Context, wanted: WantedPages<Owner>) => Promise<readonly Placed<Row>[]>,
): (ctx: Context, owner: Owner, request: PageRequest) => Promise<Row[]> {
  // Keys of a loader are compared by identity, so equal requests become equal text.
  const rowsByKey = loader(async (ctx, keys: readonly string[]) => {
    const found = new Map<string, Row[]>(keys.map((key) => [key, []]));
    const asked = keys.map((key) => ({ key, ...(JSON.parse(key) as Asked<Owner>) }));
    for (const [isBackward, part] of Map.groupBy(asked, ({ request }) => request.isBackward)) {
      const rows = await read(ctx, { ...columnsOf(part), ...scan({ isBackward }) });
      for (const { place, ...row } of rows) found.get(part[Number(place) - 1]!.key)!.push(row as Row);
    }
    return found;
  });
  return async (ctx, owner, request) => (await ctx.load(rowsByKey, JSON.stringify({ owner, request }))) ?? [];
}

interface Asked<Owner> {
  readonly owner: Owner;
  readonly request: PageRequest;
}

const columnsOf = <Owner>(asked: readonly Asked<Owner>[]) => ({
  owners: asked.map(({ owner }) => owner),
  limits: asked.map(({ request }) => request.size + 1),
  offsets: asked.map(({ request }) => request.offset),
  cursorIds: asked.map(({ request }) => request.cursorId),
});
