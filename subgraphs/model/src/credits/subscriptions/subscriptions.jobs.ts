import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { renewSubscriptions } from './subscriptions.service.ts';

/** For the clockwork, every hour; it serves all workspaces at once and needs none of its own. */
export const renewSubscriptionsJob = job('model.renew-subscriptions', z.object({}), async (ctx) => {
  await renewSubscriptions(ctx);
});
