import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/database/pages';
import { columns, inSql } from '@loyalty/prisma/columns';
import type { StoreRef } from '#generated/schema';

export type StoreStatus = 'ACTIVE' | 'PAUSED' | 'ARCHIVED';

export type Weekday = 'MONDAY' | 'TUESDAY' | 'WEDNESDAY' | 'THURSDAY' | 'FRIDAY' | 'SATURDAY' | 'SUNDAY';

/** A period in which the store is open on a day of each week, in the store's local time. */
export interface OpeningHours {
  readonly weekday: Weekday;
  /** HH:MM. */
  readonly opensAt: string;
  /** HH:MM, later than `opensAt`. 24:00 is the end of the day. */
  readonly closesAt: string;
}

/** The details of a store that a client can set. */
export interface StoreDetails {
  readonly name: string;
  readonly address: string;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly geofenceRadiusMeters: number;
  /** IANA name; null if the store uses the time zone of the workspace. */
  readonly timeZone: string | null;
  readonly hours: readonly OpeningHours[];
}

export interface Store extends StoreDetails {
  readonly id: string;
  readonly status: StoreStatus;
  readonly createdAt: Date;
}

const select = {
  ...columns('id', 'name', 'address', 'latitude', 'longitude', 'geofenceRadiusMeters'),
  ...columns('timeZone', 'hours', 'status', 'createdAt'),
};

const sqlColumns = inSql(select);

/** In SQL, because each order and visit reads a store. */
export const storeById = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<Store>(
    `SELECT ${sqlColumns} FROM commerce.stores WHERE workspace_id = $1 AND id = ANY($2::uuid[])`,
    [ctx.scope.workspaceId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

/** Reads a store and locks it until the transaction ends. */
export const lockStore = (tx: Context, id: string): Promise<Store | null> =>
  tx.prisma.store.findFirstForUpdate({ where: { id }, select });

/** In SQL, because apps read this list often. */
export async function storesPage(
  ctx: Context,
  request: PageRequest,
  filter: { status: StoreStatus | null; search: string | null },
): Promise<Page<Store>> {
  const where = `workspace_id = $1 AND ($2::commerce."StoreStatus" IS NULL OR status = $2)
             AND ($3::text IS NULL OR position(lower($3) IN lower(name)) > 0)`;
  const params = [ctx.scope.workspaceId, filter.status, filter.search];
  const { order, beyond } = scan(request);
  const rows = await ctx.sql.query<Store>(
    `SELECT ${sqlColumns} FROM commerce.stores WHERE ${where} AND ($4::uuid IS NULL OR id ${beyond} $4)
      ORDER BY id ${order} LIMIT $5 OFFSET $6`,
    [...params, request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const sql = `SELECT count(*)::int AS total FROM commerce.stores WHERE ${where}`;
    const [counted] = await ctx.sql.query<{ total: number }>(sql, params);
    return counted?.total ?? 0;
  });
}

export function insertStore(ctx: Context, id: string, details: StoreDetails): Promise<Store> {
  const now = ctx.clock.now();
  const data = { id, ...details, status: 'ACTIVE', createdAt: now, updatedAt: now } as const;
  return ctx.prisma.store.create({ data, select });
}

export async function changeStore(
  ctx: Context,
  id: string,
  change: StoreDetails | { readonly status: StoreStatus },
): Promise<Store> {
  const data = { ...change, updatedAt: ctx.clock.now() };
  const [row] = await ctx.prisma.store.updateManyAndReturn({ where: { id }, data, select });
  return row!;
}

export const findStoreRefs = (ctx: Context, ids: readonly string[]): Promise<StoreRef[]> =>
  ctx.sql.query<StoreRef>(
    `SELECT id, status, time_zone
       FROM commerce.stores WHERE workspace_id = $1 AND id = ANY($2::uuid[])`,
    [ctx.scope.workspaceId, ids],
  );
