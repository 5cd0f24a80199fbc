import type { Context } from '@loyalty/platform/context';
import { messageCounts } from '../../messages/source-messages.service.ts';
import { type AudienceCount, type CountedCampaign, recipientsOf } from './journey-counts.store.ts';
import { type JourneyAnalytics, nodeFigures, sumOf } from './node-figures.ts';

/** The figures of a campaign without a journey: of its audience, its variants, and those who are held out. */
export async function campaignFigures(
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

/** Those who wait, were skipped, or got a message. */
function outcomesOfRecipients({ state, reason, count }: AudienceCount) {
  const entered = { outcome: 'ENTERED', count };
  if (state === 'WAITING') return [entered, { outcome: 'WAITING', count }];
  return [entered, { outcome: state === 'SKIPPED' ? `SKIPPED:${reason}` : 'DONE', count }];
}
