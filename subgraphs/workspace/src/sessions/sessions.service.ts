import { actorId, type Caller, type Mode } from '@loyalty/platform/base/caller';
import { addMs, HOUR_MS, SECOND_MS } from '@loyalty/platform/base/clock';
import { checkEmail } from '@loyalty/platform/base/email';
import { forbidden, notFound, unauthenticated } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/identity/audit';
import { forgetCredentials } from '@loyalty/platform/identity/credentials';
import {
  type SessionClaims,
  type SignedSession,
  signSession,
  USER_SESSION_SECONDS,
} from '@loyalty/platform/identity/session-token';
import {
  type AccountCredentials,
  endAllSessions,
  findCredentials,
  findCredentialsByEmail,
} from '../accounts/accounts.service.ts';
import { isPassword } from '../accounts/password-hash.ts';
import { guardSignIn } from '../accounts/sign-in-guard.ts';
import { findFirstMembership, keepEndedSession } from './sessions.store.ts';

/** Time after which the password must be entered again. */
const PASSWORD_LIFETIME_MS = 12 * HOUR_MS;

interface Login {
  readonly email: string;
  readonly password: string;
  readonly workspaceId?: string | null | undefined;
}

/**
 * Signs a person in to one of the workspaces that they belong to, for one hour. An unknown address and a
 * wrong password have the same answer, after the same time.
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
 * Returns the account if this is its password.
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

/**
 * Returns whether this is the account's password; null if there is no such account. Only for system callers.
 */
export async function isPasswordOf(ctx: Context, email: string, password: string): Promise<boolean | null> {
  const account = await findCredentialsByEmail(ctx, email);
  return account && isPassword(account.passwordHash, password);
}

/** Opens a session for a person who has just entered the password. */
export function openSession(
  ctx: Context,
  account: AccountCredentials,
  workspaceId: string,
  mode: Mode = 'LIVE',
): Promise<SignedSession> {
  const [sessionId, authenticatedAt] = [newId(ctx.clock), ctx.clock.now()];
  return sign(ctx, account, { sessionId, workspaceId, mode, authenticatedAt }, USER_SESSION_SECONDS);
}

/**
 * Opens a new session of the caller in the same workspace, for an hour, but at most until 12 hours after the
 * password was entered.
 *
 * @throws AppError CREDENTIAL_EXPIRED (401) after that, CREDENTIAL_INVALID (401) if the session has ended
 */
export async function refreshSession(ctx: Context): Promise<SignedSession> {
  const ended = unauthenticated('CREDENTIAL_INVALID', 'The session has ended. Sign in again.');
  const { session } = ctx.caller;
  if (!session) throw ended;
  const authenticatedAt = new Date(session.authenticatedAt);
  const leftMs = addMs(authenticatedAt, PASSWORD_LIFETIME_MS).getTime() - ctx.clock.now().getTime();
  if (leftMs < SECOND_MS)
    throw unauthenticated('CREDENTIAL_EXPIRED', 'It is 12 hours since you signed in. Sign in again.');
  const account = await findCredentials(ctx, actorId(ctx.caller)!);
  // The gateway may have resolved the caller seconds before the password was changed.
  if (account?.tokenVersion !== session.version) throw ended;
  const { workspaceId, mode } = ctx.scope;
  const kept = { sessionId: session.id, workspaceId, mode, authenticatedAt };
  return sign(ctx, account, kept, Math.min(USER_SESSION_SECONDS, leftMs / SECOND_MS));
}

/** Returns the time at which the password must be entered again. */
export const signInExpiresAt = ({ authenticatedAt }: NonNullable<Caller['session']>): Date =>
  addMs(new Date(authenticatedAt), PASSWORD_LIFETIME_MS);

/**
 * Signs the caller out: the session, or with `everywhere` every session of the account, is refused from now
 * on. Has no effect on an ended session.
 */
export async function endSession(ctx: Context, everywhere: boolean): Promise<true> {
  const { session } = ctx.caller;
  const accountId = actorId(ctx.caller)!;
  await ctx.transaction(async (tx) => {
    if (session) await keepEndedSession(tx, { accountId, sessionId: session.id, endsAt: lastUseOf(session) });
    if (everywhere) {
      await endAllSessions(tx, accountId);
      await audit(tx, { action: 'endSessions', resourceType: 'User', resourceId: accountId });
    }
    forgetCredentials(tx, `user:${accountId}`);
  });
  return true;
}

/**
 * Returns the latest end of a session's tokens: the last one may be signed just before the password expires.
 */
const lastUseOf = (session: NonNullable<Caller['session']>): Date =>
  addMs(signInExpiresAt(session), USER_SESSION_SECONDS * SECOND_MS);

function sign(
  ctx: Context,
  account: AccountCredentials,
  session: Pick<SessionClaims, 'sessionId' | 'workspaceId' | 'mode' | 'authenticatedAt'>,
  lifetimeSeconds: number,
): Promise<SignedSession> {
  const { accountId: subject, tokenVersion: version } = account;
  const claims = { audience: 'user', subject, version, ...session } as const;
  return signSession(ctx.services.config.masterKeys, claims, lifetimeSeconds, ctx.clock);
}
