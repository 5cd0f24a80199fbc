import { actorId, type Caller, type Role } from '@loyalty/platform/base/caller';
import { checkEmail } from '@loyalty/platform/base/email';
import { conflict, invalid, notFound } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { newId } from '@loyalty/platform/base/ids';
import { checkText } from '@loyalty/platform/base/input';
import type { Context } from '@loyalty/platform/context';
import {
  type Account,
  type AccountCredentials,
  accountById,
  changePasswordHash,
  changeProfile,
  endAllSessions,
  findAccount,
  findCredentials,
  findCredentialsByEmail,
  insertAccount,
} from './accounts.store.ts';
import { hashPassword } from './password-hash.ts';
import { checkPassword } from './password-rules.ts';
import { accountKeys } from './platform-workspace.ts';

export type { AccountCredentials };
export {
  changePasswordHash as replacePassword,
  endAllSessions,
  findAccount,
  findCredentials,
  findCredentialsByEmail,
};

/** An account as a caller may see it. */
export interface User extends Omit<Account, 'email'> {
  readonly email: string | null;
  /** True if it is the caller's own account. */
  readonly isOwn: boolean;
}

interface NewAccount {
  readonly email: string;
  readonly password: string;
  readonly name: string;
}

const NAME_LENGTH_MAX = 200;
const AVATAR_URL_LENGTH_MAX = 2_000;

/** Returns a valid name of a person. @throws AppError VALIDATION_FAILED */
export const checkPersonName = (name: string): string => checkText('input.name', name, NAME_LENGTH_MAX);

/** @throws AppError VALIDATION_FAILED, PASSWORD_WEAK (400) naming every wrong field */
export const checkAccount = ({ email, name, password }: NewAccount) =>
  gathered((check) => {
    const checked = {
      email: check(() => checkEmail('input.email', email)),
      name: check(() => checkPersonName(name)),
    };
    check(() => checkPassword('input.password', password, checked.email));
    return checked;
  });

/**
 * Checks the input and hashes the password outside of a transaction, so that `insert` holds its locks only
 * briefly.
 *
 * @param guard - counts the attempt before the password is hashed, because hashing is expensive
 * @throws AppError VALIDATION_FAILED (400); `insert` throws ACCOUNT_EXISTS (409)
 */
export async function prepareAccount(
  ctx: Context,
  input: NewAccount,
  guard: (ctx: Context) => Promise<void> = async () => {},
) {
  const { email, name } = checkAccount(input);
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
 * Changes the caller's own name and picture. Absent fields do not change, null removes the picture.
 *
 * @throws AppError VALIDATION_FAILED (400)
 * @remarks Source: v2 REST API, section 4 "User accounts", PATCH /auth/profile
 */
export async function updateProfile(
  ctx: Context,
  input: { readonly name?: string | null | undefined; readonly avatarUrl?: string | null | undefined },
): Promise<User> {
  const id = actorId(ctx.caller)!;
  const { avatarUrl } = input;
  const name = gathered((check) => {
    const checked = input.name == null ? undefined : check(() => checkPersonName(input.name!));
    if (
      avatarUrl != null &&
      (!avatarUrl.startsWith('https://') || avatarUrl.length > AVATAR_URL_LENGTH_MAX)
    ) {
      throw invalid(
        'input.avatarUrl',
        `must be an https address of at most ${AVATAR_URL_LENGTH_MAX} characters`,
      );
    }
    return checked;
  });
  const account = await changeProfile(ctx, id, { name, avatarUrl });
  if (!account) throw notFound('account', id);
  return asSeenBy(ctx.caller, account);
}

/**
 * Returns the signed-in user.
 *
 * @throws AppError USER_NOT_FOUND (404) if the account has left the workspace
 * @remarks Source: v2 REST API, section 4 "User accounts", GET /auth/profile
 */
export const getProfile = (ctx: Context): Promise<User> => getUser(ctx, actorId(ctx.caller)!);

/** Returns a user of the caller's workspace; null for anybody who is not in the team. */
export async function findUser(ctx: Context, id: string): Promise<User | null> {
  if (!['USER', 'KEY', 'SYSTEM'].includes(ctx.caller.kind)) return null;
  const account = await ctx.load(accountById, id);
  return account ? asSeenBy(ctx.caller, account) : null;
}

/**
 * Returns a user of the caller's workspace.
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

/** Whether the caller may see personal data of the workspace's people. */
export const isAdmin = (caller: Caller): boolean => caller.kind === 'SYSTEM' || isAdminUser(caller);

/** Whether the role manages a workspace: owners and admins. */
export const isAdminRole = (role: Role | null): boolean => role === 'OWNER' || role === 'ADMIN';

/** Whether the caller is a person who manages the workspace; false for keys. */
export const isAdminUser = ({ kind, role }: Caller): boolean => kind === 'USER' && isAdminRole(role);
