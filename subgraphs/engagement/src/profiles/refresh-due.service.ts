import { batches } from '@loyalty/platform/base/batches';
import { systemCaller } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { findRecordProfiles } from '../peers.ts';
import { rebuildPage } from './keep-profiles.service.ts';
import { copyEvents, membersOfTracked, recordOccurrences } from './occurrences.service.ts';
import { deleteRecords, putOccurrences } from './occurrences.store.ts';
import { type ProfileChange, takeRecorded } from './profile-changes.service.ts';
import type { ProfileAspect } from './profile-events.ts';
import { clearFailures, recordFailure, restartRebuild, syncsBehind } from './profile-syncs.store.ts';
import { tryLockProfiles } from './profiles.service.ts';
import { membersWithProfile } from './profiles.store.ts';
import { type ChangedProfiles, refreshMembers } from './refresh-profiles.service.ts';

/**
 * Updates profiles of all workspaces by one step: for each workspace with pending work, a batch of changes
 * and a page of its rebuild, the longest waiting ones first. After a failure, the workspace is postponed, and
 * the others continue. Any number of workers may run at the same time: a workspace that one of them has
 * locked is skipped by the others.
 *
 * @returns whether there was anything to do
 */
export async function refreshDue(ctx: Context): Promise<boolean> {
  let isBusy = false;
  for (const scope of await syncsBehind(ctx)) {
    const own = ctx.as(systemCaller('refresh-profiles', scope));
    try {
      if (await refreshOne(own)) isBusy = true;
    } catch (error) {
      ctx.log.error({ err: error, ...scope }, 'profiles could not be refreshed');
      await recordFailure(own);
    }
  }
  return isBusy;
}

/** Each step is a transaction. If it fails or its worker is killed, the changes are pending again. */
async function refreshOne(ctx: Context): Promise<boolean> {
  const taken = await inStep(ctx, async (tx) => (await takeChanges(tx)) > 0);
  const rebuilt = await inStep(ctx, (tx) => rebuildPage(tx));
  if (taken || rebuilt) await clearFailures(ctx);
  return taken || rebuilt;
}

const inStep = (ctx: Context, step: (tx: Context) => Promise<boolean>): Promise<boolean> =>
  ctx.transaction(async (tx) => (await tryLockProfiles(tx)) && step(tx));

/** Batch size: changes per transaction, and members per refresh. */
const BATCH = 500;

/**
 * Applies the oldest changes to profiles and memberships, in the caller's transaction, which has locked the
 * profiles. Changes are deleted only together with the commit of their results.
 *
 * @returns the number of changes
 * @throws AppError PEER_UNAVAILABLE (503)
 */
async function takeChanges(tx: Context): Promise<number> {
  const taken = await takeRecorded(tx, BATCH);
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

/**
 * Moves the occurrences of records to the members to whom the records refer now. Returns the members before
 * and after.
 */
async function takeRecords(tx: Context, ids: readonly string[]): Promise<ChangedProfiles> {
  if (ids.length === 0) return new Map();
  const records = await findRecordProfiles(tx, { ids, memberIds: [] });
  const before = await deleteRecords(tx, records);
  const now = recordOccurrences(records);
  // Members without a profile are skipped: their records are read when the profile is created.
  const known = await membersWithProfile(tx, [...new Set(now.map(({ memberId }) => memberId))]);
  await putOccurrences(
    tx,
    now.filter(({ memberId }) => known.has(memberId)),
  );
  return joined([...before, ...now].map(({ memberId, name }) => [memberId, [`RECORD:${name}`]] as const));
}

type Changes = Iterable<readonly [memberId: string, aspects: Iterable<string>]>;

/** Merges lists of changed aspects by member. */
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
