import type { Context } from '@loyalty/platform/context';
import { forgetNoted } from '../profile-changes/note-changes.service.ts';
import { lockProfiles } from '../profiles/profiles.service.ts';
import { forgetMembers } from './refresh-profiles.service.ts';

/** Deletes what segments know of an erased member, who leaves all of them. */
export async function forgetProfile(ctx: Context, memberId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    await lockProfiles(tx);
    await forgetNoted(tx, memberId);
    await forgetMembers(tx, [memberId]);
  });
}
