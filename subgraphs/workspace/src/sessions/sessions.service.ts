import { actorId, type Mode } from '@loyalty/platform/caller/caller';
import {
  type SignedSession,
  signSession,
  USER_SESSION_SECONDS,
} from '@loyalty/platform/caller/session-token';
import { addMs, HOUR_MS, SECOND_MS } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';
import { forbidden, notFound, unauthenticated } from '@loyalty/platform/errors';
import { checkEmail } from '@loyalty/platform/values/email';
import {
  type AccountCredentials,
  findCredentials,
  findCredentialsByEmail,
} from '../accounts/accounts.service.ts';
import { isPassword } from '../accounts/password-hash.ts';
import { findFirstMembership } from '../memberships/memberships.service.ts';
import { guardSignIn } from './sign-in-guard.ts';

/** After this time the password is needed again. */
const PASSWORD_GOOD_FOR_MS = 12 * HOUR_MS;

interface Login {
  readonly email: string;
  readonly password: string;
  readonly workspaceId?: string | null | undefined;
}

/**
 * Signs a person in to one of the workspaces that they belong to, for one hour. An unknown address and a
 * wrong password are answered alike, after the same time.
 *
 * @throws AppError CREDENTIAL_INVALID (401), RATE_LIMITED (429), WORKSPACE_NOT_FOUND (404),
 *   MEMBERSHIP_REQUIRED (403)
 * @remarks Source: v2 REST API, section 4 "User accounts", POST /auth/login
 */
export async function login(ctx: Context, input: Login): Promise<SignedSession> {
  const account = await authenticate(ctx, input.email, input.password);
  const workspaceId = await findFirstMembership(ctx, account.accountId, input.workspaceId ?? null);
  if (!workspaceId && input.workspaceId) throw notFound('workspace', input.workspaceId);
  if (!workspaceId)
    throw forbidden('MEMBERSHIP_REQUIRED', 'The account belongs to no workspace. Ask to be invited.');
  return openSession(ctx, account, workspaceId);
}

/**
 * The account, if this is its password.
 *
 * @throws AppError CREDENTIAL_INVALID (401), RATE_LIMITED (429)
 */
export async function authenticate(
  ctx: Context,
  address: string,
  password: string,
): Promise<AccountCredentials> {
  const email = checkEmail('input.email', address);
  const attempt = await guardSignIn(ctx, email);
  const account = await findCredentialsByEmail(ctx, email);
  const isCorrect = await isPassword(account?.passwordHash ?? null, password);
  if (account && isCorrect) {
    await attempt.succeeded();
    return account;
  }
  throw unauthenticated('CREDENTIAL_INVALID', 'E-mail address or password is wrong.');
}

/** A session of somebody who has just given the password. */
export function openSession(
  ctx: Context,
  account: AccountCredentials,
  workspaceId: string,
  mode: Mode = 'LIVE',
): Promise<SignedSession> {
  return sign(ctx, account, workspaceId, mode, ctx.clock.now(), USER_SESSION_SECONDS);
}

/**
 * A new session of the caller in the same workspace, for an hour or what is left of 12 since the password.
 *
 * @throws AppError CREDENTIAL_EXPIRED (401) after that, CREDENTIAL_INVALID (401) when the session has ended
 */
export async function refreshSession(ctx: Context): Promise<SignedSession> {
  const ended = unauthenticated('CREDENTIAL_INVALID', 'The session has ended. Sign in again.');
  const { session } = ctx.caller;
  if (!session) throw ended;
  const authenticatedAt = new Date(session.authenticatedAt);
  const leftMs = addMs(authenticatedAt, PASSWORD_GOOD_FOR_MS).getTime() - ctx.clock.now().getTime();
  if (leftMs < SECOND_MS)
    throw unauthenticated('CREDENTIAL_EXPIRED', 'It is 12 hours since you signed in. Sign in again.');
  const account = await findCredentials(ctx, actorId(ctx.caller)!);
  // The gateway may have looked the caller up seconds before the password was changed.
  if (account?.tokenVersion !== session.version) throw ended;
  const { workspaceId, mode } = ctx.scope;
  return sign(
    ctx,
    account,
    workspaceId,
    mode,
    authenticatedAt,
    Math.min(USER_SESSION_SECONDS, leftMs / SECOND_MS),
  );
}

function sign(
  ctx: Context,
  account: AccountCredentials,
  workspaceId: string,
  mode: Mode,
  authenticatedAt: Date,
  lifetimeSeconds: number,
): Promise<SignedSession> {
  const { accountId: subject, tokenVersion: version } = account;
  const claims = { audience: 'user', subject, workspaceId, mode, version, authenticatedAt } as const;
  return signSession(ctx.services.config.masterKeys, claims, lifetimeSeconds, ctx.clock);
}
