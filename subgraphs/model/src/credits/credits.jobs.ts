import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { expireReservations } from './reservations.service.ts';
import { renewSubscriptions } from './subscriptions.service.ts';
import { giveTrial, openWallet } from './wallet.service.ts';

/** Reacts to `workspace.registered`. */
export const openWalletJob = job(
  'model.open-wallet',
  z.object({ workspaceId: z.uuid() }),
  (ctx, { workspaceId }) => openWallet(ctx, workspaceId),
);

/** Reacts to `workspace.email_confirmed`. */
export const giveTrialJob = job(
  'model.give-trial',
  z.object({ workspaceId: z.uuid() }),
  (ctx, { workspaceId }) => giveTrial(ctx, workspaceId),
);

/** Scheduled every hour, for all workspaces. */
export const renewSubscriptionsJob = job('model.renew-subscriptions', z.object({}), async (ctx) => {
  await renewSubscriptions(ctx);
});

/** Scheduled every minute, for all workspaces. */
export const expireReservationsJob = job('model.expire-reservations', z.object({}), async (ctx) => {
  await expireReservations(ctx);
});
