import { actorId, systemCaller } from '@loyalty/platform/base/caller';
import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import { invalid, unauthenticated } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { tokenHashOf } from '@loyalty/platform/crypto/token-hash';
import { publish } from '@loyalty/platform/work/events';
import { emailConfirmationRequested, emailConfirmed } from './accounts.events.ts';
import { findAccount } from './accounts.service.ts';
import { insertConfirmation, putConfirmationToken, useConfirmationToken } from './accounts.store.ts';
import { linkTo, newOneTimeToken } from './one-time-token.ts';
import { asPlatform } from './platform-workspace.ts';
import { guardAddress, guardMail } from './sign-in-guard.ts';

const LINK_LIFETIME_MS = 7 * DAY_MS;

/**
 * Mails the link to the caller again, unless the address is confirmed.
 *
 * @throws AppError RATE_LIMITED (429), CREDENTIAL_INVALID (401) if the account is gone
 */
export async function requestEmailConfirmation(ctx: Context): Promise<true> {
  const account = await findAccount(ctx, actorId(ctx.caller)!);
  if (!account) throw unauthenticated('CREDENTIAL_INVALID', 'The account does not exist any more.');
  await guardMail(ctx, 'email-confirmation', account.email);
  await ctx.transaction((tx) => requestLink(tx, account.id));
  return true;
}

/** Creates a token, stores its hash and mails the link. A confirmed account gets no mail. */
export async function sendEmailConfirmation(ctx: Context, accountId: string): Promise<void> {
  const account = await findAccount(ctx, accountId);
  const token = newOneTimeToken();
  const expiresAt = addMs(ctx.clock.now(), LINK_LIFETIME_MS);
  if (!account || !(await putConfirmationToken(ctx, accountId, { hash: tokenHashOf(token), expiresAt })))
    return;
  await ctx.services.mailer.send({
    to: account.email,
    subject: 'Confirm your e-mail address',
    text: [
      'Somebody, probably you, registered with this address.',
      'Open this link within 7 days to confirm it and to get the trial credits:',
      linkTo(ctx.services.config, 'confirm-email', token),
      'If it was not you, do nothing.',
    ].join('\n\n'),
  });
}

/**
 * Confirms the address of an account by a mailed token; the token works once.
 *
 * @throws AppError TOKEN_INVALID (400) if it is unknown, used, replaced or older than 7 days, RATE_LIMITED
 *   (429)
 */
export async function confirmEmail(ctx: Context, token: string): Promise<true> {
  await guardAddress(ctx, 'email-confirmation');
  await ctx.transaction(async (tx) => {
    const confirmed = await useConfirmationToken(tx, tokenHashOf(token));
    if (!confirmed) {
      const rule = 'was used, replaced by a newer one or is older than 7 days: ask for a new link';
      throw invalid('token', rule, 'TOKEN_INVALID');
    }
    const { workspaceId } = confirmed;
    const there = tx.as(systemCaller('email-confirmation', { workspaceId, mode: 'LIVE' }));
    await publish(there, emailConfirmed, { workspaceId });
  });
  return true;
}

/** Mails a link to a new account. Its workspace gets no trial credits until the address is confirmed. */
export async function awaitConfirmation(tx: Context, accountId: string): Promise<void> {
  await insertConfirmation(tx, accountId);
  await requestLink(tx, accountId);
}

const requestLink = (tx: Context, accountId: string): Promise<void> =>
  publish(asPlatform(tx, 'email-confirmation'), emailConfirmationRequested, { accountId });
