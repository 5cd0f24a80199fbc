import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { renewSubscriptions } from './subscriptions.service.ts';

/** Due every hour; serves all workspaces at once. */
export const renewSubscriptionsJob = job('model.renew-subscriptions', z.object({}), async (ctx) => {
  await renewSubscriptions(ctx);
});
