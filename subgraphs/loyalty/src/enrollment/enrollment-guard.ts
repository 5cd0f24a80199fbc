import { MINUTE_MS } from '@loyalty/platform/base/clock';
import { EMAIL_INDEX } from '@loyalty/platform/base/email';
import type { Context } from '@loyalty/platform/context';
import { PLATFORM_WORKSPACE_ID } from '@loyalty/platform/crypto/keyring';
import { guardWindow } from '@loyalty/platform/identity/write-guard';
import { networkOf } from '@loyalty/platform/outbound/ip-ranges';

const WINDOW_MS = 15 * MINUTE_MS;
/** High, because guests of a shop share the address of its network. */
const PER_NETWORK_ADDRESS = 30;
const PER_FORM = 3_000;
/** Mails to one address that one network address may trigger. */
const PER_SOURCE_AND_EMAIL = 5;
/**
 * Limit for all sources together, so that no mailbox is flooded. It is higher than the limit of one source,
 * so that one source cannot exhaust it for others.
 */
const PER_EMAIL = 50;
const CONFIRMATIONS_PER_NETWORK_ADDRESS = 50;

/**
 * Counts one attempt to join, whether the address is a member's or not. Addresses are stored as keyed hashes.
 * An attempt that is refused because of its source does not count for the address as a whole.
 *
 * @param ctx - in the workspace of the form
 * @throws AppError RATE_LIMITED (429, with Retry-After), GUARD_UNAVAILABLE (503)
 */
export async function guardEnrollment(ctx: Context, formId: string, email: string): Promise<void> {
  const { workspaceId } = ctx.scope;
  const keys = await ctx.services.keyring.of(workspaceId);
  const count = (subject: string, limit: number) =>
    guardWindow(ctx, { workspaceId, subject, guard: 'enrol', windowMs: WINDOW_MS, limit });
  const network = ctx.request.address ? keys.index(networkOf(ctx.request.address), 'network-address') : '';
  if (network) await count(`address:${network}`, PER_NETWORK_ADDRESS);
  await count(`form:${formId}`, PER_FORM);
  const address = `email:${formId}:${keys.index(email, EMAIL_INDEX)}`;
  await count(`${address}:${network}`, PER_SOURCE_AND_EMAIL);
  await count(`${address}:all`, PER_EMAIL);
}

/**
 * Counts one attempt of a network address to confirm.
 *
 * @throws AppError RATE_LIMITED (429, with Retry-After), GUARD_UNAVAILABLE (503)
 */
export async function guardConfirmation(ctx: Context): Promise<void> {
  if (!ctx.request.address) return;
  const workspaceId = PLATFORM_WORKSPACE_ID;
  const keys = await ctx.services.keyring.of(workspaceId);
  const subject = `address:${keys.index(networkOf(ctx.request.address), 'network-address')}`;
  const limit = CONFIRMATIONS_PER_NETWORK_ADDRESS;
  await guardWindow(ctx, { workspaceId, subject, guard: 'confirm-enrollment', windowMs: WINDOW_MS, limit });
}
