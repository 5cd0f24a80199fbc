import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/loaders';
import { type Page, type PageRequest, page } from '@loyalty/platform/pages';

export type StoreStatus = 'ACTIVE' | 'PAUSED' | 'ARCHIVED';

/** What a client says about a store. */
export interface StoreDetails {
  readonly name: string;
  readonly address: string;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly geofenceRadiusMeters: number;
}

export interface Store extends StoreDetails {
  readonly id: string;
  readonly status: StoreStatus;
  readonly createdAt: Date;
}

const columns = `id, name, address, latitude, longitude, geofence_radius_meters AS "geofenceRadiusMeters",
  status, created_at AS "createdAt"`;

export const storeById = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<Store>(
    `SELECT ${columns} FROM commerce.stores WHERE workspace_id = $1 AND id = ANY($2::uuid[])`,
    [ctx.scope.workspaceId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

/** The store as it is now, kept from changing until the transaction ends. */
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
  const rows = await ctx.sql.query<Store>(
    `SELECT ${columns} FROM commerce.stores WHERE ${where} AND ($4::uuid IS NULL OR id < $4)
      ORDER BY id DESC LIMIT $5 OFFSET $6`,
    [...params, request.afterId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const sql = `SELECT count(*)::int AS total FROM commerce.stores WHERE ${where}`;
    const [counted] = await ctx.sql.query<{ total: number }>(sql, params);
    return counted?.total ?? 0;
  });
}

export async function insertStore(ctx: Context, id: string, details: StoreDetails): Promise<Store> {
  const now = ctx.clock.now();
  return ctx.prisma.store.create({
    data: {
      ...details,
      id,
      workspaceId: ctx.scope.workspaceId,
      status: 'ACTIVE',
      createdAt: now,
      updatedAt: now,
    },
    select,
  });
}

export async function changeStore(ctx: Context, id: string, details: StoreDetails): Promise<Store> {
  const { name, address, latitude, longitude, geofenceRadiusMeters } = details;
  return ctx.prisma.store.update({
    where: { workspaceId_id: { workspaceId: ctx.scope.workspaceId, id } },
    data: { name, address, latitude, longitude, geofenceRadiusMeters, updatedAt: ctx.clock.now() },
    select,
  });
}

export async function changeStatus(ctx: Context, id: string, status: StoreStatus): Promise<Store> {
  return ctx.prisma.store.update({
    where: { workspaceId_id: { workspaceId: ctx.scope.workspaceId, id } },
    data: { status, updatedAt: ctx.clock.now() },
    select,
  });
}

const select = {
  id: true,
  name: true,
  address: true,
  latitude: true,
  longitude: true,
  geofenceRadiusMeters: true,
  status: true,
  createdAt: true,
} as const;
