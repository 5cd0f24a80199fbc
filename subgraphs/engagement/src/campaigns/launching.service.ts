import { type AppError, conflict, invalid } from '@loyalty/platform/base/errors';
import { inFuture } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { timeZoneOf } from '@loyalty/platform/database/time-zone';
import { publishEnd, publishProgress } from '@loyalty/platform/subscriptions/publish-progress';
import { publish } from '@loyalty/platform/work/events';
import { awaitMessages, changeJourneyStatus, launchJourney } from '../journey-runs/journey-status.service.ts';
import {
  cancelMessages,
  holdMessages,
  releaseMessages,
  waitForMessages,
} from '../messages/source-messages.service.ts';
import { findSegment } from '../segments/segments.service.ts';
import { templateToSend } from '../templates/templates.service.ts';
import { CAMPAIGN_NOUN, CAMPAIGNS_CHANNEL, type CampaignVariant, totalOf } from './campaign.ts';
import { type ClaimedCampaign, lockCampaign, markStarted } from './campaign-claims.store.ts';
import { campaignFinished, campaignStarted } from './campaigns.events.ts';
import { auditCampaign, type Campaign, getCampaign } from './campaigns.service.ts';
import { markCancelled, markPaused, markResumed, markScheduled } from './campaigns.store.ts';
import { firstLocalTime } from './local-times.ts';

/**
 * Starts a draft or a scheduled campaign now.
 *
 * @throws AppError CAMPAIGN_NOT_FOUND, TEMPLATE_NOT_FOUND (404), CAMPAIGN_WITHOUT_AUDIENCE,
 * CAMPAIGN_WITHOUT_CONTENT, SEGMENT_NOT_COMPUTED, CAMPAIGN_STATE (409); those of `launchJourney`
 */
export async function launchCampaign(ctx: Context, id: string): Promise<Campaign> {
  return changedCampaign(ctx, 'launchCampaign', id, async (tx) => {
    const campaign = await lockCampaign(tx, id);
    if (!campaign || !isBefore(campaign)) return false;
    return startCampaign(tx, campaign, false);
  });
}

const isBefore = ({ status }: Pick<Campaign, 'status'>): boolean =>
  status === 'DRAFT' || status === 'SCHEDULED';

/**
 * Schedules a draft, or reschedules a scheduled campaign.
 *
 * @throws AppError as `launchCampaign`; VALIDATION_FAILED (400) for a time in the past, PEER_UNAVAILABLE
 * (503)
 */
export async function scheduleCampaign(
  ctx: Context,
  id: string,
  { at, isLocalTime }: { readonly at: Date; readonly isLocalTime: boolean },
): Promise<Campaign> {
  const now = ctx.clock.now();
  if (at <= now) throw invalid('at', inFuture);
  const first = isLocalTime ? firstLocalTime(at, await timeZoneOf(ctx)) : at;
  const dueAt = new Date(Math.max(first.getTime(), now.getTime()));
  return changedCampaign(ctx, 'scheduleCampaign', id, async (tx) => {
    const campaign = await lockCampaign(tx, id);
    if (!campaign || !isBefore(campaign)) return false;
    if (isLocalTime && campaign.journeyId)
      throw invalid('isLocalTime', 'cannot be true for a campaign with a journey');
    await checkReady(tx, campaign);
    const isScheduled = await markScheduled(tx, id, { at, isLocalTime, dueAt });
    publishProgress(tx, CAMPAIGN_NOUN, id);
    wakeCampaigns(tx, id);
    return isScheduled;
  });
}

/**
 * Pauses a campaign that is being sent. After this resolves, none of its messages leaves.
 *
 * @throws AppError CAMPAIGN_NOT_FOUND (404), CAMPAIGN_STATE (409)
 */
export async function pauseCampaign(ctx: Context, id: string): Promise<Campaign> {
  const paused = await changedCampaign(ctx, 'pauseCampaign', id, async (tx) => {
    if (!(await markPaused(tx, id))) return false;
    await moveJourney(tx, id, 'PAUSED');
    await holdMessages(tx, id);
    publishProgress(tx, CAMPAIGN_NOUN, id);
    return true;
  });
  await waitForHandOvers(ctx, paused);
  return paused;
}

/** @throws AppError CAMPAIGN_NOT_FOUND (404), CAMPAIGN_STATE (409) unless it is paused */
export async function resumeCampaign(ctx: Context, id: string): Promise<Campaign> {
  return changedCampaign(ctx, 'resumeCampaign', id, async (tx) => {
    if (!(await markResumed(tx, id))) return false;
    await moveJourney(tx, id, 'ACTIVE');
    await releaseMessages(tx, id);
    publishProgress(tx, CAMPAIGN_NOUN, id);
    wakeCampaigns(tx, id);
    return true;
  });
}

