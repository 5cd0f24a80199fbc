import { DAY_MS, HOUR_MS, MINUTE_MS } from '@loyalty/platform/base/clock';
import { EMAIL_INDEX } from '@loyalty/platform/base/email';
import type { Context } from '@loyalty/platform/context';
import { PLATFORM_WORKSPACE_ID } from '@loyalty/platform/crypto/keyring';
import { countInWindow, type GuardWindow, guardWindow } from '@loyalty/platform/identity/write-guard';
import { networkOf } from '@loyalty/platform/outbound/ip-ranges';

/** Mails to one address that one network address may request. */
const STARTS_PER_SOURCE_AND_HOUR = 5;
const STARTS_PER_SOURCE_AND_DAY = 10;
/**
 * Limit for all sources together, so that no mailbox is flooded. It is ten times the limit of one network
 * address, so that a stranger cannot lock a member out.
 */
const STARTS_PER_EMAIL_AND_HOUR = 50;
const STARTS_PER_EMAIL_AND_DAY = 200;
/**
 * Codes can be guessed, so further mails have only the link. With five tries each, a year of guesses finds a
 * code with a probability of at most 4 percent.
 */
const CODES_PER_EMAIL_AND_DAY = 20;
/** High, because guests of a shop share the address of its network. */
const STARTS_PER_NETWORK_ADDRESS = 30;
const COMPLETIONS_PER_NETWORK_ADDRESS = 50;

/**
 * Counts one start, whether the address is a member's or not. Addresses are stored as keyed hashes. A start
 * that is refused because of its source does not count for the address as a whole.
 *
 * @param ctx - in the workspace of the member
 * @returns whether the mail may have a code in addition to its link
 * @throws AppError RATE_LIMITED (429, with Retry-After), GUARD_UNAVAILABLE (503)
 */
export async function guardStart(ctx: Context, email: string): Promise<{ readonly hasCode: boolean }> {
  const { workspaceId, mode } = ctx.scope;
  const keys = await ctx.services.keyring.of(workspaceId);
  const network = ctx.request.address ? keys.index(networkOf(ctx.request.address), 'network-address') : '';
  const address = `email:${mode}:${keys.index(email, EMAIL_INDEX)}`;
  const perHour = (subject: string, limit: number): GuardWindow => ({
    workspaceId,
    guard: 'member-sign-in',
    subject,
    windowMs: HOUR_MS,
    limit,
  });
  const perDay = (subject: string, limit: number): GuardWindow => ({
    workspaceId,
    guard: 'member-sign-in-day',
    subject,
    windowMs: DAY_MS,
    limit,
  });
  const windows = [
    ...(network ? [perHour(`address:${network}`, STARTS_PER_NETWORK_ADDRESS)] : []),
    perHour(`${address}:${network}`, STARTS_PER_SOURCE_AND_HOUR),
    perDay(`${address}:${network}`, STARTS_PER_SOURCE_AND_DAY),
    perHour(`${address}:all`, STARTS_PER_EMAIL_AND_HOUR),
    perDay(`${address}:all`, STARTS_PER_EMAIL_AND_DAY),
  ];
  for (const window of windows) await guardWindow(ctx, window);
  const codes = { ...perDay(address, CODES_PER_EMAIL_AND_DAY), guard: 'member-sign-in-codes' };
  return { hasCode: (await countInWindow(ctx, codes, 1)) > 0 };
}

/**
 * Counts one attempt of a network address to sign in with a code or a link.
 *
 * @throws AppError RATE_LIMITED (429, with Retry-After), GUARD_UNAVAILABLE (503)
 */
export async function guardCompletion(ctx: Context): Promise<void> {
  if (!ctx.request.address) return;
  const workspaceId = PLATFORM_WORKSPACE_ID;
  const keys = await ctx.services.keyring.of(workspaceId);
  const subject = `address:${keys.index(networkOf(ctx.request.address), 'network-address')}`;
  const limit = COMPLETIONS_PER_NETWORK_ADDRESS;
  const windowMs = 15 * MINUTE_MS;
  await guardWindow(ctx, { workspaceId, subject, guard: 'member-sign-in-code', windowMs, limit });
}
