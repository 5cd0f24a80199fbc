import { actorId } from '@loyalty/platform/base/caller';
import { addMs, MINUTE_MS } from '@loyalty/platform/base/clock';
import { checkEmail } from '@loyalty/platform/base/email';
import { conflict, invalid, unauthenticated } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { tokenHashOf } from '@loyalty/platform/crypto/token-hash';
import { audit } from '@loyalty/platform/identity/audit';
import { forgetCredentials } from '@loyalty/platform/identity/credentials';
import type { SignedSession } from '@loyalty/platform/identity/session-token';
import { publish } from '@loyalty/platform/work/events';
import {
  findAccount,
  findCredentials,
  findCredentialsByEmail,
  replacePassword,
} from '../accounts/accounts.service.ts';
import { linkTo, newOneTimeToken } from '../accounts/one-time-token.ts';
import { hashPassword, isPassword } from '../accounts/password-hash.ts';
import { checkPassword } from '../accounts/password-rules.ts';
import { asPlatform } from '../accounts/platform-workspace.ts';
import { guardAddress, guardMail, guardSignIn } from '../accounts/sign-in-guard.ts';
import { passwordResetRequested } from './sessions.events.ts';
import { openSession } from './sessions.service.ts';
import { endResets, findAccountToReset, insertReset, useReset } from './sessions.store.ts';

const RESET_LIFETIME_MS = 60 * MINUTE_MS;

/**
 * Sets a new password, ends every session of the account and opens one for the caller.
 *
 * @throws AppError PASSWORD_WRONG (400) for a wrong current password, PASSWORD_WEAK (400),
 *   RATE_LIMITED (429), PASSWORD_CHANGED (409)
 * @remarks Source: v2 REST API, section 4 "User accounts", POST /auth/change-password
 */
export async function changePassword(
  ctx: Context,
  input: { readonly currentPassword: string; readonly newPassword: string },
): Promise<SignedSession> {
  const id = actorId(ctx.caller)!;
  const [account, credentials] = await Promise.all([findAccount(ctx, id), findCredentials(ctx, id)]);
  if (!account || !credentials)
    throw unauthenticated('CREDENTIAL_INVALID', 'The account does not exist any more.');
  checkPassword('input.newPassword', input.newPassword, account.email);
  const attempt = await guardSignIn(ctx, account.email);
  if (!(await isPassword(credentials.passwordHash, input.currentPassword))) {
    throw invalid('input.currentPassword', 'is not the current password', 'PASSWORD_WRONG');
  }
  await attempt.succeeded();
  const passwordHash = await hashPassword(input.newPassword);
  return ctx.transaction(async (tx) => {
    const changed = await replacePassword(tx, id, credentials.passwordHash, passwordHash);
    if (!changed)
      throw conflict('PASSWORD_CHANGED', 'The password was changed in the meantime. Sign in again.');
    await endResets(tx, id);
    await audit(tx, { action: 'changePassword', resourceType: 'User', resourceId: id });
    forgetCredentials(tx, `user:${id}`);
    return openSession(tx, changed, tx.scope.workspaceId, tx.scope.mode);
  });
}

/**
 * Mails a reset link to the address if it has an account. Does the same work if it has none, so that neither
 * the answer nor its time reveals this.
 *
 * @throws AppError VALIDATION_FAILED (400) for text that is not an address, RATE_LIMITED (429)
 * @remarks Source: v2 REST API, section 4 "User accounts", POST /auth/forgot-password
 */
export async function requestPasswordReset(ctx: Context, address: string): Promise<true> {
  const email = checkEmail('email', address);
  await guardMail(ctx, 'password-reset', email);
  const account = await findCredentialsByEmail(ctx, email);
  const accountId = account?.accountId ?? newId(ctx.clock);
  await ctx.transaction((tx) =>
    publish(asPlatform(tx, 'password-reset'), passwordResetRequested, { accountId }),
  );
  return true;
}

/** Creates a token, stores its hash and mails the link; an unknown account gets no mail. */
export async function sendPasswordReset(ctx: Context, accountId: string): Promise<void> {
  const account = await findAccount(ctx, accountId);
  if (!account) return;
  const token = newOneTimeToken();
  const expiresAt = addMs(ctx.clock.now(), RESET_LIFETIME_MS);
  await insertReset(ctx, { id: newId(ctx.clock), accountId, tokenHash: tokenHashOf(token), expiresAt });
  await ctx.services.mailer.send({
    to: account.email,
    subject: 'Reset your password',
    text: [
      'Somebody, probably you, asked to reset the password of your account.',
      'Open this link within 60 minutes:',
      linkTo(ctx.services.config, 'reset-password', token),
      'If it was not you, do nothing: your password stays as it is.',
    ].join('\n\n'),
  });
}

/**
 * Sets a new password with a mailed token and ends every session of the account; the token works once.
 *
 * @throws AppError TOKEN_INVALID (400) if it is unknown, used or older than 60 minutes; PASSWORD_WEAK (400)
 * @remarks Source: v2 REST API, section 4 "User accounts", POST /auth/reset-password
 */
export async function resetPassword(
  ctx: Context,
  input: { readonly token: string; readonly newPassword: string },
): Promise<true> {
  const refused = invalid(
    'input.token',
    'was used or is older than 60 minutes: ask for a new link',
    'TOKEN_INVALID',
  );
  await guardAddress(ctx, 'password-reset');
  const tokenHash = tokenHashOf(input.token);
  const accountId = await findAccountToReset(ctx, tokenHash);
  const account = accountId && (await findAccount(ctx, accountId));
  if (!account) throw refused;
  checkPassword('input.newPassword', input.newPassword, account.email);
  const passwordHash = await hashPassword(input.newPassword);
  await ctx.transaction(async (tx) => {
    if (!(await useReset(tx, tokenHash))) throw refused;
    await endResets(tx, account.id);
    await replacePassword(tx, account.id, null, passwordHash);
    await audit(asPlatform(tx, 'password-reset'), {
      action: 'resetPassword',
      resourceType: 'User',
      resourceId: account.id,
    });
    forgetCredentials(tx, `user:${account.id}`);
  });
  return true;
}
