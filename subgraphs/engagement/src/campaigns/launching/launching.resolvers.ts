import type { MutationResolvers } from '#generated/schema';
import {
  cancelCampaign,
  launchCampaign,
  pauseCampaign,
  resumeCampaign,
  scheduleCampaign,
} from './launching.service.ts';

export const Mutation = {
  launchCampaign: (_, { id }, ctx) => launchCampaign(ctx, id),
  scheduleCampaign: (_, { id, at, isLocalTime }, ctx) =>
    scheduleCampaign(ctx, id, { at, isLocalTime: isLocalTime ?? false }),
  pauseCampaign: (_, { id }, ctx) => pauseCampaign(ctx, id),
  resumeCampaign: (_, { id }, ctx) => resumeCampaign(ctx, id),
  cancelCampaign: (_, { id }, ctx) => cancelCampaign(ctx, id),
} satisfies MutationResolvers;
