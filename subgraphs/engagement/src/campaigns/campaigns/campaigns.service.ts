import type { Context } from '@loyalty/platform/context';
import { notFound } from '@loyalty/platform/errors';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/loading/pages';
import { audit } from '@loyalty/platform/operations/audit';
import type { Campaign, CampaignStatus, CampaignVariant } from './campaign.ts';
import { campaignById, campaignsPage, findCampaignNow, variantsByCampaign } from './campaigns.store.ts';

export type { Campaign, CampaignStatus, CampaignVariant };

/** One campaign; null when the workspace has none. */
export const findCampaign = (ctx: Context, id: string): Promise<Campaign | null> =>
  ctx.load(campaignById, id);

/**
 * The campaign as it is now.
 *
 * @throws AppError CAMPAIGN_NOT_FOUND (404)
 */
export async function getCampaign(ctx: Context, id: string): Promise<Campaign> {
  const found = await findCampaignNow(ctx, id);
  if (!found) throw notFound('campaign', id);
  return found;
}

/** The campaign as it is now; null when the workspace has none. */
export const readCampaign = (ctx: Context, id: string): Promise<Campaign | null> => findCampaignNow(ctx, id);

/**
 * Campaigns of the workspace, newest first.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export const listCampaigns = (
  ctx: Context,
  args: PageArgs & { readonly status?: CampaignStatus | null | undefined },
): Promise<Page<Campaign>> => campaignsPage(ctx.forLists(), pageRequest(args), args.status ?? null);

/** What parts of the audience get, in their order; those of many campaigns load together. */
export const variantsOf = async (
  ctx: Context,
  { id }: Pick<Campaign, 'id'>,
): Promise<readonly CampaignVariant[]> => (await ctx.load(variantsByCampaign, id)) ?? [];

/** Records a change of a campaign. */
export const auditCampaign = (
  tx: Context,
  action: string,
  { id, name, status, scheduledAt }: Campaign,
  before: Readonly<Record<string, unknown>> | null = null,
): Promise<void> =>
  audit(tx, {
    action,
    resourceType: 'Campaign',
    resourceId: id,
    before,
    after: { name, status, ...(scheduledAt && { scheduledAt }) },
  });
