import type { Context } from '@loyalty/platform/context';
import { batches } from '@loyalty/platform/loading/batches';
import { findRecordProfiles } from '../../peers.ts';
import { type ProfileChange, takeNoted } from '../profile-changes/note-changes.service.ts';
import type { ProfileAspect } from '../profile-changes/profile-events.ts';
import { copyEvents, membersOfTracked, recordOccurrences } from './occurrences.service.ts';
import { deleteRecords, putOccurrences } from './occurrences.store.ts';
import { restartRebuild } from './profile-syncs.store.ts';
import { membersWithProfile } from './profiles.store.ts';
import { type ChangedProfiles, refreshMembers } from './refresh-profiles.service.ts';

/** Changes that one transaction takes, and members that it refreshes at a time. */
const BATCH = 500;

/**
 * Takes the oldest changes into profiles and memberships, in the caller's transaction, which has locked the
 * profiles: changes are gone only if what they lead to is kept.
 *
 * @returns how many were taken
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function takeChanges(tx: Context): Promise<number> {
  const taken = await takeNoted(tx, BATCH);
  const rebuilds = taken.filter(isAboutEverybody);
  if (rebuilds.length > 0) await restartRebuild(tx, [...new Set(rebuilds.flatMap(({ aspects }) => aspects))]);
  const eventIds = [...new Set(taken.flatMap((change) => change.eventIds))];
  const changed = joined(
    taken.flatMap(({ memberId, aspects }) => (memberId ? [[memberId, aspects] as const] : [])),
    await membersOfTracked(tx, eventIds),
    await takeRecords(tx, [...new Set(taken.flatMap(({ recordId }) => recordId ?? []))]),
  );
  await copyEvents(tx, eventIds);
  for (const some of batches([...changed], BATCH)) await refreshMembers(tx, new Map(some));
  return taken.length;
}

const isAboutEverybody = ({ memberId, recordId, eventIds }: ProfileChange): boolean =>
  memberId === null && recordId === null && eventIds.length === 0;

/** Gives records to the members whom they name now. Those with and without them have changed. */
async function takeRecords(tx: Context, ids: readonly string[]): Promise<ChangedProfiles> {
  if (ids.length === 0) return new Map();
  const records = await findRecordProfiles(tx, { ids, memberIds: [] });
  const before = await deleteRecords(tx, records);
  const now = recordOccurrences(records);
  // The profile of a new member, once it is written, has its records.
  const known = await membersWithProfile(tx, [...new Set(now.map(({ memberId }) => memberId))]);
  await putOccurrences(
    tx,
    now.filter(({ memberId }) => known.has(memberId)),
  );
  return joined([...before, ...now].map(({ memberId, name }) => [memberId, [`RECORD:${name}`]] as const));
}

type Changes = Iterable<readonly [memberId: string, aspects: Iterable<string>]>;

/** What changed of each member, by any of the lists. */
function joined(...lists: readonly Changes[]): ChangedProfiles {
  const all = new Map<string, Set<ProfileAspect>>();
  for (const list of lists)
    for (const [memberId, aspects] of list) {
      const known = all.get(memberId) ?? new Set<ProfileAspect>();
      for (const aspect of aspects) known.add(aspect as ProfileAspect);
      all.set(memberId, known);
    }
  return all;
}
