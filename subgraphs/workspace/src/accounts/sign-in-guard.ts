import { HOUR_MS, MINUTE_MS } from '@loyalty/platform/base/clock';
import { EMAIL_INDEX } from '@loyalty/platform/base/email';
import type { Context } from '@loyalty/platform/context';
import { PLATFORM_WORKSPACE_ID } from '@loyalty/platform/crypto/keyring';
import { type GuardWindow, guardWindow, uncount } from '@loyalty/platform/identity/write-guard';
import { isLoopbackAddress, networkOf } from '@loyalty/platform/outbound/ip-ranges';
import { accountKeys } from './platform-workspace.ts';

const WINDOW_MS = 15 * MINUTE_MS;
/** Wrong passwords for one account from one network address. */
const FAILURES_PER_PAIR = 10;
/**
 * Wrong passwords for one account from all sources: as many as NIST SP 800-63B allows, and ten times the
 * limit of one address, so that one source cannot lock an account.
 */
const FAILURES_PER_ACCOUNT = 100;
const ATTEMPTS_PER_ADDRESS = 50;
/** Mailed links to one address that one network address may request. */
const MAILS_PER_PAIR = 10;
/**
 * Limit for all sources together, high enough that one source cannot prevent a person from getting a link.
 */
const MAILS_PER_ACCOUNT = 100;

/** An attempt that counts as a wrong password until `succeeded` is called. */
interface SignInAttempt {
  /**
   * The password was right: this attempt, and earlier ones from this network address for the account, no
   * longer count.
   */
  succeeded(): Promise<void>;
}

/**
 * Counts one attempt to enter the password of an account, whether the account exists or not. An attempt that
 * is refused for its address, or for its pair of address and account, does not count for the account.
 *
 * @param email - as `checkEmail` returns it
 * @throws AppError RATE_LIMITED (429, with Retry-After), GUARD_UNAVAILABLE (503)
 */
export async function guardSignIn(ctx: Context, email: string): Promise<SignInAttempt> {
  const account = await accountIndex(ctx, email);
  const address = await addressIndex(ctx);
  const pair = windowOf('login', `pair:${account}:${address ?? ''}`, FAILURES_PER_PAIR);
  const others = [
    ...(address ? [windowOf('login', `address:${address}`, ATTEMPTS_PER_ADDRESS)] : []),
    windowOf('login', `account:${account}`, FAILURES_PER_ACCOUNT),
  ];
  for (const window of [...others.slice(0, -1), pair, ...others.slice(-1)]) await guardWindow(ctx, window);
  return {
    succeeded: () =>
      uncount(ctx, [
        { ...pair, acts: FAILURES_PER_PAIR },
        ...others.map((window) => ({ ...window, acts: 1 })),
      ]),
  };
}

/**
 * Counts one link that is mailed to an address, whether it has an account or not. A request that is refused
 * because of its source does not count for the account.
 *
 * @param guard - the purpose of the link; each is counted separately
 * @throws AppError RATE_LIMITED (429, with Retry-After), GUARD_UNAVAILABLE (503)
 */
export async function guardMail(
  ctx: Context,
  guard: 'password-reset' | 'email-confirmation',
  email: string,
): Promise<void> {
  await guardAddress(ctx, guard);
  const account = await accountIndex(ctx, email);
  const pair = `pair:${account}:${(await addressIndex(ctx)) ?? ''}`;
  await guardWindow(ctx, windowOf(guard, pair, MAILS_PER_PAIR));
  await guardWindow(ctx, windowOf(guard, `account:${account}`, MAILS_PER_ACCOUNT));
}

/**
 * Counts one attempt of a network address, which is stored only as a keyed hash.
 *
 * @throws AppError RATE_LIMITED (429, with Retry-After), GUARD_UNAVAILABLE (503)
 */
export async function guardAddress(ctx: Context, guard: string): Promise<void> {
  const address = await addressIndex(ctx);
  if (address) await guardWindow(ctx, windowOf(guard, `address:${address}`, ATTEMPTS_PER_ADDRESS));
}

/**
 * Counts one registration of a network address. Outside of production there is no limit for the machine's own
 * addresses, for test suites.
 *
 * @throws AppError RATE_LIMITED (429, with Retry-After), GUARD_UNAVAILABLE (503)
 */
export async function guardRegistration(ctx: Context): Promise<void> {
  const { isProduction, REGISTRATIONS_PER_HOUR } = ctx.services.config;
  if (!isProduction && ctx.request.address && isLoopbackAddress(ctx.request.address)) return;
  const address = await addressIndex(ctx);
  if (!address) return;
  const window = windowOf('register', `address:${address}`, REGISTRATIONS_PER_HOUR);
  await guardWindow(ctx, { ...window, windowMs: HOUR_MS });
}

const windowOf = (guard: string, subject: string, limit: number): GuardWindow => ({
  workspaceId: PLATFORM_WORKSPACE_ID,
  subject,
  guard,
  windowMs: WINDOW_MS,
  limit,
});

const accountIndex = async (ctx: Context, email: string): Promise<string> =>
  (await accountKeys(ctx)).index(email, EMAIL_INDEX);

/** Returns null if the caller is in this process. */
const addressIndex = async (ctx: Context): Promise<string | null> =>
  ctx.request.address
    ? (await accountKeys(ctx)).index(networkOf(ctx.request.address), 'network-address')
    : null;
