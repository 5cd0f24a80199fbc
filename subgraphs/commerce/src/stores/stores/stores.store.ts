import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/loading/loaders';
import { type Page, type PageRequest, pageOf } from '@loyalty/platform/loading/pages';
import { columns, containing } from '@loyalty/prisma/columns';

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

const select = {
  ...columns('id', 'name', 'address', 'latitude', 'longitude', 'geofenceRadiusMeters'),
  ...columns('timeZone', 'hours', 'status', 'createdAt'),
};

export const storeById = loader(async (ctx, ids: readonly string[]) => {
  const rows: Store[] = await ctx.prisma.store.findMany({ where: { id: { in: [...ids] } }, select });
  return new Map(rows.map((row) => [row.id, row]));
});

/** The store as it is now, locked until the transaction ends. */
export const lockStore = (tx: Context, id: string): Promise<Store | null> =>
  tx.prisma.store.findFirstForUpdate({ where: { id }, select });

export const storesPage = (
  ctx: Context,
  request: PageRequest,
  { status, search }: { readonly status: StoreStatus | null; readonly search: string | null },
): Promise<Page<Store>> =>
  pageOf(ctx.prisma.store, request, {
    where: { ...(status && { status }), ...(search && { name: containing(search) }) },
    select,
  });

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
