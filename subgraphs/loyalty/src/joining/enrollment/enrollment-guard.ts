import { guardWindow } from '@loyalty/platform/caller/write-guard';
import { MINUTE_MS } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';
import { PLATFORM_WORKSPACE_ID } from '@loyalty/platform/crypto/keyring';
import { EMAIL_INDEX } from '@loyalty/platform/values/email';

const WINDOW_MS = 15 * MINUTE_MS;
/** Guests of a shop share the address of its network. */
const PER_NETWORK_ADDRESS = 30;
const PER_FORM = 3_000;
/** So that strangers cannot fill a mailbox. */
const PER_EMAIL = 5;
const CONFIRMATIONS_PER_NETWORK_ADDRESS = 50;

/**
 * Counts one attempt to join, whether the address is a member's or not. Addresses are kept as keyed hashes.
 *
 * @param ctx - in the workspace of the form
 * @throws AppError RATE_LIMITED (429, with Retry-After), GUARD_UNAVAILABLE (503)
 */
export async function guardEnrollment(ctx: Context, formId: string, email: string): Promise<void> {
  const { workspaceId } = ctx.scope;
  const keys = await ctx.services.keyring.of(workspaceId);
  const count = (subject: string, limit: number) =>
    guardWindow(ctx, { workspaceId, subject, guard: 'enrol', windowMs: WINDOW_MS, limit });
  if (ctx.address) await count(`address:${keys.index(ctx.address, 'network-address')}`, PER_NETWORK_ADDRESS);
  await count(`form:${formId}`, PER_FORM);
  await count(`email:${formId}:${keys.index(email, EMAIL_INDEX)}`, PER_EMAIL);
}

/**
 * Counts one attempt to confirm of a network address.
 *
 * @throws AppError RATE_LIMITED (429, with Retry-After), GUARD_UNAVAILABLE (503)
 */
export async function guardConfirmation(ctx: Context): Promise<void> {
  if (!ctx.address) return;
  const workspaceId = PLATFORM_WORKSPACE_ID;
  const keys = await ctx.services.keyring.of(workspaceId);
  const subject = `address:${keys.index(ctx.address, 'network-address')}`;
  const limit = CONFIRMATIONS_PER_NETWORK_ADDRESS;
  await guardWindow(ctx, { workspaceId, subject, guard: 'confirm-enrollment', windowMs: WINDOW_MS, limit });
}
