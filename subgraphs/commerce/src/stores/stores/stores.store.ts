import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/loading/loaders';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/loading/pages';

export type StoreStatus = 'ACTIVE' | 'PAUSED' | 'ARCHIVED';

export type Weekday = 'MONDAY' | 'TUESDAY' | 'WEDNESDAY' | 'THURSDAY' | 'FRIDAY' | 'SATURDAY' | 'SUNDAY';

/** A period in which the store is open on a day of each week, in the store's local time. */
export interface OpeningHours {
  readonly weekday: Weekday;
  /** HH:MM. */
  readonly opensAt: string;
  /** HH:MM, later than `opensAt`; 24:00 is the end of the day. */
  readonly closesAt: string;
}

/** What a client says about a store. */
export interface StoreDetails {
  readonly name: string;
  readonly address: string;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly geofenceRadiusMeters: number;
  /** IANA name; null if the store uses the workspace's. */
  readonly timeZone: string | null;
  readonly hours: readonly OpeningHours[];
}

export interface Store extends StoreDetails {
  readonly id: string;
  readonly status: StoreStatus;
  readonly createdAt: Date;
}

const columns = `id, name, address, latitude, longitude, geofence_radius_meters, time_zone, hours, status,
  created_at`;

export const storeById = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<Store>(
    `SELECT ${columns} FROM commerce.stores WHERE workspace_id = $1 AND id = ANY($2::uuid[])`,
    [ctx.scope.workspaceId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

/** The store as it is now, locked until the transaction ends. */
export async function lockStore(tx: Context, id: string): Promise<Store | null> {
  const [row] = await tx.sql.query<Store>(
    `SELECT ${columns} FROM commerce.stores WHERE workspace_id = $1 AND id = $2 FOR UPDATE`,
    [tx.scope.workspaceId, id],
  );
  return row ?? null;
}

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
    `SELECT ${columns} FROM commerce.stores WHERE ${where} AND ($4::uuid IS NULL OR id ${beyond} $4)
      ORDER BY id ${order} LIMIT $5 OFFSET $6`,
    [...params, request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const sql = `SELECT count(*)::int AS total FROM commerce.stores WHERE ${where}`;
    const [counted] = await ctx.sql.query<{ total: number }>(sql, params);
    return counted?.total ?? 0;
  });
}

const valuesOf = ({ scope, clock }: Context, id: string, details: StoreDetails) => [
  scope.workspaceId,
  id,
  details.name,
  details.address,
  details.latitude,
  details.longitude,
  details.geofenceRadiusMeters,
  details.timeZone,
  JSON.stringify(details.hours),
  clock.now(),
];

export async function insertStore(ctx: Context, id: string, details: StoreDetails): Promise<Store> {
  const [row] = await ctx.sql.query<Store>(
    `INSERT INTO commerce.stores (workspace_id, id, name, address, latitude, longitude,
       geofence_radius_meters, time_zone, hours, status, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'ACTIVE', $10, $10)
     RETURNING ${columns}`,
    valuesOf(ctx, id, details),
  );
  return row!;
}

export async function changeStore(ctx: Context, id: string, details: StoreDetails): Promise<Store> {
  const [row] = await ctx.sql.query<Store>(
    `UPDATE commerce.stores
        SET name = $3, address = $4, latitude = $5, longitude = $6, geofence_radius_meters = $7,
            time_zone = $8, hours = $9, updated_at = $10
      WHERE workspace_id = $1 AND id = $2
     RETURNING ${columns}`,
    valuesOf(ctx, id, details),
  );
  return row!;
}

export async function changeStatus(ctx: Context, id: string, status: StoreStatus): Promise<Store> {
  const [row] = await ctx.sql.query<Store>(
    `UPDATE commerce.stores SET status = $3::commerce."StoreStatus", updated_at = $4
      WHERE workspace_id = $1 AND id = $2
     RETURNING ${columns}`,
    [ctx.scope.workspaceId, id, status, ctx.clock.now()],
  );
  return row!;
}
