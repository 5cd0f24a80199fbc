import { systemCaller } from '@loyalty/platform/caller/caller';
import type { Context } from '@loyalty/platform/context';
import { PLATFORM_WORKSPACE_ID } from '@loyalty/platform/crypto/keyring';
import { publish } from '@loyalty/platform/outbox/events';
import { emailConfirmationRequested } from './confirmations.events.ts';
import { insertConfirmation } from './confirmations.store.ts';

/** Has a link mailed to a new account, whose workspace waits until it is followed. */
export async function awaitConfirmation(tx: Context, accountId: string): Promise<void> {
  await insertConfirmation(tx, accountId);
  await requestLink(tx, accountId);
}

/** Accounts belong to no workspace: what is asked for them is told on the platform's own ground. */
export const requestLink = (tx: Context, accountId: string): Promise<void> =>
  publish(
    tx.as(systemCaller('email-confirmation', { workspaceId: PLATFORM_WORKSPACE_ID, mode: 'LIVE' })),
    emailConfirmationRequested,
    { accountId },
  );
