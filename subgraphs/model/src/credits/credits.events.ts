import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/**
 * Live channel of one workspace's wallet; it carries the workspace's id whenever the wallet changed
 * (`model.wallet_changed`). It is not an outbox event: no job reacts to it, it only makes open screens
 * read the wallet again.
 */
export const walletChannel = (workspaceId: string): string => `wallet:${workspaceId}`;

/** The wallet did not cover the next month of paid service, which is paused now. */
export const servicePaused = event('wallet.service_paused', z.object({ workspaceId: z.uuid() }));
