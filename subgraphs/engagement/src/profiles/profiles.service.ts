import type { Context } from '@loyalty/platform/context';
import { findSync, lockProfilesOf, type ProfileSync, tryLockProfilesOf } from './profile-syncs.store.ts';

/**
 * Locks the profiles and memberships of the workspace and mode until the transaction ends, so that writes are
 * serialized.
 */
export const lockProfiles = (tx: Context): Promise<void> => lockProfilesOf(tx);

/** As `lockProfiles`, without waiting. Returns false if another process holds the lock. */
export const tryLockProfiles = (tx: Context): Promise<boolean> => tryLockProfilesOf(tx);

/** Returns the state of the profiles of the workspace and mode; null if they are not maintained. */
export const profileSync = (ctx: Context): Promise<ProfileSync | null> => findSync(ctx);

/** The freshness of profiles. */
export interface ProfileFreshness {
  readonly asOf: Date | null;
  readonly rebuiltAt: Date | null;
  readonly isRebuilding: boolean;
}

/** Returns the freshness of the profiles of the workspace and mode; null if they are not maintained. */
export async function profileFreshness(ctx: Context): Promise<ProfileFreshness | null> {
  const sync = await findSync(ctx);
  if (!sync) return null;
  return { asOf: asOf(ctx, sync), rebuiltAt: sync.rebuiltAt, isRebuilding: sync.rebuiltToId !== null };
}

/**
 * Returns the time up to which profiles are current: the time of the oldest pending change, or now.
 *
 * @returns null if they are not maintained or incomplete
 */
export const profilesAsOf = async (ctx: Context): Promise<Date | null> =>
  (await profileFreshness(ctx))?.asOf ?? null;

function asOf(ctx: Context, { rebuiltAt, changedAt, rebuiltToId, startedAt }: ProfileSync): Date | null {
  if (!rebuiltAt) return null;
  const times = [ctx.clock.now(), changedAt, rebuiltToId === null ? null : startedAt];
  return new Date(Math.min(...times.flatMap((time) => time?.getTime() ?? [])));
}
