import type { Context } from '@loyalty/platform/context';
import { publishAll } from '@loyalty/platform/outbox/events';
import { emailConsentWithdrawn } from '../../members/consents/consents.events.ts';
import { withdrawAtEnrolment } from '../../members/consents/consents-at-enrolment.service.ts';
import { lockEnrolments } from './opt-outs.store.ts';

// Engagement decides which addresses are unsubscribed. Members are told apart by it in two ways that leave no
// gap: whoever enrols asks first, in the transaction that enrols; and the event of an address that is
// unsubscribed later is worked off only after the enrolments that may have asked before it are committed.

const UNSUBSCRIBED =
  'query Unsubscribed($emailIndexes: [String!]!) { _unsubscribed(emailIndexes: $emailIndexes) }';

/** Tells whether an address is unsubscribed, by all its indexes. */
export type HasOptedOut = (emailIndexes: readonly string[]) => boolean;

/**
 * Asks engagement which of the addresses that are about to be enrolled are unsubscribed; one question for all
 * of them. `waitForEnrolments` waits for the caller's transaction from then on.
 *
 * @param emailIndexes - all indexes of all addresses
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function askOptOuts(tx: Context, emailIndexes: readonly string[]): Promise<HasOptedOut> {
  if (emailIndexes.length === 0) return () => false;
  await lockEnrolments(tx, 'ENROLS');
  const question = { query: UNSUBSCRIBED, variables: { emailIndexes } };
  const answer = await tx.services.peers.ask(tx, 'engagement', question);
  const unsubscribed = new Set(answer['_unsubscribed'] as string[]);
  return (indexes) => indexes.some((index) => unsubscribed.has(index));
}

/** A member that was just enrolled though its address is unsubscribed. */
interface OptedOut {
  readonly memberId: string;
  /** Under which the member is stored. */
  readonly emailIndex: string;
}

/**
 * Puts on record that members who were just enrolled do not consent to mail. Engagement is told of addresses
 * that it does not know, or knows under an index of older keys only.
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

/** Returns once every enrolment that began before is committed or undone. */
export const waitForEnrolments = (ctx: Context): Promise<void> =>
  ctx.transaction((tx) => lockEnrolments(tx, 'WAITS'));
