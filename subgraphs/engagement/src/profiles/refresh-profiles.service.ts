import type { Context } from '@loyalty/platform/context';
import type { MemberProfileFragment } from '#generated/peers';
import type { Aspect } from '../conditions/condition.ts';
import { findRecordProfiles, questions } from '../peers.ts';
import { removeMemberships, updateMemberships } from './memberships.service.ts';
import { copyAllTracked, occurrencesSince, recordOccurrences } from './occurrences.service.ts';
import { replaceOccurrences } from './occurrences.store.ts';
import type { ProfileAspect } from './profile-events.ts';
import {
  deleteProfiles,
  membersWithProfile,
  type OccurrenceRow,
  type OrderFigures,
  type ProfileParts,
  putProfiles,
  type SignalFigures,
} from './profiles.store.ts';

/** Members, each with the aspects that may have changed. */
export type ChangedProfiles = ReadonlyMap<string, ReadonlySet<ProfileAspect>>;

/**
 * Updates the profiles of members, and then their memberships, in the caller's transaction, which has locked
 * the profiles. Profiles of members whom loyalty no longer has are deleted. Each other subgraph is queried at
 * most once, and only about members whose aspects concern it.
 *
 * @param changed - at most 1,000
 * @param read - profiles that the caller has read already, including visits that may have changed
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function refreshMembers(
  tx: Context,
  changed: ChangedProfiles,
  read: readonly MemberProfileFragment[] = [],
): Promise<void> {
  if (changed.size === 0) return;
  const known = await membersWithProfile(tx, [...changed.keys()]);
  const ids = [...changed.keys()].filter((id) => !known.has(id) || [...changed.get(id)!].some(isOfProfile));
  const affectedBy = (...aspects: readonly ProfileAspect[]) =>
    ids.filter(
      (id) => !known.has(id) || ['ALL' as const, ...aspects].some((one) => changed.get(id)!.has(one)),
    );
  const found = await profilesOf(tx, { ids, visitsOf: affectedBy('VISITS', 'COUPONS'), read });
  const foundIds = new Set(found.map(({ memberId }) => memberId));
  const onlyFound = (of: readonly string[]) => of.filter((id) => foundIds.has(id));
  const orders = await ordersOf(tx, onlyFound(affectedBy('ORDERS')));
  const signals = await signalsOf(tx, onlyFound(affectedBy('STATE')));
  await putProfiles(
    tx,
    found.map(
      ({ visits, ...basic }): ProfileParts => ({
        basic,
        visits,
        orders: orders.figures.get(basic.memberId) ?? null,
        signals: signals.get(basic.memberId) ?? null,
      }),
    ),
  );
  await putVisits(tx, found);
  await replaceOccurrences(tx, { memberIds: [...orders.figures.keys()], kinds: ['ORDER'] }, orders.rows);
  await refreshAll(tx, onlyFound(affectedBy()));
  await removeMembers(
    tx,
    ids.filter((id) => !foundIds.has(id) && known.has(id)),
  );
  const asked = new Set(ids);
  const present = [...changed.keys()].filter((id) => foundIds.has(id) || !asked.has(id));
  await refreshMemberships(tx, present, { changed, known });
}

/** Whether an aspect belongs to the profile. Tracked events and records are only occurrences. */
const isOfProfile = (aspect: ProfileAspect): boolean => !/^(TRACKED|RECORD):/.test(aspect);

/**
 * Returns profiles from loyalty. Profiles that were read already are used, unless they lack visits that are
 * needed.
 */
async function profilesOf(
  tx: Context,
  wanted: {
    readonly ids: readonly string[];
    readonly visitsOf: readonly string[];
    readonly read: readonly MemberProfileFragment[];
  },
): Promise<readonly MemberProfileFragment[]> {
  const visitsOf = new Set(wanted.visitsOf);
  const enough = wanted.read.filter(({ memberId, visits }) => visits !== null || !visitsOf.has(memberId));
  const have = new Set(enough.map(({ memberId }) => memberId));
  const ids = wanted.ids.filter((id) => !have.has(id));
  if (ids.length === 0) return enough;
  const since = occurrencesSince(tx);
  const asked = { ids, visitsOf: ids.filter((id) => visitsOf.has(id)), since };
  const answer = await tx.services.peers.ask(tx, 'loyalty', questions.MemberProfiles, asked);
  return [...enough, ...answer._memberProfiles];
}

