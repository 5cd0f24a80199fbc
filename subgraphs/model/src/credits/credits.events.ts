import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/**
 * Live channel of one workspace's wallet; it sends the workspace's id whenever the wallet has changed
 * (`model.wallet_changed`). It is not an outbox event: no job reacts to it; open screens read the wallet
 * again.
 */
export const walletChannel = (workspaceId: string): string => `wallet:${workspaceId}`;

/** The wallet did not cover the next month of paid service; the service is now paused. */
export const servicePaused = event('wallet.service_paused', z.object({ workspaceId: z.uuid() }));
