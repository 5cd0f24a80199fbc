import type { Context } from '@loyalty/platform/context';
import { rowsOf } from '@loyalty/platform/database/array-parameters';
import { loader } from '@loyalty/platform/database/loaders';
import { type Placed, pageLoader } from '@loyalty/platform/database/page-loader';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/database/pages';
import { inScope } from '@loyalty/platform/database/scope-sql';
import type { MemberStatus } from '../members/members.service.ts';

export type VisitSource = 'QR' | 'REDEEM' | 'API';

export interface StoreVisit {
  readonly id: string;
  readonly memberId: string;
  readonly storeId: string;
  /** YYYY-MM-DD. */
  readonly visitedOn: string;
  readonly visitedAt: Date;
  readonly source: VisitSource;
}

export interface VisitSummary {
  readonly count: number;
  readonly lastAt: Date | null;
}

const columns = `v.id, v.member_id, v.store_id, v.visited_on::text AS visited_on, v.visited_at, v.source`;
const scoped = inScope('v');

/**
 * Returns null if the member has a visit of this store and day, or none of the statuses: the unique index
 * decides which call was first.
 */
export async function insertVisit(
  ctx: Context,
  visit: StoreVisit,
  allowedStatuses: readonly MemberStatus[],
): Promise<StoreVisit | null> {
  const { workspaceId, mode } = ctx.scope;
  const { id, memberId, storeId, visitedOn, visitedAt, source } = visit;
  const [row] = await ctx.sql.query<StoreVisit>(
    `INSERT INTO loyalty.store_visits AS v
       (workspace_id, mode, id, member_id, store_id, visited_on, visited_at, source)
     SELECT $1::uuid, $2::platform."Mode", $4::uuid, m.id, $5::uuid, $6::text::date, $7::timestamptz,
            $8::loyalty."VisitSource"
       FROM loyalty.members AS m
      WHERE ${inScope('m')} AND m.id = $3
        AND m.status = ANY($9::loyalty."MemberStatus"[])
     ON CONFLICT DO NOTHING
     RETURNING ${columns}`,
    [workspaceId, mode, memberId, id, storeId, visitedOn, visitedAt, source, allowedStatuses],
  );
  return row ?? null;
}

export async function findVisit(
  ctx: Context,
  memberId: string,
  storeId: string,
  visitedOn: string,
): Promise<StoreVisit | null> {
  const [row] = await ctx.sql.query<StoreVisit>(
    `SELECT ${columns} FROM loyalty.store_visits AS v
      WHERE ${scoped} AND v.member_id = $3 AND v.store_id = $4 AND v.visited_on = $5::text::date`,
    [ctx.scope.workspaceId, ctx.scope.mode, memberId, storeId, visitedOn],
  );
  return row ?? null;
}

export const visitById = loader(async (ctx, ids: readonly string[]) => {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query<StoreVisit>(
    `SELECT ${columns} FROM loyalty.store_visits AS v WHERE ${scoped} AND v.id = ANY($3::uuid[])`,
    [workspaceId, mode, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

export async function storeVisitsPage(
  ctx: Context,
  request: PageRequest,
  filter: { readonly storeId: string; readonly from: string | null; readonly to: string | null },
): Promise<Page<StoreVisit>> {
  const { workspaceId, mode } = ctx.scope;
  const where = `${scoped} AND v.store_id = $3
    AND ($4::text IS NULL OR v.visited_on >= $4::text::date)
    AND ($5::text IS NULL OR v.visited_on <= $5::text::date)`;
  const params = [workspaceId, mode, filter.storeId, filter.from, filter.to];
  const { order, beyond } = scan(request);
  const rows = await ctx.sql.query<StoreVisit>(
    `SELECT ${columns} FROM loyalty.store_visits AS v
      WHERE ${where}
        AND ($6::uuid IS NULL OR (v.visited_on, v.id) ${beyond} (
              SELECT a.visited_on, a.id FROM loyalty.store_visits AS a
               WHERE ${inScope('a')} AND a.id = $6))
      ORDER BY v.visited_on ${order}, v.id ${order} LIMIT $7 OFFSET $8`,
    [...params, request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const sql = `SELECT count(*)::int AS total FROM loyalty.store_visits AS v WHERE ${where}`;
    const [counted] = await ctx.sql.query<{ total: number }>(sql, params);
    return counted?.total ?? 0;
  });
}

/** Loads a page of a member's visits. Batched by member. */
export const memberVisits = pageLoader<string, StoreVisit>((ctx, wanted) => {
  const { workspaceId, mode } = ctx.scope;
  const { owners, limits, offsets, cursorIds, order, beyond } = wanted;
  return ctx.sql.query<Placed<StoreVisit>>(
    `SELECT w.place, found.*
       FROM ${rowsOf('$3::uuid[], $4::int[], $5::int[], $6::uuid[]')}
            WITH ORDINALITY AS w(member_id, rows, skip, cursor_id, place)
      CROSS JOIN LATERAL (
        SELECT ${columns} FROM loyalty.store_visits AS v
         WHERE ${scoped} AND v.member_id = w.member_id
           AND (w.cursor_id IS NULL OR v.id ${beyond} w.cursor_id)
         ORDER BY v.id ${order} LIMIT w.rows OFFSET w.skip
      ) AS found
      ORDER BY w.place, found.id ${order}`,
    [workspaceId, mode, owners, limits, offsets, cursorIds],
  );
});

export const summaryByMember = loader(async (ctx, memberIds: readonly string[]) => {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query<VisitSummary & { memberId: string }>(
    `SELECT v.member_id, count(*)::int AS count, max(v.visited_at) AS last_at
       FROM loyalty.store_visits AS v WHERE ${scoped} AND v.member_id = ANY($3::uuid[]) GROUP BY v.member_id`,
    [workspaceId, mode, memberIds],
  );
  return new Map(rows.map(({ memberId, ...summary }) => [memberId, summary]));
});
