import type { Context } from '@loyalty/platform/context';
import { PROFILE_CHANGES_CHANNEL } from '../profile-changes/note-changes.service.ts';
import { type ProfileFreshness, profileFreshness, tryLockProfiles } from '../profiles/profiles.service.ts';
import { restartRebuild, startSync } from './profile-syncs.store.ts';
import { rebuildPage } from './rebuild-profiles.service.ts';

/**
 * Begins to keep the profiles of the workspace and mode, unless they are kept already. The first 1,000
 * members are read at once, the others by a worker. None of it is part of the caller's transaction: changes
 * of members must be noted before the first member is read.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function ensureProfiles(ctx: Context): Promise<void> {
  const outside = ctx.outsideTransaction();
  if (!(await startSync(outside))) return;
  await outside.transaction(async (tx) => {
    // Whoever has the lock has begun with it.
    if (await tryLockProfiles(tx)) await rebuildPage(tx);
  });
  wakeWorkers(ctx);
}

/** Has a worker read every member anew, from the first one on; profiles that are not kept stay so. */
export async function rebuildProfiles(ctx: Context): Promise<ProfileFreshness | null> {
  await restartRebuild(ctx, ['ALL']);
  wakeWorkers(ctx);
  return profileFreshness(ctx);
}

const wakeWorkers = (ctx: Context): void =>
  ctx.afterCommit(() => ctx.services.live.publish(PROFILE_CHANGES_CHANNEL, 'new'));
