import { addMs, MINUTE_MS } from '@loyalty/platform/base/clock';
import { firstIdAt } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import type { Instants } from '@loyalty/platform/database/day-range';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/database/pages';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { memberColumns, memberCounts } from '../members/member-sql.ts';
import type { Member, MemberStatus } from '../members/members.service.ts';
import type { SearchedTerm } from '../members/search-terms.ts';

const scoped = inScope('m');

/**
 * The interpretations of one searched text: an address by its blind indexes, an id, or parts of name and
 * phone.
 */
export interface MemberSearch {
  readonly emailIndexes: readonly string[];
  readonly externalId: string;
  readonly id: string | null;
  /** A member must have all of them. */
  readonly terms: readonly SearchedTerm[];
}

type SortKey = 'CREATED' | 'LAST_ACTIVITY' | 'POINTS';
type SortOrder = 'ASC' | 'DESC';
export type MemberSort = `${SortKey}_${SortOrder}`;

/** Conditions; null does not count. */
export interface MemberFilter {
  readonly status: MemberStatus | null;
  readonly programId: string | null;
  readonly tagId: string | null;
  readonly search: MemberSearch | null;
  readonly tierId: string | null;
  readonly storeId: string | null;
  readonly joined: Instants;
  readonly active: Instants;
  /** Both bounds count. */
  readonly points: { readonly from: number | null; readonly to: number | null };
}

/** Whether every member passes the filter. */
export const isOpen = ({ joined, active, points, ...single }: MemberFilter): boolean =>
  Object.values(single).every((condition) => !condition) &&
  [joined, active, points].every(({ from, to }) => from === null && to === null);

/** Ids within a workspace follow the time of joining. */
const columnsOf: Readonly<Record<SortKey, readonly string[]>> = {
  CREATED: ['id'],
  LAST_ACTIVITY: ['last_activity_at', 'id'],
  POINTS: ['points_balance', 'id'],
};

/** Columns and direction of an order. */
function orderOf(sort: MemberSort): { columns: readonly string[]; listOrder: SortOrder } {
  const [, key, listOrder] = /^(\w+)_(ASC|DESC)$/.exec(sort)!;
  return { columns: columnsOf[key as SortKey], listOrder: listOrder as SortOrder };
}

/** Whether the filter has only a search. */
const searchesOnly = (filter: MemberFilter): boolean => isOpen({ ...filter, search: null });

/**
 * A page of members. Points and the last activity have no index of their own, because every award of points
 * would have to write it: a list in their order reads all members that pass the filter.
 */
export async function membersPage(
  ctx: Context,
  request: PageRequest,
  { filter, sort }: { readonly filter: MemberFilter; readonly sort: MemberSort },
): Promise<Page<Member>> {
  const params: unknown[] = [...scopeOf(ctx)];
  const bind = (value: unknown) => `$${params.push(value)}`;
  const where = conditionsOf(filter, bind);
  const counted = [...params];
  const count = async () => {
    if (isOpen(filter)) return memberCounts.total(ctx);
    const sql = `SELECT count(*)::int AS total FROM loyalty.members AS m WHERE ${where}`;
    const [row] = await ctx.sql.query<{ total: number }>(sql, counted);
    return row?.total ?? 0;
  };
  if (filter.search && sort === 'CREATED_DESC' && searchesOnly(filter))
    return page(request, await searchedRows(ctx, request, filter.search), count);
  const { columns, listOrder } = orderOf(sort);
  const { order, beyond } = scan(request, listOrder);
  const key = (alias: string) => columns.map((column) => `${alias}.${column}`).join(', ');
  const sorted = columns.map((column) => `m.${column} ${order}`).join(', ');
  const cursor = () =>
    `(SELECT ${key('c')} FROM loyalty.members AS c
       WHERE ${inScope('c')} AND c.id = ${bind(request.cursorId)})`;
  const behind = columns.length === 1 ? () => bind(request.cursorId) : cursor;
  const behindCursor = request.cursorId ? ` AND (${key('m')}) ${beyond} ${behind()}` : '';
  const limits = `LIMIT ${bind(request.size + 1)} OFFSET ${bind(request.offset)}`;
  // Rows skipped by an offset are read from an index only.
  const rows = await ctx.sql.query<Member>(
    `SELECT ${memberColumns}
       FROM (SELECT m.id FROM loyalty.members AS m
              WHERE ${where}${behindCursor} ORDER BY ${sorted} ${limits}) AS found
       JOIN loyalty.members AS m ON ${scoped} AND m.id = found.id
      ORDER BY ${sorted}`,
    params,
  );
  return page(request, rows, count);
}

