import { userOf } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { connection } from '@loyalty/platform/database/pages';
import type {
  CampaignResolvers,
  CampaignVariantResolvers,
  MutationResolvers,
  QueryResolvers,
  SegmentEstimateResolvers,
} from '#generated/schema';
import { findJourney } from '../journeys/journeys.service.ts';
import { findSegment, getSegment } from '../segments/segments.service.ts';
import { findMessageTemplate } from '../templates/templates.service.ts';
import { estimateAudience } from './audiences.service.ts';
import { findCampaign, listCampaigns, previewCampaign, variantsOf } from './campaigns.service.ts';
import {
  createCampaign,
  deleteCampaign,
  duplicateCampaign,
  updateCampaign,
} from './edit-campaigns.service.ts';
import {
  cancelCampaign,
  launchCampaign,
  pauseCampaign,
  resumeCampaign,
  scheduleCampaign,
} from './launching.service.ts';

export const Query = {
  campaign: (_, { id }, ctx) => findCampaign(ctx, id),
  campaigns: async (_, args, ctx) => connection(await listCampaigns(ctx, args)),
  previewCampaign: (_, { id, variant, memberId }, ctx) =>
    previewCampaign(ctx, { id, variant: variant ?? null, memberId: memberId ?? null }),
  estimateAudience: (_, { input }, ctx) => estimateAudience(ctx, input),
} satisfies QueryResolvers;

export const Mutation = {
  createCampaign: (_, { input }, ctx) => createCampaign(ctx, input),
  updateCampaign: (_, { id, input }, ctx) => updateCampaign(ctx, id, input),
  deleteCampaign: (_, { id }, ctx) => deleteCampaign(ctx, id),
  duplicateCampaign: (_, { id, name }, ctx) => duplicateCampaign(ctx, id, name ?? null),
  launchCampaign: (_, { id }, ctx) => launchCampaign(ctx, id),
  scheduleCampaign: (_, { id, at, isLocalTime }, ctx) =>
    scheduleCampaign(ctx, id, { at, isLocalTime: isLocalTime ?? false }),
  pauseCampaign: (_, { id }, ctx) => pauseCampaign(ctx, id),
  resumeCampaign: (_, { id }, ctx) => resumeCampaign(ctx, id),
  cancelCampaign: (_, { id }, ctx) => cancelCampaign(ctx, id),
} satisfies MutationResolvers;

export const Campaign = {
  __resolveReference: ({ id }, ctx) => findCampaign(ctx, id),
  segments: ({ segmentIds }, _, ctx) => segmentsOf(ctx, segmentIds),
  excludedSegments: ({ excludedSegmentIds }, _, ctx) => segmentsOf(ctx, excludedSegmentIds),
  variants: async (campaign, _, ctx) => [...(await variantsOf(ctx, campaign))],
  journey: ({ journeyId }, _, ctx) => (journeyId ? findJourney(ctx, journeyId) : null),
  createdBy: ({ actor }) => userOf(actor),
} satisfies CampaignResolvers;

export const CampaignVariant = {
  template: ({ templateId }, _, ctx) => (templateId ? findMessageTemplate(ctx, templateId) : null),
} satisfies CampaignVariantResolvers;

async function segmentsOf(ctx: Context, ids: readonly string[]) {
  const found = await Promise.all(ids.map((id) => findSegment(ctx, id)));
  return found.flatMap((segment) => (segment ? [segment] : []));
}

export const SegmentEstimate = {
  segment: ({ segmentId }, _, ctx) => getSegment(ctx, segmentId),
} satisfies SegmentEstimateResolvers;
