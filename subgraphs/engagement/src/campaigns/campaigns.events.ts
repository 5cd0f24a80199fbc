import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/** A campaign was started. */
export const campaignStarted = event('campaign.started', z.object({ campaignId: z.uuid() }), {
  webhook: {
    stage: 'engagement',
    resource: 'campaignId',
    label: 'Campaign started',
    description: 'A campaign began to be sent.',
  },
});

const count = z.int().nonnegative();

/**
 * A campaign was sent, or was cancelled after its start. `skipped` is the number of recipients without a
 * message.
 */
export const campaignFinished = event(
  'campaign.finished',
  z.object({ campaignId: z.uuid(), recipients: count, heldOut: count, skipped: count, queued: count }),
  {
    webhook: {
      stage: 'engagement',
      resource: 'campaignId',
      label: 'Campaign finished',
      description: 'A campaign was sent, or cancelled after it had begun.',
    },
  },
);
