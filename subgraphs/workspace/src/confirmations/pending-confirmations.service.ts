import type { Context } from '@loyalty/platform/context';
import { publish } from '@loyalty/platform/outbox/events';
import { asPlatform } from '../accounts/platform-caller.ts';
import { emailConfirmationRequested } from './confirmations.events.ts';
import { insertConfirmation } from './confirmations.store.ts';

/** Has a link mailed to a new account, whose workspace waits until it is followed. */
export async function awaitConfirmation(tx: Context, accountId: string): Promise<void> {
  await insertConfirmation(tx, accountId);
  await requestLink(tx, accountId);
}

export const requestLink = (tx: Context, accountId: string): Promise<void> =>
  publish(asPlatform(tx, 'email-confirmation'), emailConfirmationRequested, { accountId });