/**
 * Cancels a campaign permanently. After this resolves, none of its messages leaves.
 *
 * @throws AppError CAMPAIGN_NOT_FOUND (404), CAMPAIGN_STATE (409) unless it is scheduled, sending or paused
 */
export async function cancelCampaign(ctx: Context, id: string): Promise<Campaign> {
  const cancelled = await changedCampaign(ctx, 'cancelCampaign', id, async (tx) => {
    if (!(await markCancelled(tx, id))) return false;
    const campaign = await getCampaign(tx, id);
    await moveJourney(tx, id, 'ENDED');
    await cancelMessages(tx, id);
    if (campaign.startedAt) await publishCampaignFinished(tx, campaign);
    publishEnd(tx, CAMPAIGN_NOUN, id);
    wakeCampaigns(tx, id);
    return true;
  });
  await waitForHandOvers(ctx, cancelled);
  return cancelled;
}

const JOURNEY_FROM = { ACTIVE: ['PAUSED'], PAUSED: ['ACTIVE'], ENDED: ['ACTIVE', 'PAUSED'] } as const;

/**
 * Changes the status of a campaign's journey together with the campaign, unless the journey was changed
 * before.
 */
async function moveJourney(tx: Context, id: string, to: 'ACTIVE' | 'PAUSED' | 'ENDED'): Promise<void> {
  const { journeyId } = await getCampaign(tx, id);
  if (journeyId) await changeJourneyStatus(tx, journeyId, { from: JOURNEY_FROM[to], to });
}

async function waitForHandOvers(ctx: Context, { id, journeyId }: Campaign): Promise<void> {
  if (journeyId) await awaitMessages(ctx, journeyId);
  else await waitForMessages(ctx, id);
}

const pastTense: Readonly<Record<string, string>> = {
  launchCampaign: 'launched',
  scheduleCampaign: 'scheduled',
  pauseCampaign: 'paused',
  resumeCampaign: 'resumed',
  cancelCampaign: 'cancelled',
};

async function changedCampaign(
  ctx: Context,
  action: string,
  id: string,
  change: (tx: Context) => Promise<boolean>,
): Promise<Campaign> {
  return ctx.transaction(async (tx) => {
    const isChanged = await change(tx);
    const campaign = await getCampaign(tx, id);
    if (!isChanged) throw wrongState(campaign, pastTense[action]!);
    await auditCampaign(tx, action, campaign);
    tx.forget();
    return campaign;
  });
}

const wrongState = ({ status }: Campaign, done: string): AppError =>
  conflict('CAMPAIGN_STATE', `A campaign that is ${status.toLowerCase()} cannot be ${done}.`);

/** The fields that the start of a campaign needs. */
type Ready = Pick<ClaimedCampaign, 'segmentIds' | 'excludedSegmentIds' | 'variants' | 'journeyId'>;

/**
 * Checks that a campaign can start, and returns its variants with the versions of templates that will be
 * sent.
 *
 * @throws AppError CAMPAIGN_WITHOUT_AUDIENCE, CAMPAIGN_WITHOUT_CONTENT, SEGMENT_NOT_COMPUTED (409),
 * TEMPLATE_NOT_FOUND (404)
 */
async function checkReady(ctx: Context, campaign: Ready): Promise<readonly CampaignVariant[]> {
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
 * Starts a campaign that this transaction has locked.
 *
 * @param isScheduled - whether it starts at its scheduled time; otherwise it starts immediately for all
 * members
 * @returns false if it is neither a draft nor scheduled
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

/** Wakes the workers that send campaigns, after the transaction commits. */
const wakeCampaigns = ({ afterCommit, services }: Context, id: string): void =>
  afterCommit(() => services.live.publish(CAMPAIGNS_CHANNEL, id));

/** Publishes the end of a started campaign. Recipients who are still waiting count as skipped. */
export const publishCampaignFinished = (
  tx: Context,
  { id, recipientCounts }: Pick<ClaimedCampaign, 'id' | 'recipientCounts'>,
): Promise<void> =>
  publish(tx, campaignFinished, {
    campaignId: id,
    recipients: totalOf(recipientCounts),
    heldOut: totalOf(recipientCounts, 'HELD_OUT'),
    skipped: totalOf(recipientCounts, 'SKIPPED', 'WAITING'),
    queued: totalOf(recipientCounts, 'QUEUED'),
  });
