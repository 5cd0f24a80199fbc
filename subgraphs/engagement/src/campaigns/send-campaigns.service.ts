import { systemCaller } from '@loyalty/platform/base/caller';
import { addMs, SECOND_MS } from '@loyalty/platform/base/clock';
import { AppError, isTransient } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { refreshStatistics } from '@loyalty/platform/database/analyze-tables';
import { whenAvailable } from '@loyalty/platform/database/when-available';
import { publishEnd, publishProgress } from '@loyalty/platform/subscriptions/publish-progress';
import { claimWork, isGivenUp, WORKER_LOST_SENTENCE } from '@loyalty/platform/work/lost-workers';
import { heldSources, isSendingStopped } from '../limits/limits.service.ts';
import { CAMPAIGN_NOUN, changedCounts } from './campaign.ts';
import {
  type CampaignClaim,
  type ClaimedCampaign,
  claimCampaign,
  lockClaimed,
  markFailed,
  markSent,
  type NextStep,
  postponeClaimed,
  writeStep,
} from './campaign-claims.store.ts';
import { publishCampaignFinished, startCampaign } from './launching.service.ts';
import { addToAudience, queueDue } from './recipients.service.ts';
import { isBacklogged, lockWaitingRecipients, moveRecipients, nextDueAt } from './recipients.store.ts';

/** Maximum number of due marketing messages of a workspace. Above it, campaigns queue no further messages. */
const BACKLOG_MAX = 10_000;
const BACKLOG_MS = 200;
/** Interval of checks whether the last messages were sent. */
const FINISH_MS = SECOND_MS;
/** Interval of checks for held messages, while a campaign waits for members in other time zones. */
const CHECK_MS = 60 * SECOND_MS;
const ENDLESS =
  'A message could not be filled in: its template takes too long, or needs too much memory. Cancel the ' +
  'campaign, simplify the template, and send it with a new campaign.';
const STOPPED_MS = 5 * SECOND_MS;
const FAILED_MS = 5 * SECOND_MS;
/** Batch size: recipients of a cancelled campaign per step. */
const CANCELLED_MAX = 5_000;

/** Tables that the steps of large campaigns fill. */
const FILLED = ['engagement.campaign_recipients'];

/**
 * Runs the next step of the campaign that has been due longest. Each step is a transaction under the
 * campaign's lock: a crash undoes it completely, and no step starts after a pause.
 *
 * @returns false if no campaign was due
 */
export async function sendCampaigns(ctx: Context): Promise<boolean> {
  const { claimed, ended } = await claimWork(ctx.services, async (maySuspect) => {
    const claim = await claimCampaign(ctx, maySuspect);
    return claim ? [claim] : [];
  });
  try {
    for (const claim of claimed) await sendClaimed(ctx, claim);
    return claimed.length > 0;
  } finally {
    ended();
  }
}

async function sendClaimed(ctx: Context, claim: CampaignClaim): Promise<void> {
  const own = ctx.as(systemCaller('send-campaigns', claim));
  if (isGivenUp(claim)) return stop(own, claim, `WORKER_LOST: ${WORKER_LOST_SENTENCE}`);
  try {
    if (await isSendingStopped(own)) await postponeClaimed(own, claim, addMs(own.clock.now(), STOPPED_MS));
    else if (await own.transaction((tx) => step(tx, claim))) await refreshStatistics(own, FILLED);
  } catch (error) {
    await handleFailure(own, claim, error);
  }
}

/** Handles a failed step. A permanent error stops the campaign, with the reason. Other errors are retried. */
async function handleFailure(ctx: Context, claim: CampaignClaim, error: unknown): Promise<void> {
  const isFinal = error instanceof AppError && isFinalError(error);
  if (!isFinal) {
    await whenAvailable(
      () => postponeClaimed(ctx, claim, addMs(ctx.clock.now(), FAILED_MS)),
      ctx.request.signal,
    );
    if (error instanceof AppError && RETRIED.has(error.code)) return;
    throw error;
  }
  await stop(ctx, claim, error.message);
}

/**
 * Stops a claimed campaign and stores the reason. For a cancelled campaign, no more recipients are marked as
 * skipped.
 */
