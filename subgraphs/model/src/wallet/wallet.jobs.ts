import { job } from '@loyalty/platform/jobs';
import { z } from 'zod';
import { openWallet } from './wallet.service.ts';

/** Reacts to `workspace.registered`. */
export const openWalletJob = job(
  'model.open-wallet',
  z.object({ workspaceId: z.uuid() }),
  (ctx, { workspaceId }) => openWallet(ctx, workspaceId),
);
