import type { Context } from '@loyalty/platform/context';
import { conflict } from '@loyalty/platform/errors';
import { publishProgress } from '@loyalty/platform/live/snapshots/publish-progress';
import { publish } from '@loyalty/platform/outbox/events';
import { launchJourney } from '../../journeys/lifecycle/run-journey.service.ts';
import { findSegment } from '../../segments/segments/segments.service.ts';
import { templateToSend } from '../../templates/templates.service.ts';
import { campaignStarted } from '../campaign-events/campaigns.events.ts';
import { CAMPAIGN_NOUN, CAMPAIGNS_CHANNEL, type CampaignVariant } from '../campaigns/campaign.ts';
import { type ClaimedCampaign, lockCampaign, markStarted } from './campaign-claims.store.ts';

export type { ClaimedCampaign };
export { lockCampaign };

/** What a campaign needs before it can begin. */
type Ready = Pick<ClaimedCampaign, 'segmentIds' | 'excludedSegmentIds' | 'variants' | 'journeyId'>;

/**
 * Checks that a campaign can begin, and returns its variants with the versions of templates that are sent
 * from now on.
 *
 * @throws AppError CAMPAIGN_WITHOUT_AUDIENCE, CAMPAIGN_WITHOUT_CONTENT, SEGMENT_NOT_COMPUTED (409),
 * TEMPLATE_NOT_FOUND (404)
 */
export async function checkReady(ctx: Context, campaign: Ready): Promise<readonly CampaignVariant[]> {
  const { segmentIds, excludedSegmentIds, variants, journeyId } = campaign;
  if (journeyId) return [];
  if (segmentIds.length === 0)
    throw conflict('CAMPAIGN_WITHOUT_AUDIENCE', 'The campaign has no audience. Name at least one segment.');
  if (variants.length === 0)
    throw conflict('CAMPAIGN_WITHOUT_CONTENT', 'The campaign has no content. Give it at least one variant.');
  for (const id of [...segmentIds, ...excludedSegmentIds]) await checkComputed(ctx, id);
  return Promise.all(
    variants.map(async (variant) => {
      if (!variant.templateId) return variant;
      const { version } = await templateToSend(ctx, variant.templateId);
      return { ...variant, templateVersion: version };
    }),
  );
}

async function checkComputed(ctx: Context, id: string): Promise<void> {
  const segment = await findSegment(ctx, id);
  if (!segment)
    throw conflict('CAMPAIGN_WITHOUT_AUDIENCE', 'A segment of the audience was deleted. Name another one.');
  if (segment.computedVersion !== segment.version)
    throw conflict(
      'SEGMENT_NOT_COMPUTED',
      `The members of the segment “${segment.name}” are being found. Try again when that is done.`,
    );
}

/**
 * Begins a campaign that this transaction has locked.
 *
 * @param isScheduled - its time has come; otherwise it begins at once for everybody
 * @returns false where it is neither a draft nor scheduled
 * @throws AppError as `checkReady` and `launchJourney`
 */
export async function startCampaign(
  tx: Context,
  campaign: ClaimedCampaign,
  isScheduled: boolean,
): Promise<boolean> {
  const { id, journeyId } = campaign;
  const variants = await checkReady(tx, campaign);
  if (!(await markStarted(tx, id, { variants, isScheduled }))) return false;
  if (journeyId) await launchJourney(tx, journeyId);
  await publish(tx, campaignStarted, { campaignId: id });
  publishProgress(tx, CAMPAIGN_NOUN, id);
  wakeCampaigns(tx, id);
  return true;
}

/** Wakes who sends campaigns, once the change is kept. */
export const wakeCampaigns = ({ afterCommit, services }: Context, id: string): void =>
  afterCommit(() => services.live.publish(CAMPAIGNS_CHANNEL, id));
