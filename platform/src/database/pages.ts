import { invalid } from '../base/errors.ts';
import { isUuid } from '../base/ids.ts';
import { between, notWith } from '../base/input-rules.ts';

export const PAGE_SIZE_MAX = 200;
const OFFSET_MAX = 10_000_000;

/** Arguments of every list: cursors from either end in the graph, an offset in REST. */
export interface PageArgs {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
  readonly offset?: number | null | undefined;
}

/** A validated request for one page of a list that is ordered by UUIDv7, newest first. */
export interface PageRequest {
  /** Maximum of rows in the page. */
  readonly size: number;
  /**
   * Id of the row beyond which the page begins: after this row, or before it if the list is read backward.
   */
  readonly cursorId: string | null;
  /** True if the rows before the cursor, or the last rows of the list, are requested. */
  readonly isBackward: boolean;
  readonly offset: number;
}

/** Rows of one page; `total` counts only when it is called. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly total: () => Promise<number>;
}

/**
 * Validates paging arguments: `first` with `after` or `offset` reads forward, `last` with `before` backward.
 *
 * @param isId - returns whether a text is the id of a row of the list
 * @throws AppError VALIDATION_FAILED naming first, after, last, before or offset
 */
export function pageRequest(
  args: PageArgs,
  sizeDefault = 50,
  sizeMax = PAGE_SIZE_MAX,
  isId: (id: string) => boolean = isUuid,
): PageRequest {
  const isBackward = args.last != null || args.before != null;
  if (isBackward) refuseWith(args, args.last != null ? 'last' : 'before', ['first', 'after', 'offset']);
  if (args.after) refuseWith(args, 'after', ['offset']);
  const size = (isBackward ? args.last : args.first) ?? sizeDefault;
  if (size < 1 || size > sizeMax) {
    throw invalid(isBackward ? 'last' : 'first', between(1, sizeMax));
  }
  const offset = args.offset ?? 0;
  if (offset < 0 || offset > OFFSET_MAX) throw invalid('offset', between(0, OFFSET_MAX));
  const name = isBackward ? 'before' : 'after';
  const cursor = args[name];
  return { size, offset, cursorId: cursor ? decodeCursor(name, cursor, isId) : null, isBackward };
}

function refuseWith(args: PageArgs, given: string, others: readonly (keyof PageArgs)[]): void {
  const other = others.find((name) => args[name]);
  if (other) throw invalid(other, notWith(given));
}

/**
 * Returns how a statement reads one page: `order` for ORDER BY, and `beyond` as the operator between a row's
 * key and the cursor's key. `page` puts rows that were read backward into list order again.
 *
 * @param listOrder - the order of the list itself
 */
export function scan(
  { isBackward }: Pick<PageRequest, 'isBackward'>,
  listOrder: 'ASC' | 'DESC' = 'DESC',
): { readonly order: 'ASC' | 'DESC'; readonly beyond: '<' | '>' } {
  const isDescending = (listOrder === 'DESC') !== isBackward;
  return isDescending ? { order: 'DESC', beyond: '<' } : { order: 'ASC', beyond: '>' };
}

/** Removes the additional row that was read to find out whether another page follows. */
export function page<T>(request: PageRequest, found: readonly T[], total: () => Promise<number>): Page<T> {
  const rows = found.slice(0, request.size);
  const isCut = found.length > request.size;
  const isWithin = request.cursorId !== null || request.offset > 0;
  return request.isBackward
    ? { rows: rows.reverse(), hasNextPage: isWithin, hasPreviousPage: isCut, total }
    : { rows, hasNextPage: isCut, hasPreviousPage: isWithin, total };
}

/** The part of a Prisma model that `pageOf` uses. */
interface Listed<Where, Select, Row> {
  findMany(args: {
    where: Where;
    select: Select;
    orderBy: { id: 'asc' | 'desc' };
    skip: number;
    take: number;
  }): Promise<Row[]>;
  count(args: { where: Where }): Promise<number>;
}

/** Reads a page of a table's rows with Prisma. */
export async function pageOf<Where extends object, Select, Row>(
  table: Listed<Where, Select, Row>,
  request: PageRequest,
  { where, select }: { readonly where: Where; readonly select: Select },
  listOrder: 'ASC' | 'DESC' = 'DESC',
): Promise<Page<Row>> {
  const { order, beyond } = scan(request, listOrder);
  const rows = await table.findMany({
    where: request.cursorId
      ? ({ AND: [where, { id: { [beyond === '<' ? 'lt' : 'gt']: request.cursorId } }] } as never)
      : where,
    select,
    orderBy: { id: order === 'ASC' ? 'asc' : 'desc' },
    skip: request.offset,
    take: request.size + 1,
  });
  return page(request, rows, () => table.count({ where }));
}

/** Converts a page to a Relay connection; each row becomes a node unchanged. */
export function connection<T extends { readonly id: string }>(found: Page<T>) {
  const cursorOf = (row: T | undefined) => (row ? encodeCursor(row.id) : null);
  const { rows, hasNextPage, hasPreviousPage } = found;
  return {
    nodes: rows,
    edges: () => rows.map((node) => ({ node, cursor: encodeCursor(node.id) })),
    pageInfo: {
      hasNextPage,
      hasPreviousPage,
      startCursor: cursorOf(rows.at(0)),
      endCursor: cursorOf(rows.at(-1)),
    },
    totalCount: found.total,
  };
}

/** Return type of `connection`, for mappers. */
export type ConnectionOf<T extends { readonly id: string }> = ReturnType<typeof connection<T>>;

export const encodeCursor = (id: string): string => Buffer.from(id).toString('base64url');

function decodeCursor(argument: string, cursor: string, isId: (id: string) => boolean): string {
  const id = Buffer.from(cursor, 'base64url').toString();
  if (!isId(id)) throw invalid(argument, 'must be a cursor that an earlier page returned');
  return id;
}