/**
 * Written as constants, because the index of statuses other than ACTIVE is used only if the statement names
 * one.
 */
const inStatus: Readonly<Record<MemberStatus, string>> = {
  PENDING: `m.status = 'PENDING'`,
  ACTIVE: `m.status = 'ACTIVE'`,
  UNSUBSCRIBED: `m.status = 'UNSUBSCRIBED'`,
  INACTIVE: `m.status = 'INACTIVE'`,
  DEACTIVATION_PENDING: `m.status = 'DEACTIVATION_PENDING'`,
  DELETED: `m.status = 'DELETED'`,
};

/** Contains only the conditions that apply, so that each combination has its own plan. */
function conditionsOf(filter: MemberFilter, bind: (value: unknown) => string): string {
  const conditions = [
    scoped,
    filter.status ? inStatus[filter.status] : 'm.erased_at IS NULL',
    ...(filter.programId ? [`m.program_id = ${bind(filter.programId)}`] : []),
  ];
  if (filter.tagId) {
    conditions.push(`m.id IN (SELECT mt.member_id FROM loyalty.member_tags AS mt
      WHERE ${inScope('mt')} AND mt.tag_id = ${bind(filter.tagId)})`);
  }
  if (filter.search)
    // As an array, so that these are found first, whatever the planner estimates.
    conditions.push(`m.id = ANY(ARRAY(${foundIds(filter.search, bind)}))`);
  if (filter.tierId) conditions.push(`m.current_tier_id = ${bind(filter.tierId)}`);
  if (filter.storeId) conditions.push(`m.home_store_id = ${bind(filter.storeId)}`);
  const { joined, active, points } = filter;
  conditions.push(
    ...within(joined, 'm.created_at', bind),
    ...idsOf(joined, bind),
    ...within(active, 'm.last_activity_at', bind),
  );
  if (points.from !== null) conditions.push(`m.points_balance >= ${bind(points.from)}`);
  if (points.to !== null) conditions.push(`m.points_balance <= ${bind(points.to)}`);
  return conditions.join(' AND ');
}

/** Number of the newest members, or of those after the cursor, that are checked one by one. */
const NEWEST = 2_000;

/**
 * Returns the results of a search, sorted by id. Common names are found among the newest members, all others
 * by the index. The planner does not choose between the two, because it cannot estimate how often two words
 * occur together, nor how far from the newest members.
 */
async function searchedRows(ctx: Context, request: PageRequest, search: MemberSearch): Promise<Member[]> {
  const { size, offset, cursorId } = request;
  const { order, beyond } = scan(request);
  const rowsOf = (selected: (bind: (value: unknown) => string) => string) => {
    const params: unknown[] = [...scopeOf(ctx)];
    const ids = selected((value) => `$${params.push(value)}`);
    return ctx.sql.query<Member>(
      `SELECT ${memberColumns} FROM (${ids}) AS found
         JOIN loyalty.members AS m ON ${scoped} AND m.id = found.id ORDER BY m.id ${order}`,
      params,
    );
  };
  const behindCursor = (id: string, bind: (value: unknown) => string) =>
    cursorId ? `${id} ${beyond} ${bind(cursorId)}` : 'true';
  if (search.terms.length > 0 && offset === 0) {
    const rows = await rowsOf(
      (bind) => `SELECT s.id FROM (
          SELECT n.member_id AS id, n.terms FROM loyalty.member_search AS n
           WHERE ${inScope('n')} AND ${behindCursor('n.member_id', bind)}
           ORDER BY n.member_id ${order} LIMIT ${NEWEST}) AS s
       WHERE ${hasTerms(search, bind)} AND NOT EXISTS (${exactIds(search, bind)})
       ORDER BY s.id ${order} LIMIT ${bind(size + 1)}`,
    );
    if (rows.length > size) return rows;
  }
  // OFFSET 0: without it, members would be read in the order of their ids until the page is full.
  return rowsOf(
    (bind) => `SELECT f.id FROM (${foundIds(search, bind)} OFFSET 0) AS f
       WHERE ${behindCursor('f.id', bind)}
      ORDER BY f.id ${order} LIMIT ${bind(size + 1)} OFFSET ${bind(offset)}`,
  );
}

