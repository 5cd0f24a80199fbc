import type { Context } from '@loyalty/platform/context';
import { occurrencesOf } from './occurrences.store.ts';
import { profileOf } from './profiles.store.ts';

/** What segments know of a member, for an export; null where nothing is kept. */
export async function exportedProfile(
  ctx: Context,
  memberId: string,
): Promise<Record<string, unknown> | null> {
  const profile = await profileOf(ctx, memberId);
  return profile && { ...profile, occurrences: await occurrencesOf(ctx, memberId) };
}
