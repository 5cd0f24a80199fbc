import type { Context } from '@loyalty/platform/context';
import { watchSnapshot } from '@loyalty/platform/live/snapshots/watch-snapshot';
import { loader } from '@loyalty/platform/loading/loaders';
import { type MessageCount, messageCounts, sourceChannel } from '../../messages/source-messages.service.ts';
import { CAMPAIGN_NOUN, isEnded } from '../campaigns/campaign.ts';
import { type Campaign, getCampaign, readCampaign, variantsOf } from '../campaigns/campaigns.service.ts';
import { figuresOf, type RecipientFigures } from './campaign-figures.ts';

/** What became of the recipients, in all and by variant. */
export interface CampaignFigures extends RecipientFigures {
  readonly isAudienceComplete: boolean;
  readonly variants: readonly (RecipientFigures & { readonly key: string })[];
}

const countsBySource = loader(async (ctx, ids: readonly string[]) =>
  Map.groupBy(await messageCounts(ctx, ids), ({ sourceId }: MessageCount) => sourceId),
);

/** What became of a campaign so far; of those of a list it is read together. */
export async function campaignFigures(ctx: Context, campaign: Campaign): Promise<CampaignFigures> {
  const { id, journeyId, startedAt, audienceToId, status, recipientCounts } = campaign;
  const messages = startedAt ? ((await ctx.load(countsBySource, journeyId ?? id)) ?? []) : [];
  const isCancelled = status === 'CANCELLED';
  const variants = await variantsOf(ctx, campaign);
  return {
    ...figuresOf(recipientCounts, messages, isCancelled),
    isAudienceComplete: startedAt !== null && audienceToId === null,
    variants: variants.map(({ key }) => ({
      key,
      ...figuresOf(
        recipientCounts.filter(({ variant }) => variant === key),
        messages.filter(({ variant }) => variant === key),
        isCancelled,
      ),
    })),
  };
}

/**
 * The campaign as it is now, and after its changes, until it has ended.
 *
 * @throws AppError CAMPAIGN_NOT_FOUND (404)
 */
export async function watchCampaign(ctx: Context, id: string): Promise<AsyncIterableIterator<Campaign>> {
  const { journeyId } = await getCampaign(ctx, id);
  return watchSnapshot<Campaign>(ctx, {
    noun: CAMPAIGN_NOUN,
    id,
    alsoOn: sourceChannel(ctx.scope, journeyId ?? id),
    read: (reading) => readCampaign(reading, id),
    isEnded,
  });
}
