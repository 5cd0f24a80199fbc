import { actorId } from '@loyalty/platform/base/caller';
import { MINUTE_MS } from '@loyalty/platform/base/clock';
import { invalid, notFound } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import { between } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { guardWrite } from '@loyalty/platform/identity/write-guard';
import { publish } from '@loyalty/platform/work/events';
import type { NearbyStoreFragment } from '#generated/peers';
import { findStoreRefs, questions } from '../peers.ts';
import { nearStore, storeDwell } from './location.events.ts';
import {
  deleteGeofenceEvents,
  type GeofenceEvent,
  type GeofenceEventType,
  geofenceEventsOf,
  insertGeofenceEvent,
  lockGeofence,
} from './location.store.ts';

const RADIUS_KM = 25;
const STORES_MAX = 20;
/**
 * Window in which the same event counts as a repetition. Devices with an inaccurate position report an event
 * repeatedly.
 */
const REPEATED_WITHIN_MS = 5 * MINUTE_MS;

type Refusal = 'GPC' | 'NO_CONSENT';

/** A store near the member. */
export interface Geofence extends Omit<NearbyStoreFragment, 'id'> {
  readonly storeId: string;
}

const eventOf = { ENTER: nearStore, DWELL: storeDwell } as const;

/**
 * Lists active stores within 25 km of the signed-in member, nearest first; empty if the member's location may
 * not be used. The place is used only for this response: no row, log, trace or error contains it.
 *
 * @param limit - 1 to 20. Default: 20
 * @throws AppError VALIDATION_FAILED (400), PEER_UNAVAILABLE (503)
 * @remarks Source: v2 REST API, section 4 "Location", POST /lbs/nearby-stores; rules 1, 2 and 4
 */
export async function listNearbyStores(
  ctx: Context,
  place: { readonly latitude: number; readonly longitude: number },
  limit: number | null | undefined,
): Promise<Geofence[]> {
  if (!(Math.abs(place.latitude) <= 90)) throw invalid('latitude', between(-90, 90));
  if (!(Math.abs(place.longitude) <= 180)) throw invalid('longitude', between(-180, 180));
  const count = limit ?? STORES_MAX;
  if (count < 1 || count > STORES_MAX) throw invalid('limit', between(1, STORES_MAX));
  if (await refusal(ctx, memberOf(ctx))) return [];
  const wanted = { ...place, radiusKm: RADIUS_KM, limit: count };
  const answer = await ctx.services.peers.ask(ctx, 'commerce', questions.StoresNear, wanted);
  return answer._storesNear.map(({ id, ...store }) => ({ storeId: id, ...store }));
}

/**
 * Records that the signed-in member entered the geofence of a store or stays there, and publishes
 * `location.near_store` or `location.store_dwell`. The same event within 5 minutes is a repetition and
 * changes nothing.
 *
 * @throws AppError STORE_NOT_FOUND (404) also for a store that is not active, RATE_LIMITED (429),
 * GUARD_UNAVAILABLE, PEER_UNAVAILABLE (503)
 * @remarks Source: v2 REST API, section 4 "Location", POST /lbs/geofence-event; rules 3 and 4
 */
export async function recordGeofenceEvent(
  ctx: Context,
  storeId: string,
  type: GeofenceEventType,
): Promise<{ readonly recorded: boolean; readonly reason: Refusal | null }> {
  await guardWrite(ctx, 'record');
  const [store] = await findStoreRefs(ctx, [storeId]);
  if (store?.status !== 'ACTIVE') throw notFound('store', storeId);
  const memberId = memberOf(ctx);
  const reason = await refusal(ctx, memberId);
  if (reason) return { recorded: false, reason };
  await ctx.transaction(async (tx) => {
    const id = newId(tx.clock);
    const seen = { id, memberId, storeId, type, occurredAt: tx.clock.now() };
    await lockGeofence(tx, seen);
    if (await insertGeofenceEvent(tx, seen, REPEATED_WITHIN_MS))
      await publish(tx, eventOf[type], { memberId, storeId, geofenceEventId: id });
  });
  return { recorded: true, reason: null };
}

/** Lists the stored geofence events of a member, newest first. */
export const listGeofenceEvents = (ctx: Context, memberId: string): Promise<GeofenceEvent[]> =>
  geofenceEventsOf(ctx, memberId);

/** Deletes the geofence events of an erased member. Can be repeated. */
export const eraseGeofenceEvents = (ctx: Context, memberId: string): Promise<void> =>
  deleteGeofenceEvents(ctx, memberId);

/**
 * Returns the reason why the location of a member may not be used, or null. The consent is read each time.
 */
async function refusal(ctx: Context, memberId: string): Promise<Refusal | null> {
  if (ctx.request.hasPrivacySignal) return 'GPC';
  const wanted = { memberId, purpose: 'PRECISE_LOCATION' } as const;
  const { _hasConsent } = await ctx.services.peers.ask(ctx, 'loyalty', questions.HasConsent, wanted);
  return _hasConsent ? null : 'NO_CONSENT';
}

const memberOf = ({ caller }: Context): string => actorId(caller)!;
