import type { Context } from '@loyalty/platform/context';
import { findSync, lockProfilesOf, type ProfileSync, tryLockProfilesOf } from './profile-syncs.store.ts';

/**
 * Locks the profiles and memberships of the workspace and mode until the transaction ends, so that one writes
 * them at a time.
 */
export const lockProfiles = (tx: Context): Promise<void> => lockProfilesOf(tx);

/** As `lockProfiles`, without waiting; false where somebody else has the lock. */
export const tryLockProfiles = (tx: Context): Promise<boolean> => tryLockProfilesOf(tx);

/** Whether the profiles of the workspace and mode are kept, and how far they are; null where they are not. */
export const profileSync = (ctx: Context): Promise<ProfileSync | null> => findSync(ctx);

/** How up to date profiles are. */
export interface ProfileFreshness {
  readonly asOf: Date | null;
  readonly rebuiltAt: Date | null;
  readonly isRebuilding: boolean;
}

/** How up to date the profiles of the workspace and mode are; null where they are not kept. */
export async function profileFreshness(ctx: Context): Promise<ProfileFreshness | null> {
  const sync = await findSync(ctx);
  if (!sync) return null;
  return { asOf: asOf(ctx, sync), rebuiltAt: sync.rebuiltAt, isRebuilding: sync.rebuiltToId !== null };
}

/**
 * Until when profiles are up to date: the time of the oldest change that they lack, or now.
 *
 * @returns null while they are not kept or incomplete
 */
export const profilesAsOf = async (ctx: Context): Promise<Date | null> =>
  (await profileFreshness(ctx))?.asOf ?? null;

function asOf(ctx: Context, { rebuiltAt, changedAt, rebuiltToId, startedAt }: ProfileSync): Date | null {
  if (!rebuiltAt) return null;
  const times = [ctx.clock.now(), changedAt, rebuiltToId === null ? null : startedAt];
  return new Date(Math.min(...times.flatMap((time) => time?.getTime() ?? [])));
}
