import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
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
