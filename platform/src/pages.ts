import { invalid } from './errors.ts';
import { isUuid } from './ids.ts';

export const PAGE_SIZE_MAX = 200;
const OFFSET_MAX = 10_000_000;

/** How every list is asked for: by cursor in the graph, by offset on REST. */
export interface PageArgs {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly offset?: number | null | undefined;
}

/** A checked request for one page of a list that is ordered newest first by its UUIDv7. */
export interface PageRequest {
  /** Rows wanted. */
  readonly size: number;
  /** Rows come after (are older than) this id. */
  readonly afterId: string | null;
  readonly offset: number;
}

/** Rows of one page; `total` counts only when somebody asks. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly hasNextPage: boolean;
  readonly total: () => Promise<number>;
}

/**
 * Checks paging arguments.
 *
 * @throws AppError VALIDATION_FAILED naming first, after or offset
 */
export function pageRequest(args: PageArgs, sizeDefault = 50, sizeMax = PAGE_SIZE_MAX): PageRequest {
  const size = args.first ?? sizeDefault;
  if (size < 1 || size > sizeMax) throw invalid('first', `must be between 1 and ${sizeMax}`);
  const offset = args.offset ?? 0;
  if (offset < 0 || offset > OFFSET_MAX) throw invalid('offset', `must be between 0 and ${OFFSET_MAX}`);
  if (args.after && args.offset) throw invalid('offset', 'cannot be combined with after');
  return { size, offset, afterId: args.after ? decodeCursor(args.after) : null };
}

/** Cuts the one row more that the store read to learn whether another page follows. */
export function page<T>(request: PageRequest, rows: readonly T[], total: () => Promise<number>): Page<T> {
  return { rows: rows.slice(0, request.size), hasNextPage: rows.length > request.size, total };
}

/** A page in the shape of a Relay connection; each row becomes a node unchanged. */
export function connection<T extends { readonly id: string }>(found: Page<T>) {
  const last = found.rows.at(-1);
  return {
    nodes: found.rows,
    edges: () => found.rows.map((node) => ({ node, cursor: encodeCursor(node.id) })),
    pageInfo: { hasNextPage: found.hasNextPage, endCursor: last ? encodeCursor(last.id) : null },
    totalCount: found.total,
  };
}

/** What `connection` returns, for mappers. */
export type ConnectionOf<T extends { readonly id: string }> = ReturnType<typeof connection<T>>;

export const encodeCursor = (id: string): string => Buffer.from(id).toString('base64url');

function decodeCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString();
  if (!isUuid(id)) throw invalid('after', 'must be a cursor that an earlier page returned');
  return id;
}
