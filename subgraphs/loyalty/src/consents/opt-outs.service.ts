import type { Context } from '@loyalty/platform/context';
import { publishAll } from '@loyalty/platform/work/events';
import { questions } from '../peers.ts';
import { emailConsentWithdrawn } from './consents.events.ts';
import { insertWithdrawn, lockEnrolments } from './consents.store.ts';

// Engagement decides which addresses are unsubscribed. Every order of an enrolment and an opt-out is safe:
// the transaction that enrols asks engagement first, and the event of an opt-out is handled only after the
// commit of all enrolments that may have asked before it.

/** Returns whether an address is unsubscribed, from all its indexes. */
export type HasOptedOut = (emailIndexes: readonly string[]) => boolean;

/**
 * Asks engagement which of the addresses to be enrolled are unsubscribed, in one request. Afterwards
 * `waitForEnrolments` waits for the caller's transaction.
 *
 * @param emailIndexes - all indexes of all addresses
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function askOptOuts(tx: Context, emailIndexes: readonly string[]): Promise<HasOptedOut> {
  if (emailIndexes.length === 0) return () => false;
  await lockEnrolments(tx, 'ENROLS');
  const answer = await tx.services.peers.ask(tx, 'engagement', questions.Unsubscribed, { emailIndexes });
  const unsubscribed = new Set(answer._unsubscribed);
  return (indexes) => indexes.some((index) => unsubscribed.has(index));
}

/** A newly enrolled member whose address is unsubscribed. */
interface OptedOut {
  readonly memberId: string;
  /** The index under which the member is stored. */
  readonly emailIndex: string;
}

/**
 * Records that newly enrolled members do not consent to mail. Publishes to engagement the addresses that it
 * does not know, or knows only by an index of older keys.
 */
export async function keepOptOuts(
  tx: Context,
  members: readonly OptedOut[],
  hasOptedOut: HasOptedOut,
): Promise<void> {
  if (members.length === 0) return;
  await withdrawAtEnrolment(
    tx,
    members.map(({ memberId }) => memberId),
  );
  await publishAll(
    tx,
    emailConsentWithdrawn,
    members.flatMap(({ emailIndex }) => (hasOptedOut([emailIndex]) ? [] : { emailIndex })),
  );
}

/** Returns when every enrolment that began before is committed or rolled back. */
export const waitForEnrolments = (ctx: Context): Promise<void> =>
  ctx.transaction((tx) => lockEnrolments(tx, 'WAITS'));

/**
 * Withdraws consent to mail for members who are enrolled with an unsubscribed address; publishes no event.
 */
const withdrawAtEnrolment = (tx: Context, memberIds: readonly string[]): Promise<void> =>
  insertWithdrawn(tx, memberIds, 'EMAIL_MARKETING', 'unsubscribe');
