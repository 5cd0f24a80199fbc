import type { Context } from '@loyalty/platform/context';
import { publish } from '@loyalty/platform/outbox/events';
import { asPlatform } from '../accounts/platform-caller.ts';
import { emailConfirmationRequested } from './confirmations.events.ts';
import { insertConfirmation } from './confirmations.store.ts';

/** Mails a link to a new account. Its workspace gets no trial credits until the address is confirmed. */
export async function awaitConfirmation(tx: Context, accountId: string): Promise<void> {
  await insertConfirmation(tx, accountId);
  await requestLink(tx, accountId);
}

export const requestLink = (tx: Context, accountId: string): Promise<void> =>
  publish(asPlatform(tx, 'email-confirmation'), emailConfirmationRequested, { accountId });
