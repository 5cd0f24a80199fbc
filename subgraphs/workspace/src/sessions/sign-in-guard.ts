import { MINUTE_MS } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';
import { EMAIL_INDEX } from '@loyalty/platform/email';
import { PLATFORM_WORKSPACE_ID } from '@loyalty/platform/keyring';
import { guardWindow } from '@loyalty/platform/write-guard';
import { accountKeys } from '../accounts/account-keys.ts';

const WINDOW_MS = 15 * MINUTE_MS;
const ATTEMPTS_PER_ACCOUNT = 10;
const ATTEMPTS_PER_ADDRESS = 50;

/**
 * Counts one attempt to prove who somebody is, whether the account exists or not.
 *
 * @param guard - what is attempted; each is counted for itself
 * @param email - as `checkEmail` returns it
 * @throws AppError RATE_LIMITED (429, with Retry-After), GUARD_UNAVAILABLE (503)
 */
export async function guardSignIn(
  ctx: Context,
  guard: 'login' | 'password-reset',
  email: string,
): Promise<void> {
  await guardAddress(ctx, guard);
  const keys = await accountKeys(ctx);
  await count(ctx, guard, `account:${keys.index(email, EMAIL_INDEX)}`, ATTEMPTS_PER_ACCOUNT);
}

/**
 * Counts one attempt of a network address, which is kept as a keyed hash only.
 *
 * @throws AppError RATE_LIMITED (429, with Retry-After), GUARD_UNAVAILABLE (503)
 */
export async function guardAddress(ctx: Context, guard: string): Promise<void> {
  if (!ctx.address) return;
  const keys = await accountKeys(ctx);
  await count(ctx, guard, `address:${keys.index(ctx.address, 'network-address')}`, ATTEMPTS_PER_ADDRESS);
}

const count = (ctx: Context, guard: string, subject: string, limit: number): Promise<void> =>
  guardWindow(ctx, { workspaceId: PLATFORM_WORKSPACE_ID, subject, guard, windowMs: WINDOW_MS, limit });