async function stop(ctx: Context, claim: CampaignClaim, failure: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const campaign = await lockClaimed(tx, claim);
    if (!campaign) return;
    if (campaign.status === 'CANCELLED') await writeStep(tx, claim.id, { ...campaign, dueAt: null });
    else await markFailed(tx, claim.id, failure);
    publishProgress(tx, CAMPAIGN_NOUN, claim.id);
  });
}

const FINAL: ReadonlySet<string> = new Set(['BAD_USER_INPUT', 'NOT_FOUND', 'CONFLICT', 'FORBIDDEN']);
const RETRIED: ReadonlySet<string> = new Set(['SEGMENT_NOT_COMPUTED']);

const isFinalError = (error: AppError): boolean =>
  FINAL.has(error.category) && !RETRIED.has(error.code) && !isTransient(error);

/** Runs a step. Returns whether recipients were added. */
async function step(tx: Context, claim: CampaignClaim): Promise<boolean> {
  const campaign = await lockClaimed(tx, claim);
  if (!campaign) return false;
  if (campaign.status === 'SCHEDULED') {
    await startCampaign(tx, campaign, true);
    return false;
  }
  const next = campaign.status === 'CANCELLED' ? await skipWaiting(tx, campaign) : await send(tx, campaign);
  if (!next) return false;
  await writeStep(tx, campaign.id, next);
  publishProgress(tx, CAMPAIGN_NOUN, campaign.id);
  return next.audienceToId !== campaign.audienceToId;
}

/**
 * Queues messages for due recipients; else adds more of the audience; else ends the campaign and returns
 * null.
 */
async function send(tx: Context, campaign: ClaimedCampaign): Promise<NextStep | null> {
  const { id, audienceToId, recipientCounts } = campaign;
  const now = tx.clock.now();
  if ((await heldSources(tx, [id])).has(id)) return pauseEndless(tx, id);
  if (await isBacklogged(tx, BACKLOG_MAX))
    return { audienceToId, recipientCounts, dueAt: addMs(now, BACKLOG_MS) };
  const changes = await queueDue(tx, campaign);
  if (changes.length > 0)
    return { audienceToId, recipientCounts: changedCounts(recipientCounts, changes), dueAt: now };
  if (audienceToId !== null) return addToAudience(tx, campaign);
  const waitsUntil = await nextDueAt(tx, id);
  if (waitsUntil) {
    const dueAt = new Date(Math.min(waitsUntil.getTime(), now.getTime() + CHECK_MS));
    return { audienceToId, recipientCounts, dueAt };
  }
  if (!(await markSent(tx, campaign))) return { audienceToId, recipientCounts, dueAt: addMs(now, FINISH_MS) };
  await publishCampaignFinished(tx, campaign);
  publishEnd(tx, CAMPAIGN_NOUN, campaign.id);
  return null;
}

/**
 * Pauses a campaign whose messages are held although it was not paused: rendering one of them never finished.
 */
async function pauseEndless(tx: Context, id: string): Promise<null> {
  await markFailed(tx, id, ENDLESS);
  publishProgress(tx, CAMPAIGN_NOUN, id);
  return null;
}

/** Marks a batch of waiting recipients of a cancelled campaign as skipped. */
async function skipWaiting(tx: Context, { id, recipientCounts }: ClaimedCampaign): Promise<NextStep> {
  const waiting = await lockWaitingRecipients(tx, id, CANCELLED_MAX);
  if (waiting.length === 0) return { audienceToId: null, recipientCounts, dueAt: null };
  const reason = 'CANCELLED';
  const memberIds = waiting.map(({ memberId }) => memberId);
  await moveRecipients(tx, id, memberIds, reason);
  const changes = waiting.flatMap(({ variant }) => [
    { variant, state: 'WAITING', reason: null, count: -1 } as const,
    { variant, state: 'SKIPPED', reason, count: 1 } as const,
  ]);
  return {
    audienceToId: null,
    recipientCounts: changedCounts(recipientCounts, changes),
    dueAt: tx.clock.now(),
  };
}
