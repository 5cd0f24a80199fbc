import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/loading/pages';
import { audit } from '@loyalty/platform/operations/audit';
import { checkEmail, EMAIL_INDEX } from '@loyalty/platform/values/email';
import {
  deleteBounced,
  type SuppressedAddress,
  suppressedAddressesPage,
} from './suppressed-addresses.store.ts';
import { type EmailSuppression, findEmailSuppression } from './suppressions.service.ts';
import type { SuppressionReason } from './suppressions.store.ts';

/**
 * Suppressed addresses with one reason each, newest first.
 *
 * @param reason - null: every one
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export const listSuppressedAddresses = async (
  ctx: Context,
  reason: SuppressionReason | null,
  args: PageArgs,
): Promise<Page<SuppressedAddress>> => suppressedAddressesPage(ctx.forLists(), reason, pageRequest(args));

/**
 * Allows mail again to an address whose mail was returned. That it was unsubscribed, or complained, stays.
 *
 * @throws AppError VALIDATION_FAILED (400) naming email
 */
export async function removeBounceSuppression(ctx: Context, email: string): Promise<EmailSuppression> {
  const address = checkEmail('email', email);
  const keys = await ctx.services.keyring.of(ctx.scope.workspaceId);
  return ctx.transaction(async (tx) => {
    for (const id of await deleteBounced(tx, keys.indexes(address, EMAIL_INDEX))) {
      const before = { reason: 'BOUNCED' };
      await audit(tx, {
        action: 'removeBounceSuppression',
        resourceType: 'Suppression',
        resourceId: id,
        before,
      });
    }
    return findEmailSuppression(tx, address);
  });
}