/** Deletes profiles and memberships of members who no longer exist. The caller has locked the profiles. */
export async function removeMembers(tx: Context, memberIds: readonly string[]): Promise<void> {
  if (memberIds.length === 0) return;
  await deleteProfiles(tx, memberIds);
  await removeMemberships(tx, memberIds);
}

/** Updates the memberships of members after a change of their profiles. */
async function refreshMemberships(
  tx: Context,
  ids: readonly string[],
  { changed, known }: { readonly changed: ChangedProfiles; readonly known: ReadonlySet<string> },
): Promise<void> {
  const isAll = (id: string) => !known.has(id) || changed.get(id)!.has('ALL');
  const all = ids.filter(isAll);
  if (all.length > 0) await updateMemberships(tx, { memberIds: all, aspects: 'ALL' });
  const others = ids.filter((id) => !isAll(id));
  if (others.length === 0) return;
  const aspects = new Set(others.flatMap((id) => [...changed.get(id)!])) as ReadonlySet<Aspect>;
  await updateMemberships(tx, { memberIds: others, aspects });
}

/** Reads records and tracked events of members whose profile is new or completely read again. */
async function refreshAll(tx: Context, memberIds: readonly string[]): Promise<void> {
  if (memberIds.length === 0) return;
  const of = new Set(memberIds);
  const records = await findRecordProfiles(tx, { ids: [], memberIds });
  const rows = recordOccurrences(records).filter(({ memberId }) => of.has(memberId));
  await replaceOccurrences(tx, { memberIds, kinds: ['RECORD'] }, rows);
  await copyAllTracked(tx, memberIds);
}

async function putVisits(tx: Context, found: readonly MemberProfileFragment[]): Promise<void> {
  const withVisits = found.flatMap(({ memberId, visits }) => (visits ? [{ memberId, visits }] : []));
  const rows = withVisits.flatMap(({ memberId, visits }) =>
    visits.occurrences.map(
      ({ kind, at, id, placeId }): OccurrenceRow => ({
        ...{ memberId, kind, name: '', occurredAt: at, refId: id, placeId, amountMinor: null, data: null },
      }),
    ),
  );
  const memberIds = withVisits.map(({ memberId }) => memberId);
  await replaceOccurrences(tx, { memberIds, kinds: ['VISIT', 'COUPON_ISSUED', 'COUPON_REDEEMED'] }, rows);
}

async function ordersOf(
  tx: Context,
  memberIds: readonly string[],
): Promise<{ figures: ReadonlyMap<string, OrderFigures>; rows: readonly OccurrenceRow[] }> {
  if (memberIds.length === 0) return { figures: new Map(), rows: [] };
  const wanted = { memberIds, since: occurrencesSince(tx) };
  const found = (await tx.services.peers.ask(tx, 'commerce', questions.MemberOrders, wanted))._memberOrders;
  const rows = found.flatMap(({ memberId, orders }) =>
    orders.map(
      ({ id, at, storeId, netMinor }): OccurrenceRow => ({
        ...{ memberId, kind: 'ORDER', name: '', occurredAt: at, refId: id, placeId: storeId },
        ...{ amountMinor: netMinor, data: null },
      }),
    ),
  );
  return { figures: new Map(found.map(({ orders: _, ...figures }) => [figures.memberId, figures])), rows };
}

const NO_SIGNALS: SignalFigures = {
  purchaseScore: null,
  longGapScore: null,
  cartRemovalScore: null,
  overdueCycles: null,
  nextOrderOn: null,
  nextOrderConfidence: null,
  isLikelyLapsed: null,
};

async function signalsOf(
  tx: Context,
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, SignalFigures>> {
  if (memberIds.length === 0) return new Map();
  const answer = await tx.services.peers.ask(tx, 'model', questions.MemberSignals, { memberIds });
  return new Map([
    ...memberIds.map((id) => [id, NO_SIGNALS] as const),
    ...answer._memberSignals.map((signals) => [signals.memberId, signals] as const),
  ]);
}
