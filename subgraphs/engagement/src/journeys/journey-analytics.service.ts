import { notFound } from '@loyalty/platform/base/errors';
import { mapIterator } from '@loyalty/platform/base/iterators';
import type { Context } from '@loyalty/platform/context';
import { asSnapshots, type Snapshots } from '@loyalty/platform/subscriptions/snapshots';
import { watchSnapshot } from '@loyalty/platform/subscriptions/watch-snapshot';
import { aboutChannel } from '@loyalty/platform/work/events';
import { messageCounts, sourceChannel } from '../messages/source-messages.service.ts';
import {
  type AudienceCount,
  type CountedCampaign,
  findCountedCampaign,
  membersByNode,
  outcomesOf,
  recipientsOf,
} from './journey-counts.store.ts';
import { findJourney, type Journey, versionOf } from './journeys.service.ts';
import { type JourneyAnalytics, nodeFigures, type ShownNode, sumOf } from './node-figures.ts';

export type { JourneyAnalytics };

/**
 * Returns the figures of a journey, an automation or a campaign; null if the workspace has none with this id.
 *
 * @remarks Source: requirements L-CMP-04
 */
export async function findJourneyAnalytics(ctx: Context, id: string): Promise<JourneyAnalytics | null> {
  const journey = await findJourney(ctx, id);
  if (journey) return analyticsOf(ctx, journey);
  const campaign = await findCountedCampaign(ctx, id);
  if (!campaign) return null;
  const ofCampaign = campaign.journeyId ? await findJourney(ctx, campaign.journeyId) : null;
  return ofCampaign ? { ...(await analyticsOf(ctx, ofCampaign)), id } : campaignFigures(ctx, campaign);
}

/** Returns the figures of all versions of a journey together. */
export async function analyticsOf(ctx: Context, journey: Journey): Promise<JourneyAnalytics> {
  const { id } = journey;
  const outcomes = [...(await outcomesOf(ctx, id)), ...(await membersByNode(ctx, id))];
  const messages = await messageCounts(ctx, [id]);
  const countedIds = new Set([...outcomes, ...messages].map(({ nodeId }) => nodeId));
  const nodes = (await shownNodes(ctx, journey, countedIds)).map((node) =>
    nodeFigures(
      node,
      outcomes.filter(({ nodeId }) => nodeId === node.nodeId),
      messages.filter(({ nodeId }) => nodeId === node.nodeId),
    ),
  );
  const of = (outcome: string) => sumOf(outcomes.filter((each) => each.outcome === outcome));
  const [active, completed, goalReached] = [of('WAITING'), of('COMPLETED'), of('GOAL_REACHED')];
  const [exited, failed] = [of('EXITED'), of('FAILED')];
  const entered = active + completed + goalReached + exited + failed;
  const computedAt = ctx.clock.now();
  const isEnded = journey.status === 'ENDED';
  return { id, entered, active, completed, goalReached, exited, failed, nodes, computedAt, isEnded };
}

/**
 * Returns the nodes of the current version (before the launch, of the draft), then nodes of earlier versions
 * that have figures.
 */
async function shownNodes(
  ctx: Context,
  { id, version, draft }: Journey,
  countedIds: ReadonlySet<string>,
): Promise<ShownNode[]> {
  const current = version === null ? draft : (await versionOf(ctx, id, version)).definition;
  const found = new Map(current.nodes.map((node) => [node.id, node]));
  const isMissing = () => [...countedIds].some((nodeId) => nodeId !== '' && !found.has(nodeId));
  for (let number = (version ?? 1) - 1; number >= 1 && isMissing(); number -= 1) {
    const { definition } = await versionOf(ctx, id, number);
    for (const node of definition.nodes)
      if (countedIds.has(node.id) && !found.has(node.id)) found.set(node.id, node);
  }
  return [...found.values()].map(({ id: nodeId, type, label }) => ({ nodeId, type, label: label ?? nodeId }));
}

/**
 * Watches the figures of a journey: now and after each change, at most four times a second, until it has
 * ended.
 *
 * @param id - of a journey, an automation, or a campaign with a journey
 * @throws AppError JOURNEY_NOT_FOUND (404)
 */
export async function watchJourney(ctx: Context, id: string): Promise<Snapshots<JourneyAnalytics>> {
  const journeyId = (await findJourney(ctx, id)) ? id : (await findCountedCampaign(ctx, id))?.journeyId;
  if (!journeyId) throw notFound('journey', id);
  const { scope, services } = ctx;
  const channel = aboutChannel(scope, NOUN, journeyId);
  // Statuses of messages change long after the members have moved on.
  const stop = services.live.subscribe(sourceChannel(scope, journeyId), () =>
    services.live.deliver(channel, 'moved'),
  );
  const snapshots = watchSnapshot<JourneyAnalytics>(ctx, {
    noun: NOUN,
    id: journeyId,
    read: (each) => findJourneyAnalytics(each, journeyId),
    isEnded: ({ isEnded }) => isEnded,
  });
  const withId = async (analytics: JourneyAnalytics) => ({ ...analytics, id });
  return asSnapshots(mapIterator(snapshots, { map: withId, onEnd: stop }));
}

/** The noun of a journey in live channels, as in payloads: `journeyId`. */
const NOUN = 'journey';

/** Returns the figures of a campaign without a journey: audience, variants and held-out members. */
async function campaignFigures(
  ctx: Context,
  { id, variants, holdOutPercent }: CountedCampaign,
): Promise<JourneyAnalytics> {
  const recipients = await recipientsOf(ctx, id);
  const messages = await messageCounts(ctx, [id]);
  const heldOut = recipients.filter(({ state }) => state === 'HELD_OUT');
  const others = recipients.filter(({ state }) => state !== 'HELD_OUT');
  const audience = { nodeId: 'audience', type: 'audience', label: 'Audience' };
  const ofVariants = variants.map(({ key }) => {
    const node = { nodeId: `variant:${key}`, type: 'variant', label: key };
    const outcomes = others.filter(({ variant }) => variant === key).flatMap(outcomesOfRecipients);
    return nodeFigures(
      node,
      outcomes,
      messages.filter(({ variant }) => variant === key),
    );
  });
  const holdOut = nodeFigures({ nodeId: 'hold_out', type: 'hold_out', label: 'Held out' }, [
    { outcome: 'ENTERED', count: sumOf(heldOut) },
  ]);
  const entered = sumOf(recipients);
  const nodes = [
    nodeFigures(audience, [{ outcome: 'ENTERED', count: entered }]),
    ...ofVariants,
    ...(holdOutPercent > 0 || heldOut.length > 0 ? [holdOut] : []),
  ];
  const waiting = sumOf(recipients.filter(({ state }) => state === 'WAITING'));
  return {
    id,
    entered,
    active: waiting,
    completed: entered - waiting,
    goalReached: 0,
    exited: 0,
    failed: 0,
    nodes,
    computedAt: ctx.clock.now(),
    isEnded: false,
  };
}

/** Returns the outcomes of recipients who are waiting, were skipped, or received a message. */
function outcomesOfRecipients({ state, reason, count }: AudienceCount) {
  const entered = { outcome: 'ENTERED', count };
  if (state === 'WAITING') return [entered, { outcome: 'WAITING', count }];
  return [entered, { outcome: state === 'SKIPPED' ? `SKIPPED:${reason}` : 'DONE', count }];
}