/** Selects the ids of the members that a search finds, each once. */
function foundIds(search: MemberSearch, bind: (value: unknown) => string): string {
  const exact = exactIds(search, bind);
  if (search.terms.length === 0) return exact;
  return `SELECT s.member_id AS id FROM loyalty.member_search AS s
     WHERE ${inScope('s')} AND ${hasTerms(search, bind)} AND s.member_id NOT IN (${exact})
     UNION ALL ${exact}`;
}

const hasTerms = ({ terms }: MemberSearch, bind: (value: unknown) => string): string =>
  terms.map((term) => `s.terms && ${bind(term.map(String))}::bigint[]`).join(' AND ');

/** Selects members for whom the text is the whole address, external id or id. */
function exactIds({ emailIndexes, externalId, id }: MemberSearch, bind: (value: unknown) => string): string {
  const is = [
    `e.email_index = ANY(${bind(emailIndexes)}::text[])`,
    `e.external_id = ${bind(externalId)}`,
    ...(id ? [`e.id = ${bind(id)}`] : []),
  ];
  return `SELECT e.id FROM loyalty.members AS e
     WHERE ${inScope('e')} AND e.erased_at IS NULL AND (${is.join(' OR ')})`;
}

const within = ({ from, to }: Instants, column: string, bind: (value: unknown) => string): string[] => [
  ...(from ? [`${column} >= ${bind(from)}`] : []),
  ...(to ? [`${column} < ${bind(to)}`] : []),
];

/** The id of a member is created at joining, so the index of ids excludes those of other days. */
const idsOf = ({ from, to }: Instants, bind: (value: unknown) => string): string[] => [
  ...(from ? [`m.id >= ${bind(firstIdAt(addMs(from, -MINUTE_MS)))}::uuid`] : []),
  ...(to ? [`m.id < ${bind(firstIdAt(addMs(to, MINUTE_MS)))}::uuid`] : []),
];

/** Selects those of these members that pass the filter. The ids are rows: a long array takes seconds. */
const among = (ctx: Context, ids: readonly string[], filter: MemberFilter) => {
  const params: unknown[] = [ctx.scope.workspaceId, ctx.scope.mode, ids];
  const where = conditionsOf(filter, (value) => `$${params.push(value)}`);
  const from = `FROM unnest($3::uuid[]) AS w(id) JOIN loyalty.members AS m ON ${scoped} AND m.id = w.id`;
  return { params, text: `${from} WHERE ${where}` };
};

/** Returns those of these members that pass the filter, in the order of the request. */
export function membersAmong(
  ctx: Context,
  ids: readonly string[],
  { filter, request }: { readonly filter: MemberFilter; readonly request: PageRequest },
): Promise<Member[]> {
  const { params, text } = among(ctx, ids, filter);
  return ctx.sql.query(`SELECT ${memberColumns} ${text} ORDER BY m.id ${scan(request).order}`, params);
}

/** Counts those of these members that pass the filter. */
export async function countAmong(
  ctx: Context,
  ids: readonly string[],
  filter: MemberFilter,
): Promise<number> {
  const { params, text } = among(ctx, ids, filter);
  const [row] = await ctx.sql.query<{ total: number }>(`SELECT count(*)::int AS total ${text}`, params);
  return row?.total ?? 0;
}
