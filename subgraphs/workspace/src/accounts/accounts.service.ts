import { actorId, type Caller } from '@loyalty/platform/caller/caller';
import type { Context } from '@loyalty/platform/context';
import { conflict, invalid, notFound } from '@loyalty/platform/errors';
import { publish } from '@loyalty/platform/outbox/events';
import { checkEmail } from '@loyalty/platform/values/email';
import { newId } from '@loyalty/platform/values/ids';
import { checkText } from '@loyalty/platform/values/input';
import { userCaller } from '../callers/user-caller.ts';
import { awaitConfirmation } from '../confirmations/pending-confirmations.service.ts';
import { addMembership } from '../memberships/memberships.service.ts';
import { hashPassword } from '../passwords/password-hash.ts';
import { checkPassword } from '../passwords/password-rules.ts';
import { guardRegistration } from '../sessions/sign-in-guard.ts';
import { openWorkspace } from '../workspaces/workspaces.service.ts';
import { accountKeys } from './account-keys.ts';
import { workspaceRegistered } from './accounts.events.ts';
import {
  type Account,
  accountById,
  type Credentials,
  changePasswordHash,
  changeProfile,
  findAccount,
  findCredentials,
  findCredentialsByEmail,
  insertAccount,
} from './accounts.store.ts';

export type { Account, Credentials };
export { changePasswordHash as replacePassword, findAccount, findCredentials, findCredentialsByEmail };

/** An account as one caller may see it. */
export interface User extends Omit<Account, 'email'> {
  readonly email: string | null;
  /** Is it the caller's own? */
  readonly isOwn: boolean;
}

export interface Registration {
  readonly email: string;
  readonly password: string;
  readonly name: string;
  readonly workspaceName?: string | null | undefined;
}

const NAME_LENGTH_MAX = 200;
const AVATAR_URL_LENGTH_MAX = 2_000;

/**
 * Makes an account, a workspace and the account's ownership of it, or nothing.
 *
 * @throws AppError ACCOUNT_EXISTS (409), VALIDATION_FAILED, PASSWORD_WEAK (400), RATE_LIMITED (429),
 * REGISTRATION_BUSY (503)
 * @remarks Source: v2 REST API, section 4 "User accounts", POST /auth/register
 */
export async function register(ctx: Context, input: Registration): Promise<User> {
  const name = checkText('input.name', input.name, NAME_LENGTH_MAX);
  const workspaceName = checkText(
    'input.workspaceName',
    input.workspaceName ?? `${name.slice(0, 180)}'s workspace`,
    200,
  );
  const account = await prepareAccount(ctx, { ...input, name }, guardRegistration);
  const workspaceId = newId(ctx.clock);
  return ctx.transaction(async (tx) => {
    await account.insert(tx);
    const owner = tx.as(userCaller(account.id, workspaceId, 'OWNER'));
    await openWorkspace(owner, workspaceName);
    await addMembership(owner, account.id, 'OWNER');
    await publish(owner, workspaceRegistered, { workspaceId, accountId: account.id });
    if (ctx.services.config.TRIAL_NEEDS_CONFIRMED_EMAIL) await awaitConfirmation(owner, account.id);
    return { ...account.details, isOwn: true };
  });
}

/**
 * Checks and hashes outside of any transaction, so that `insert` holds its locks only briefly.
 *
 * @param guard - what to count before the password is hashed, which costs
 * @throws AppError VALIDATION_FAILED (400); `insert` throws ACCOUNT_EXISTS (409)
 */
export async function prepareAccount(
  ctx: Context,
  input: Registration,
  guard: (ctx: Context) => Promise<void> = async () => {},
) {
  const email = checkEmail('input.email', input.email);
  const name = checkText('input.name', input.name, NAME_LENGTH_MAX);
  checkPassword('input.password', input.password, email);
  await guard(ctx);
  const keys = await accountKeys(ctx);
  const passwordHash = await hashPassword(input.password, 'new-account');
  const details: Account = { id: newId(ctx.clock), email, name, avatarUrl: null, createdAt: ctx.clock.now() };
  const insert = async (tx: Context): Promise<void> => {
    if (await insertAccount(tx, keys, details, passwordHash)) return;
    throw conflict(
      'ACCOUNT_EXISTS',
      'This e-mail address has an account already. Sign in, or reset the password.',
    );
  };
  return { id: details.id, details, insert };
}

/**
 * Changes the caller's own name and picture; what is absent stays, a null picture is removed.
 *
 * @throws AppError VALIDATION_FAILED (400)
 * @remarks Source: v2 REST API, section 4 "User accounts", PATCH /auth/profile
 */
export async function updateProfile(
  ctx: Context,
  input: { readonly name?: string | null | undefined; readonly avatarUrl?: string | null | undefined },
): Promise<User> {
  const id = actorId(ctx.caller)!;
  const name = input.name == null ? undefined : checkText('input.name', input.name, NAME_LENGTH_MAX);
  const { avatarUrl } = input;
  if (avatarUrl != null && (!avatarUrl.startsWith('https://') || avatarUrl.length > AVATAR_URL_LENGTH_MAX)) {
    throw invalid(
      'input.avatarUrl',
      `must be an https address of at most ${AVATAR_URL_LENGTH_MAX} characters`,
    );
  }
  const account = await changeProfile(ctx, id, { name, avatarUrl });
  if (!account) throw notFound('account', id);
  return asSeenBy(ctx.caller, account);
}

/**
 * The signed-in user.
 *
 * @throws AppError USER_NOT_FOUND (404) once the account left the workspace
 * @remarks Source: v2 REST API, section 4 "User accounts", GET /auth/profile
 */
export const getProfile = (ctx: Context): Promise<User> => getUser(ctx, actorId(ctx.caller)!);

/** A user of the caller's workspace; null for anybody else, and for those who are not of the team. */
export async function findUser(ctx: Context, id: string): Promise<User | null> {
  if (!['USER', 'KEY', 'SYSTEM'].includes(ctx.caller.kind)) return null;
  const account = await ctx.load(accountById, id);
  return account ? asSeenBy(ctx.caller, account) : null;
}

/**
 * A user of the caller's workspace.
 *
 * @throws AppError USER_NOT_FOUND (404)
 */
export async function getUser(ctx: Context, id: string): Promise<User> {
  const user = await findUser(ctx, id);
  if (!user) throw notFound('user', id);
  return user;
}

function asSeenBy(caller: Caller, account: Account): User {
  const isOwn = caller.kind === 'USER' && actorId(caller) === account.id;
  return { ...account, email: isOwn || isAdmin(caller) ? account.email : null, isOwn };
}

/** May the caller see who the people of the workspace are? */
export const isAdmin = (caller: Caller): boolean =>
  caller.kind === 'SYSTEM' ||
  (caller.kind === 'USER' && (caller.role === 'OWNER' || caller.role === 'ADMIN'));
