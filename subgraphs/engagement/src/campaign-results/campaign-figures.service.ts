import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { watchSnapshot } from '@loyalty/platform/subscriptions/watch-snapshot';
import { CAMPAIGN_NOUN, isEnded, type RecipientCounts } from '../campaigns/campaign.ts';
import { type Campaign, getCampaign, readCampaign, variantsOf } from '../campaigns/campaigns.service.ts';
import { type MessageCount, messageCounts, sourceChannel } from '../messages/source-messages.service.ts';

/** The figures of a campaign's recipients, in total and by variant. */
export interface CampaignFigures extends RecipientFigures {
  readonly isAudienceComplete: boolean;
  readonly variants: readonly (RecipientFigures & { readonly key: string })[];
}

const countsBySource = loader(async (ctx, ids: readonly string[]) =>
  Map.groupBy(await messageCounts(ctx, ids), ({ sourceId }: MessageCount) => sourceId),
);

/** Returns the current figures of a campaign. Batched by campaign. */
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
 * Watches a campaign: its current state and each change, until it has ended.
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

/** The number of skipped or failed recipients by reason. */
export interface CampaignSkip {
  readonly reason: string;
  readonly count: number;
}

/** The figures of the recipients of a campaign or a variant. */
export interface RecipientFigures {
  readonly recipients: number;
  readonly heldOut: number;
  readonly waiting: number;
  readonly queued: number;
  readonly sent: number;
  readonly delivered: number;
  readonly bounced: number;
  readonly complained: number;
  readonly opened: number;
  readonly clicked: number;
  readonly unsubscribed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly skips: readonly CampaignSkip[];
}

const SENT: ReadonlySet<string> = new Set(['SENT', 'DELIVERED', 'BOUNCED', 'COMPLAINED', 'SIMULATED']);

const SKIPPED: ReadonlySet<string> = new Set(['SKIPPED', 'SUPPRESSED']);

interface Counted {
  readonly count: number;
}

const sumOf = (counted: readonly Counted[]): number => counted.reduce((sum, { count }) => sum + count, 0);

/**
 * Computes the figures of recipients and their messages. A recipient whose message is not in the log yet
 * counts as queued.
 *
 * @param isCancelled - waiting recipients count as skipped
 */
export function figuresOf(
  recipients: RecipientCounts,
  messages: readonly MessageCount[],
  isCancelled: boolean,
): RecipientFigures {
  const ofState = (state: string) => recipients.filter((each) => each.state === state);
  const ofStatus = (...statuses: readonly string[]) =>
    messages.filter(({ status }) => statuses.includes(status));
  const sent = messages.filter(({ status }) => SENT.has(status));
  const failed = ofStatus('FAILED');
  const notSent = messages.filter(({ status }) => SKIPPED.has(status));
  const waiting = ofState('WAITING');
  const dropped = isCancelled ? waiting.map((each) => ({ ...each, reason: 'CANCELLED' })) : [];
  const skipped = [...ofState('SKIPPED'), ...dropped, ...notSent];
  const withMessage = Math.max(sumOf(ofState('QUEUED')), sumOf(messages));
  return {
    recipients: sumOf(recipients) - sumOf(ofState('QUEUED')) + withMessage,
    heldOut: sumOf(ofState('HELD_OUT')),
    waiting: isCancelled ? 0 : sumOf(waiting),
    queued: withMessage - sumOf(sent) - sumOf(failed) - sumOf(notSent),
    sent: sumOf(sent),
    delivered: sumOf(ofStatus('DELIVERED', 'COMPLAINED')),
    bounced: sumOf(ofStatus('BOUNCED')),
    complained: sumOf(ofStatus('COMPLAINED')),
    opened: messages.reduce((sum, { opened }) => sum + opened, 0),
    clicked: messages.reduce((sum, { clicked }) => sum + clicked, 0),
    unsubscribed: messages.reduce((sum, { unsubscribed }) => sum + unsubscribed, 0),
    failed: sumOf(failed),
    skipped: sumOf(skipped),
    skips: skipsOf([...skipped, ...failed]),
  };
}

/** Returns the reasons, most frequent first. */
function skipsOf(counted: readonly (Counted & { readonly reason: string | null })[]): CampaignSkip[] {
  const byReason = new Map<string, number>();
  for (const { reason, count } of counted)
    byReason.set(reason || 'UNKNOWN', (byReason.get(reason || 'UNKNOWN') ?? 0) + count);
  return [...byReason]
    .map(([reason, count]) => ({ reason, count }))
    .sort((one, other) => other.count - one.count || (one.reason < other.reason ? -1 : 1));
}
