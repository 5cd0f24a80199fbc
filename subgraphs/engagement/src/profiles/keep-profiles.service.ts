import type { Context } from '@loyalty/platform/context';
import { questions } from '../peers.ts';
import { occurrencesSince } from './occurrences.service.ts';
import { occurrencesOf } from './occurrences.store.ts';
import { eraseChanges, PROFILE_CHANGES_CHANNEL } from './profile-changes.service.ts';
import type { ProfileAspect } from './profile-events.ts';
import { moveRebuild, restartRebuild, startSync } from './profile-syncs.store.ts';
import {
  lockProfiles,
  type ProfileFreshness,
  profileFreshness,
  profileSync,
  tryLockProfiles,
} from './profiles.service.ts';
import { profileOf, profilesBetween } from './profiles.store.ts';
import { refreshMembers, removeMembers } from './refresh-profiles.service.ts';

/**
 * Starts to maintain the profiles of the workspace and mode, if this has not been done before. The first
 * 1,000 members are read now, the others by a worker. This runs outside the caller's transaction, because
 * changes of members must be recorded before the first member is read.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function ensureProfiles(ctx: Context): Promise<void> {
  const outside = ctx.outsideTransaction();
  if (!(await startSync(outside))) return;
  await outside.transaction(async (tx) => {
    // If another process holds the lock, it has already started this work.
    if (await tryLockProfiles(tx)) await rebuildPage(tx);
  });
  wakeWorkers(ctx);
}

/** Requests that a worker reads all members again. Has no effect if profiles are not maintained. */
export async function rebuildProfiles(ctx: Context): Promise<ProfileFreshness | null> {
  await restartRebuild(ctx, ['ALL']);
  wakeWorkers(ctx);
  return profileFreshness(ctx);
}

const wakeWorkers = (ctx: Context): void =>
  ctx.afterCommit(() => ctx.services.live.publish(PROFILE_CHANGES_CHANNEL, 'new'));

/** Batch size: members that one transaction reads again. */
const REBUILD_PAGE = 1_000;

/** Greater than or equal to all ids. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Reads the next members again, if a rebuild is running, in the caller's transaction, which has locked the
 * profiles. After a crash, the rebuild continues after the last committed page.
 *
 * @param size - members, at most 1,000
 * @returns false if there was nothing to do
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function rebuildPage(tx: Context, size = REBUILD_PAGE): Promise<boolean> {
  const sync = await profileSync(tx);
  const afterId = sync?.rebuiltToId ?? null;
  if (!sync || afterId === null) return false;
  const aspects = new Set(sync.rebuildAspects as readonly ProfileAspect[]);
  const withVisits = !sync.rebuiltAt || ['ALL', 'VISITS', 'COUPONS'].some((one) => aspects.has(one as 'ALL'));
  const wanted = { afterId, first: size, withVisits, since: occurrencesSince(tx) };
  const answer = await tx.services.peers.ask(tx, 'loyalty', questions.MemberProfilesPage, wanted);
  const { members, toId } = answer._memberProfilesPage;
  const pageIds = new Set(members.map(({ memberId }) => memberId));
  const kept = await profilesBetween(tx, { afterId, toId: toId ?? LAST_ID });
  await removeMembers(
    tx,
    kept.filter((id) => !pageIds.has(id)),
  );
  await refreshMembers(tx, new Map([...pageIds].map((id) => [id, aspects])), members);
  await moveRebuild(tx, toId);
  return true;
}

/** Deletes the profile and the memberships of an erased member. */
export async function eraseProfile(ctx: Context, memberId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    await lockProfiles(tx);
    await eraseChanges(tx, memberId);
    await removeMembers(tx, [memberId]);
  });
}

/** Returns the profile of a member for an export; null if there is none. */
export async function exportedProfile(
  ctx: Context,
  memberId: string,
): Promise<Record<string, unknown> | null> {
  const profile = await profileOf(ctx, memberId);
  return profile && { ...profile, occurrences: await occurrencesOf(ctx, memberId) };
}
