import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import { notFound } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { linksOfSource, messageCounts } from '../messages/source-messages.service.ts';
import {
  type AssignedGroup,
  assignedGroups,
  lastTouchOrders,
  type MeasuredCampaign,
  measuredCampaigns,
} from './campaign-results.store.ts';
import {
  type CampaignResult,
  type ConversionRate,
  conversionOf,
  differenceOf,
  extraOrders,
  type MeasuredParts,
  type RateDifference,
  resultOf,
} from './result-figures.ts';

const METHOD =
  'A member converts by an order within the window from when the message was due, or of members who are ' +
  'held out would have been; members count as they were assigned, with or without a message (intention to ' +
  'treat). An order is the revenue of the last message of any campaign, journey or automation that the ' +
  'member got before it, if it lies within the window of that message (last touch). Orders that were ' +
  'cancelled or wholly refunded, and orders of imports, count for nothing. Rates have Wilson’s score ' +
  'interval, differences Newcombe’s hybrid score interval, both of 95 %.';

/** The results of a campaign. */
export interface CampaignResults {
  /** The source id of its links. */
  readonly sourceId: string;
  readonly total: CampaignResult;
  readonly variants: readonly VariantResult[];
  readonly holdOut: HoldOutResult | null;
  readonly windowDays: number;
  readonly windowEndsAt: Date | null;
  readonly method: string;
}

interface VariantResult {
  readonly key: string;
  readonly result: CampaignResult;
  /** Comparison with the first variant. */
  readonly comparison: RateDifference | null;
}

interface HoldOutResult {
  readonly members: number;
  readonly conversion: ConversionRate;
  readonly uplift: RateDifference | null;
  readonly extraConversions: number | null;
  readonly extraOrders: number | null;
}

/**
 * Returns the current results of a campaign. Batched by campaign.
 *
 * @throws AppError CAMPAIGN_NOT_FOUND (404)
 */
export async function campaignResults(ctx: Context, id: string): Promise<CampaignResults> {
  const found = await ctx.load(resultsByCampaign, id);
  if (!found) throw notFound('campaign', id);
  return found;
}

/** Lists the links of a campaign's messages, most clicked first. */
export const clickedLinks = (ctx: Context, { sourceId }: Pick<CampaignResults, 'sourceId'>) =>
  linksOfSource(ctx, sourceId);

const resultsByCampaign = loader(async (ctx, ids: readonly string[]) => {
  const campaigns = await measuredCampaigns(ctx, ids);
  const sourceIds = campaigns.map(({ sourceId }) => sourceId);
  const groups = Map.groupBy(await assignedGroups(ctx, ids), ({ campaignId }) => campaignId);
  const messages = Map.groupBy(await messageCounts(ctx, sourceIds), ({ sourceId }) => sourceId);
  const orders = Map.groupBy(await lastTouchOrders(ctx, sourceIds), ({ sourceId }) => sourceId);
  return new Map(
    campaigns.map((campaign) => [
      campaign.id,
      resultsOf(campaign, {
        groups: groups.get(campaign.id) ?? [],
        messages: messages.get(campaign.sourceId) ?? [],
        orders: orders.get(campaign.sourceId) ?? [],
      }),
    ]),
  );
});

function resultsOf(campaign: MeasuredCampaign, parts: MeasuredParts): CampaignResults {
  const { attributionDays: windowDays, sourceId, variantKeys } = campaign;
  const treated = parts.groups.filter(({ isHeldOut }) => !isHeldOut);
  const results = variantKeys.map((key) => ({
    key,
    result: resultOf({
      groups: treated.filter(({ variant }) => variant === key),
      messages: parts.messages.filter(({ variant }) => variant === key),
      orders: parts.orders.filter(({ variant }) => variant === key),
    }),
  }));
  const first = results[0]?.result.conversion;
  const lastDueAt = Math.max(...parts.groups.map((group) => group.lastDueAt.getTime()));
  return {
    sourceId,
    total: resultOf({ ...parts, groups: treated }),
    variants: results.map(({ key, result }, place) => ({
      key,
      result,
      comparison: place === 0 ? null : differenceOf(result.conversion, first!),
    })),
    holdOut: campaign.holdOutPercent > 0 ? holdOutOf(treated, parts.groups) : null,
    windowDays,
    windowEndsAt: parts.groups.length > 0 ? addMs(new Date(lastDueAt), windowDays * DAY_MS) : null,
    method: METHOD,
  };
}

function holdOutOf(treated: readonly AssignedGroup[], groups: readonly AssignedGroup[]): HoldOutResult {
  const heldOut = groups.filter(({ isHeldOut }) => isHeldOut);
  const conversion = conversionOf(heldOut);
  const ofTreated = conversionOf(treated);
  const uplift = differenceOf(ofTreated, conversion);
  return {
    members: conversion.members,
    conversion,
    uplift,
    extraConversions: uplift && uplift.absolute * ofTreated.members,
    extraOrders: extraOrders(treated, heldOut),
  };
}
