import { checkEmail, EMAIL_INDEX } from '@loyalty/platform/base/email';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import { audit } from '@loyalty/platform/identity/audit';
import { publishAll } from '@loyalty/platform/work/events';
import { addressSuppressed } from './suppressions.events.ts';
import {
  deleteBounced,
  insertSuppressed,
  insertUnsubscribed,
  reasonsByIndex,
  type SuppressedAddress,
  type SuppressionReason,
  type SuppressionState,
  suppressedAddressesPage,
  suppressionByIndex,
  suppressionOf,
  unsubscribedAmong,
} from './suppressions.store.ts';

// `member.erased` deliberately deletes nothing here. An address that unsubscribed must stay unsubscribed when
// it is imported or enrolled again. Only a keyed hash is stored, which identifies no person after the
// workspace's keys are deleted. For the same reason, no API subscribes an address again.

export type { SuppressionReason };

/** The suppression of one address. */
export interface EmailSuppression extends SuppressionState {
  readonly email: string;
  readonly isSuppressed: boolean;
}

/**
 * Returns the suppression of an address. An unknown address is not suppressed.
 *
 * @param email - upper and lower case and surrounding spaces do not matter
 * @throws AppError VALIDATION_FAILED (400) naming email
 * @remarks Source: v2 REST API, section 4 "Members", GET /members/unsubscribe
 */
export async function findEmailSuppression(ctx: Context, email: string): Promise<EmailSuppression> {
  const address = checkEmail('email', email);
  return stateOf(ctx, address, await indexesOf(ctx, address));
}

/**
 * Suppresses an address for all campaigns, whether or not a member has it. A repeated call has no effect;
 * `engagement.address_suppressed` is published only the first time. No API reverses it.
 *
 * @param email - upper and lower case and surrounding spaces do not matter
 * @throws AppError VALIDATION_FAILED (400) naming email
 * @remarks Source: v2 REST API, section 4 "Members", POST /members/unsubscribe
 */
export async function unsubscribe(ctx: Context, email: string): Promise<EmailSuppression> {
  const address = checkEmail('email', email);
  const indexes = await indexesOf(ctx, address);
  return ctx.transaction(async (tx) => {
    await suppress(tx, indexes);
    return stateOf(tx, address, indexes);
  });
}

/**
 * Returns the suppression reasons of addresses, without the cache of loaders. Addresses without a reason are
 * omitted.
 */
export const suppressionReasons = (
  ctx: Context,
  emailIndexes: readonly string[],
): Promise<ReadonlyMap<string, readonly SuppressionReason[]>> => reasonsByIndex(ctx, emailIndexes);

/**
 * Returns the unsubscribed addresses among the given ones. Called before addresses are enrolled as members.
 */
export const listUnsubscribed = (ctx: Context, emailIndexes: readonly string[]): Promise<string[]> =>
  unsubscribedAmong(ctx, emailIndexes);

/**
 * Suppresses an address by its blind index, as `unsubscribe` does.
 *
 * @param emailIndex - as the loyalty subgraph stores it
 * @returns false for an address that was unsubscribed before
 */
export const suppressIndex = (ctx: Context, emailIndex: string): Promise<boolean> =>
  ctx.transaction((tx) => suppress(tx, [emailIndex]));

/**
 * Suppresses addresses to which mail cannot be delivered. No event is published, because a bounce does not
 * change the consents of the address's owner.
 */
export const suppressBounced = (ctx: Context, emailIndexes: readonly string[]): Promise<void> =>
  insertSuppressed(ctx, emailIndexes, 'BOUNCED');

/** Suppresses addresses whose owners reported mail as spam. No API reverses it. */
export const suppressComplained = (ctx: Context, emailIndexes: readonly string[]): Promise<void> =>
  insertSuppressed(ctx, emailIndexes, 'COMPLAINED');

/**
 * Whether these reasons suppress a message. An opt-out suppresses marketing. Bounces and complaints suppress
 * all messages.
 */
export const isSuppressedFor = (
  category: 'TRANSACTIONAL' | 'MARKETING',
  reasons: SuppressionState['reasons'],
): boolean =>
  category === 'MARKETING' ? reasons.length > 0 : reasons.some((reason) => reason !== 'UNSUBSCRIBED');

/** Returns the strongest reason: one that suppresses all messages comes before the opt-out. */
export const strongestOf = (reasons: SuppressionState['reasons']): SuppressionReason =>
  reasons.find((reason) => reason !== 'UNSUBSCRIBED') ?? 'UNSUBSCRIBED';

/** @param indexes - all indexes of the address: its member may be stored under any of them */
async function suppress(tx: Context, indexes: readonly string[]): Promise<boolean> {
  const [first, ...more] = await insertUnsubscribed(tx, indexes);
  if (!first) return false;
  const events = [first, ...more].map(({ emailIndex }) => ({ emailIndex }));
  await publishAll(tx, addressSuppressed, events);
  const after = { reason: 'UNSUBSCRIBED' };
  await audit(tx, { action: 'unsubscribe', resourceType: 'Suppression', resourceId: first.id, after });
  return true;
}

/**
 * Returns the suppression of a member's address. Batched by address.
 *
 * @param emailIndex - the address's blind index as the loyalty subgraph stores it; null without an address
 */
export async function suppressionOfMember(
  ctx: Context,
  emailIndex: string | null,
): Promise<SuppressionState | null> {
  if (emailIndex === null) return null;
  return (
    (await ctx.load(suppressionByIndex, emailIndex)) ?? { isUnsubscribed: false, reasons: [], since: null }
  );
}

async function stateOf(ctx: Context, email: string, indexes: readonly string[]): Promise<EmailSuppression> {
  const state = await suppressionOf(ctx, indexes);
  return { ...state, email, isSuppressed: state.reasons.length > 0 };
}

/** Returns all indexes under which the address may be stored: several after a change of keys. */
async function indexesOf(ctx: Context, address: string): Promise<readonly string[]> {
  const keys = await ctx.services.keyring.of(ctx.scope.workspaceId);
  return keys.indexes(address, EMAIL_INDEX);
}

/**
 * Lists suppressed addresses with one reason each, newest first.
 *
 * @param reason - null for all reasons
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export const listSuppressedAddresses = async (
  ctx: Context,
  reason: SuppressionReason | null,
  args: PageArgs,
): Promise<Page<SuppressedAddress>> => suppressedAddressesPage(ctx.forLists(), reason, pageRequest(args));

/**
 * Deletes the bounce suppression of an address. An unsubscription or complaint stays.
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
