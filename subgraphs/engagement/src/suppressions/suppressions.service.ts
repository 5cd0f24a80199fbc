import { audit } from '@loyalty/platform/audit';
import type { Context } from '@loyalty/platform/context';
import { checkEmail, EMAIL_INDEX } from '@loyalty/platform/email';
import { publish } from '@loyalty/platform/events';
import { newId } from '@loyalty/platform/ids';
import { addressSuppressed } from './suppressions.events.ts';
import {
  insertUnsubscribed,
  type SuppressionState,
  suppressionByIndex,
  suppressionOf,
} from './suppressions.store.ts';

// The list outlives its members on purpose. `member.erased` deletes nothing here: who asked not to be mailed
// must stay unmailed when the same address is imported or enrolled again, and what is kept is a keyed hash
// that names nobody once the workspace's keys are gone. For the same reason nothing here, or anywhere,
// re-subscribes.

/** What holds for one address. */
export interface EmailSuppression extends SuppressionState {
  readonly email: string;
  readonly isSuppressed: boolean;
}

/**
 * Whether an address may be mailed. Of an unknown address it says that it may.
 *
 * @param email - in any case, spaces around it do not count
 * @throws AppError VALIDATION_FAILED (400) naming email
 * @remarks Source: v2 REST API, section 4 "Members", GET /members/unsubscribe
 */
export async function findEmailSuppression(ctx: Context, email: string): Promise<EmailSuppression> {
  const address = checkEmail('email', email);
  return stateOf(ctx, address, (await indexesOf(ctx, address)).all);
}

/**
 * Suppresses an address on every campaign, whether or not a member has it. Doing it again changes nothing;
 * `engagement.address_suppressed` is told only the first time. There is no way back through any API.
 *
 * @param email - in any case, spaces around it do not count
 * @throws AppError VALIDATION_FAILED (400) naming email
 * @remarks Source: v2 REST API, section 4 "Members", POST /members/unsubscribe
 */
export async function unsubscribe(ctx: Context, email: string): Promise<EmailSuppression> {
  const address = checkEmail('email', email);
  const { current, all } = await indexesOf(ctx, address);
  return ctx.transaction(async (tx) => {
    await suppress(tx, current, all);
    return stateOf(tx, address, all);
  });
}

/**
 * Suppresses an address of which only the blind index is known, as `unsubscribe` does.
 *
 * @param emailIndex - as the loyalty subgraph stores it
 */
export const suppressIndex = (ctx: Context, emailIndex: string): Promise<void> =>
  ctx.transaction((tx) => suppress(tx, emailIndex, [emailIndex]));

async function suppress(tx: Context, index: string, indexes: readonly string[]): Promise<void> {
  const id = newId(tx.clock);
  if (!(await insertUnsubscribed(tx, id, index, indexes))) return;
  await publish(tx, addressSuppressed, { emailIndex: index });
  const after = { reason: 'UNSUBSCRIBED' };
  await audit(tx, { action: 'unsubscribe', resourceType: 'Suppression', resourceId: id, after });
}

/**
 * What holds for a member's address; all members of a request are looked up together.
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

/** The index to store under, and all under which the address may be stored since keys were last changed. */
async function indexesOf(
  ctx: Context,
  address: string,
): Promise<{ current: string; all: readonly string[] }> {
  const keys = await ctx.services.keyring.of(ctx.scope.workspaceId);
  return { current: keys.index(address, EMAIL_INDEX), all: keys.indexes(address, EMAIL_INDEX) };
}
