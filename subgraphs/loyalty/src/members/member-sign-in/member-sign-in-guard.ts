import { guardWindow } from '@loyalty/platform/caller/write-guard';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';
import { PLATFORM_WORKSPACE_ID } from '@loyalty/platform/crypto/keyring';
import { networkOf } from '@loyalty/platform/outbound/ip-ranges';
import { EMAIL_INDEX } from '@loyalty/platform/values/email';

/** So that strangers cannot fill a mailbox, or guess more than 25 codes an hour. */
const STARTS_PER_EMAIL_AND_HOUR = 5;
/** So that a year of guesses finds a code with a probability of 4 percent at most. */
const STARTS_PER_EMAIL_AND_DAY = 20;
/** Guests of a shop share the address of its network. */
const STARTS_PER_NETWORK_ADDRESS = 30;
const COMPLETIONS_PER_NETWORK_ADDRESS = 50;

/**
 * Counts one start, whether the address is a member's or not. Addresses are kept as keyed hashes.
 *
 * @param ctx - in the workspace of the member
 * @throws AppError RATE_LIMITED (429, with Retry-After), GUARD_UNAVAILABLE (503)
 */
export async function guardStart(ctx: Context, email: string): Promise<void> {
  const { workspaceId, mode } = ctx.scope;
  const keys = await ctx.services.keyring.of(workspaceId);
  const count = (guard: string, subject: string, windowMs: number, limit: number) =>
    guardWindow(ctx, { workspaceId, guard, subject, windowMs, limit });
  if (ctx.address) {
    const subject = `address:${keys.index(networkOf(ctx.address), 'network-address')}`;
    await count('member-sign-in', subject, HOUR_MS, STARTS_PER_NETWORK_ADDRESS);
  }
  const subject = `email:${mode}:${keys.index(email, EMAIL_INDEX)}`;
  await count('member-sign-in', subject, HOUR_MS, STARTS_PER_EMAIL_AND_HOUR);
  await count('member-sign-in-day', subject, DAY_MS, STARTS_PER_EMAIL_AND_DAY);
}

/**
 * Counts one attempt of a network address to sign in by a code or a link.
 *
 * @throws AppError RATE_LIMITED (429, with Retry-After), GUARD_UNAVAILABLE (503)
 */
export async function guardCompletion(ctx: Context): Promise<void> {
  if (!ctx.address) return;
  const workspaceId = PLATFORM_WORKSPACE_ID;
  const keys = await ctx.services.keyring.of(workspaceId);
  const subject = `address:${keys.index(networkOf(ctx.address), 'network-address')}`;
  const limit = COMPLETIONS_PER_NETWORK_ADDRESS;
  const windowMs = 15 * MINUTE_MS;
  await guardWindow(ctx, { workspaceId, subject, guard: 'member-sign-in-code', windowMs, limit });
}
