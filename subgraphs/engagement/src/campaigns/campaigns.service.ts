import { conflict, notFound } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import { audit } from '@loyalty/platform/identity/audit';
import { preview, previewMessage, previewMessageTemplate } from '../templates/previews.service.ts';
import type { Content } from '../templates/render.ts';
import type { Campaign, CampaignStatus, CampaignVariant } from './campaign.ts';
import {
  campaignById,
  campaignsPage,
  campaignsWithSegment,
  findCampaignNow,
  variantsByCampaign,
} from './campaigns.store.ts';

export type { Campaign, CampaignStatus, CampaignVariant };

/** Returns a campaign by id, or null if the workspace has no such campaign. */
export const findCampaign = (ctx: Context, id: string): Promise<Campaign | null> =>
  ctx.load(campaignById, id);

/**
 * Returns the current campaign.
 *
 * @throws AppError CAMPAIGN_NOT_FOUND (404)
 */
export async function getCampaign(ctx: Context, id: string): Promise<Campaign> {
  const found = await findCampaignNow(ctx, id);
  if (!found) throw notFound('campaign', id);
  return found;
}

/** Reads a campaign without the cache of the loader; null if the workspace has no such campaign. */
export const readCampaign = (ctx: Context, id: string): Promise<Campaign | null> => findCampaignNow(ctx, id);

/**
 * Lists campaigns of the workspace, newest first.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export const listCampaigns = (
  ctx: Context,
  args: PageArgs & { readonly status?: CampaignStatus | null | undefined },
): Promise<Page<Campaign>> => campaignsPage(ctx.forLists(), pageRequest(args), args.status ?? null);

/** Returns the variants of a campaign in their order. Batched by campaign. */
export const variantsOf = async (
  ctx: Context,
  { id }: Pick<Campaign, 'id'>,
): Promise<readonly CampaignVariant[]> => (await ctx.load(variantsByCampaign, id)) ?? [];

/** Audits a change of a campaign. */
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

/** Returns the active and future campaigns that use a segment. While there are any, it cannot be deleted. */
export async function campaignsUsing(
  ctx: Context,
  segmentId: string,
): Promise<{ readonly kind: 'CAMPAIGN'; readonly id: string; readonly name: string }[]> {
  const campaigns = await campaignsWithSegment(ctx, segmentId);
  return campaigns.map((campaign) => ({ kind: 'CAMPAIGN', ...campaign }));
}

/** A rendered notification. */
interface ShownNotification {
  readonly title: string;
  readonly body: string | null;
  readonly url: string | null;
  readonly icon: string | null;
}

/** A rendered variant. */
export interface CampaignPreview {
  readonly variant: string;
  readonly email: Content | null;
  readonly notification: ShownNotification | null;
}

/**
 * Renders a variant of a campaign for a member, or for an example member.
 *
 * @param wanted.variant - its key; null for the first variant
 * @throws AppError CAMPAIGN_NOT_FOUND, CAMPAIGN_VARIANT_NOT_FOUND, MEMBER_NOT_FOUND, TEMPLATE_NOT_FOUND
 * (404), CAMPAIGN_WITHOUT_CONTENT (409), RENDER_FAILED (400), PEER_UNAVAILABLE (503)
 */
export async function previewCampaign(
  ctx: Context,
  wanted: { readonly id: string; readonly variant: string | null; readonly memberId: string | null },
): Promise<CampaignPreview> {
  const variants = await variantsOf(ctx, await getCampaign(ctx, wanted.id));
  if (variants.length === 0)
    throw conflict('CAMPAIGN_WITHOUT_CONTENT', 'The campaign has no content yet. Give it a variant.');
  const variant = wanted.variant === null ? variants[0] : variants.find(({ key }) => key === wanted.variant);
  if (!variant) throw notFound('campaign variant', wanted.variant!);
  const { memberId } = wanted;
  const none = { variant: variant.key, email: null, notification: null };
  return variant.title === undefined
    ? { ...none, email: await previewMail(ctx, variant, memberId) }
    : { ...none, notification: await previewPush(ctx, variant, memberId) };
}

function previewMail(ctx: Context, variant: CampaignVariant, memberId: string | null): Promise<Content> {
  const { templateId, templateVersion, subject = '', html = '' } = variant;
  if (templateId) return previewMessageTemplate(ctx, { id: templateId, number: templateVersion, memberId });
  return previewMessage(ctx, { subject, source: html, category: 'MARKETING' }, { memberId });
}

async function previewPush(
  ctx: Context,
  variant: CampaignVariant,
  memberId: string | null,
): Promise<ShownNotification> {
  const filled = async (text: string | undefined): Promise<string | null> =>
    text === undefined ? null : (await preview(ctx, { subject: '', html: '', text }, { memberId })).text;
  const { title, body, url, icon } = variant;
  return {
    title: (await filled(title))!,
    body: await filled(body),
    url: await filled(url),
    icon: await filled(icon),
  };
}
