import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import { firstIdAt } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import type { RecordProfileFragment } from '#generated/peers';
import { copyTracked, copyTrackedOf, trackedMembers } from './occurrences.store.ts';
import type { ProfileAspect } from './profile-events.ts';
import type { OccurrenceRow } from './profiles.store.ts';

/**
 * Start of the retention of occurrences, which is the same as of tracked events. Records are kept as long as
 * they exist.
 */
export const occurrencesSince = ({ clock, services }: Context): Date =>
  addMs(clock.now(), -services.config.TRACKING_DAYS * DAY_MS);

/** Returns the members of tracked events, with the aspects that the events change. */
export async function membersOfTracked(
  tx: Context,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<ProfileAspect>>> {
  if (eventIds.length === 0) return new Map();
  const found = await trackedMembers(tx, eventIds);
  const byMember = Map.groupBy(found, ({ memberId }) => memberId);
  return new Map(
    [...byMember].map(([id, events]) => [
      id,
      new Set(events.map(({ event }) => `TRACKED:${event}` as const)),
    ]),
  );
}

/**
 * Copies tracked events of members who have a profile. Events of other members are copied when their profile
 * is created.
 */
export async function copyEvents(tx: Context, eventIds: readonly string[]): Promise<void> {
  if (eventIds.length > 0) await copyTracked(tx, eventIds);
}

/** Copies all stored tracked events of members. */
export async function copyAllTracked(tx: Context, memberIds: readonly string[]): Promise<void> {
  await copyTrackedOf(tx, memberIds, firstIdAt(occurrencesSince(tx)));
}

/** Returns the occurrences of records: one for each member to whom a record refers. */
export const recordOccurrences = (records: readonly RecordProfileFragment[]): OccurrenceRow[] =>
  records
    .filter(({ isDeleted }) => !isDeleted)
    .flatMap(({ id, type, memberIds, data, createdAt }) =>
      memberIds.map(
        (memberId): OccurrenceRow => ({
          ...{ memberId, kind: 'RECORD', name: type, occurredAt: createdAt, refId: id },
          ...{ placeId: null, amountMinor: null, data },
        }),
      ),
    );
