import { actorId, systemCaller } from '@loyalty/platform/caller/caller';
import { addMs, DAY_MS } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';
import { invalid, unauthenticated } from '@loyalty/platform/errors';
import { publish } from '@loyalty/platform/outbox/events';
import { findAccount } from '../accounts/accounts.service.ts';
import { linkTo, newOneTimeToken, tokenHashOf } from '../sessions/one-time-token.ts';
import { guardAddress, guardMail } from '../sessions/sign-in-guard.ts';
import { emailConfirmed } from './confirmations.events.ts';
import { putToken, useToken } from './confirmations.store.ts';
import { requestLink } from './pending-confirmations.service.ts';

const LINK_GOOD_FOR_MS = 7 * DAY_MS;

/**
 * Mails the link to the caller again, unless the address is confirmed.
 *
 * @throws AppError RATE_LIMITED (429), CREDENTIAL_INVALID (401) once the account is gone
 */
export async function requestEmailConfirmation(ctx: Context): Promise<true> {
  const account = await findAccount(ctx, actorId(ctx.caller)!);
  if (!account) throw unauthenticated('CREDENTIAL_INVALID', 'The account does not exist any more.');
  await guardMail(ctx, 'email-confirmation', account.email);
  await ctx.transaction((tx) => requestLink(tx, account.id));
  return true;
}

/** Makes a token, stores its hash and mails the link. A confirmed account gets nothing. */
export async function sendEmailConfirmation(ctx: Context, accountId: string): Promise<void> {
  const account = await findAccount(ctx, accountId);
  const token = newOneTimeToken();
  const expiresAt = addMs(ctx.clock.now(), LINK_GOOD_FOR_MS);
  if (!account || !(await putToken(ctx, accountId, { hash: tokenHashOf(token), expiresAt }))) return;
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
 * Confirms the address of an account by a token that was mailed; the token works once.
 *
 * @throws AppError TOKEN_INVALID (400) when it is unknown, used, replaced or older than 7 days,
 *   RATE_LIMITED (429)
 */
export async function confirmEmail(ctx: Context, token: string): Promise<true> {
  await guardAddress(ctx, 'email-confirmation');
  await ctx.transaction(async (tx) => {
    const confirmed = await useToken(tx, tokenHashOf(token));
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
