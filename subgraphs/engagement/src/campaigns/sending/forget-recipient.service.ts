import type { Context } from '@loyalty/platform/context';
import { changedCounts } from '../campaigns/recipient-counts.ts';
import { lockCampaign, writeCounts } from './campaign-claims.store.ts';
import { campaignsOfMember, lockWaiting, moveRecipients } from './recipients.store.ts';

const reason = 'MEMBER_ERASED';

/** Who was erased waits for no message any more. What is kept of a recipient names nobody. */
export async function forgetRecipient(ctx: Context, memberId: string): Promise<void> {
  for (const id of await campaignsOfMember(ctx, memberId)) {
    await ctx.transaction(async (tx) => {
      const campaign = await lockCampaign(tx, id);
      const variant = campaign && (await lockWaiting(tx, id, memberId));
      if (!campaign || variant === null) return;
      await moveRecipients(tx, id, [memberId], reason);
      const changes = [
        { variant, state: 'WAITING', reason: null, count: -1 },
        { variant, state: 'SKIPPED', reason, count: 1 },
      ] as const;
      await writeCounts(tx, id, changedCounts(campaign.recipientCounts, changes));
    });
  }
}
