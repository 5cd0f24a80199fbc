import { conflict, invalid, notFound } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { newId } from '@loyalty/platform/base/ids';
import { checkText, type Given, given } from '@loyalty/platform/base/input';
import { between } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import { audit } from '@loyalty/platform/identity/audit';
import type { NearbyStore, StoreRef } from '#generated/schema';
import { optionalText } from '../optional-text.ts';
import { boxAround, type GeoPoint, type Reach } from './bounding-box.ts';
import { storesInBox } from './nearby-stores.store.ts';
import { checkHours } from './opening-hours.ts';
import {
  changeStore,
  findStoreRefs,
  insertStore,
  lockStore,
  type Store,
  type StoreDetails,
  type StoreStatus,
  storeById,
  storesPage,
} from './stores.store.ts';

/** By default, a new store has no coordinates, and therefore no geofence. */
const defaults = { latitude: null, longitude: null, geofenceRadiusMeters: 200, timeZone: null, hours: [] };

/** The statuses that may follow each status. */
const transitions: Record<StoreStatus, readonly StoreStatus[]> = {
  ACTIVE: ['PAUSED', 'ARCHIVED'],
  PAUSED: ['ACTIVE', 'ARCHIVED'],
  ARCHIVED: ['PAUSED'],
};

/**
 * Lists stores of the workspace, newest first.
 *
 * @throws AppError VALIDATION_FAILED for paging out of bounds
 * @remarks Source: v2 REST API, section 4 "Stores", GET /stores
 */
export async function listStores(
  ctx: Context,
  args: PageArgs & {
    readonly status?: StoreStatus | null | undefined;
    readonly search?: string | null | undefined;
  },
): Promise<Page<Store>> {
  return storesPage(ctx, pageRequest(args), {
    status: args.status ?? null,
    search: optionalText('search', args.search, 200),
  });
}

/** Returns a store by id, or null if the workspace has no such store. */
export const findStore = (ctx: Context, id: string): Promise<Store | null> => ctx.load(storeById, id);

/**
 * Creates a store in the status ACTIVE.
 *
 * @throws AppError VALIDATION_FAILED naming the field
 */
export async function createStore(
  ctx: Context,
  input: Given<StoreDetails> & Pick<StoreDetails, 'name' | 'address'>,
): Promise<Store> {
  const details = checkStore({ ...defaults, ...given(input), name: input.name, address: input.address });
  return ctx.transaction(async (tx) => {
    const store = await insertStore(tx, newId(tx.clock), details);
    await audit(tx, {
      action: 'createStore',
      resourceType: 'Store',
      resourceId: store.id,
      after: { ...store },
    });
    return store;
  });
}

/**
 * Changes the given details of a store. Two concurrent changes of different details are both kept.
 *
 * @throws AppError STORE_NOT_FOUND (404), VALIDATION_FAILED (400)
 */
export async function updateStore(ctx: Context, id: string, input: Given<StoreDetails>): Promise<Store> {
  return ctx.transaction(async (tx) => {
    const before = await getStoreLocked(tx, id);
    const after = await changeStore(tx, id, checkStore({ ...detailsOf(before), ...given(input) }));
    await audit(tx, {
      action: 'updateStore',
      resourceType: 'Store',
      resourceId: id,
      before: { ...before },
      after: { ...after },
    });
    return after;
  });
}

/**
 * Changes the status: active ⇄ paused, either → archived, archived → paused. Has no effect on a store that
 * already has this status.
 *
 * @throws AppError STORE_NOT_FOUND (404), STORE_STATUS_CONFLICT (409)
 */
export async function setStoreStatus(ctx: Context, id: string, status: StoreStatus): Promise<Store> {
  return ctx.transaction(async (tx) => {
    const before = await getStoreLocked(tx, id);
    if (before.status === status) return before;
    if (!transitions[before.status].includes(status)) {
      throw conflict(
        'STORE_STATUS_CONFLICT',
        `A store that is ${before.status.toLowerCase()} cannot become ${status.toLowerCase()}.`,
      );
    }
    const after = await changeStore(tx, id, { status });
    const change = { before: { status: before.status }, after: { status } };
    await audit(tx, { action: 'setStoreStatus', resourceType: 'Store', resourceId: id, ...change });
    return after;
  });
}

/**
 * Returns the store locked, because the audit entry contains the former details and a validation may need
 * details that are not changed.
 */
async function getStoreLocked(tx: Context, id: string): Promise<Store> {
  const store = await lockStore(tx, id);
  if (!store) throw notFound('store', id);
  return store;
}

const detailsOf = ({ id, status, createdAt, ...details }: Store): StoreDetails => details;

function checkStore(details: StoreDetails): StoreDetails {
  const { geofenceRadiusMeters } = details;
  return gathered((check) => {
    check(() => checkDegrees(details, 'latitude', 'longitude', 90));
    check(() => checkDegrees(details, 'longitude', 'latitude', 180));
    check(() => {
      if (geofenceRadiusMeters < 50 || geofenceRadiusMeters > 5_000)
        throw invalid('input.geofenceRadiusMeters', between(50, 5000));
    });
    return {
      ...details,
      name: check(() => checkText('input.name', details.name, 200)),
      address: check(() => checkText('input.address', details.address, 500)),
      hours: check(() => checkHours('input.hours', details.hours)),
    };
  });
}

type Coordinate = 'latitude' | 'longitude';

function checkDegrees(details: StoreDetails, own: Coordinate, other: Coordinate, most: number): void {
  const degrees = details[own];
  if (degrees !== null && Math.abs(degrees) > most) throw invalid(`input.${own}`, between(-most, most));
  if (degrees === null && details[other] !== null)
    throw invalid(`input.${own}`, `must be given together with ${other}`);
}

/** Stores by id, for other subgraphs. */
export const storeRefs = (ctx: Context, ids: readonly string[]): Promise<StoreRef[]> =>
  findStoreRefs(ctx, ids);

/**
 * Lists active stores with coordinates within a radius, nearest first. Distances are great-circle distances
 * on a sphere, rounded to metres.
 */
export const listStoresNear = (ctx: Context, place: GeoPoint, reach: Reach): Promise<NearbyStore[]> =>
  storesInBox(ctx, place, boxAround(place, reach.radiusKm), reach);
