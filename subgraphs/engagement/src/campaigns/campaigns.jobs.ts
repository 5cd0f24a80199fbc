import { job } from '@loyalty/platform/work/jobs';
import { type Loop, loop } from '@loyalty/platform/work/loops';
import { z } from 'zod';
import { CAMPAIGNS_CHANNEL } from './campaign.ts';
import { forgetRecipient } from './recipients.service.ts';
import { sendCampaigns } from './send-campaigns.service.ts';

const IDLE_MS = 1_000;

/** Finds the recipients of campaigns and makes their messages, of all workspaces. */
export const sendCampaignsLoop: Loop = loop('engagement.send-campaigns', {
  places: 1,
  wakes: CAMPAIGNS_CHANNEL,
  turn: async (ctx) => ((await sendCampaigns(ctx)) ? 0 : IDLE_MS),
});

/** For loyalty's event of a member who was erased. */
export const forgetRecipientJob = job(
  'engagement.forget-recipient',
  z.object({ memberId: z.uuid() }),
  (ctx, { memberId }) => forgetRecipient(ctx, memberId),
);
