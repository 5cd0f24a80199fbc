import { job } from '@loyalty/platform/work/jobs';
import { type Loop, loop } from '@loyalty/platform/work/loops';
import { z } from 'zod';
import { CAMPAIGNS_CHANNEL } from './campaign.ts';
import { eraseRecipient } from './recipients.service.ts';
import { sendCampaigns } from './send-campaigns.service.ts';

const IDLE_MS = 1_000;

/** Finds the recipients of campaigns of all workspaces and queues their messages. */
export const sendCampaignsLoop: Loop = loop('engagement.send-campaigns', {
  places: 1,
  wakes: CAMPAIGNS_CHANNEL,
  turn: async (ctx) => ((await sendCampaigns(ctx)) ? 0 : IDLE_MS),
});

/** Runs after a member was erased. */
export const eraseRecipientJob = job(
  'engagement.forget-recipient',
  z.object({ memberId: z.uuid() }),
  (ctx, { memberId }) => eraseRecipient(ctx, memberId),
);
