import type { MessageAttempt } from '../messages/message.ts';

/** Providers of these kinds send once what they get twice with one idempotency key. */
const IDEMPOTENT_KINDS: readonly string[] = ['RESEND'];
const isIdempotentKind = (kind: string): boolean => IDEMPOTENT_KINDS.includes(kind);

/** After so many attempts without a known outcome a message is given up. */
const UNKNOWN_MAX = 3;
/** The same where a provider may send each of them. */
const UNKNOWN_AT_OTHERS_MAX = 2;

/** What earlier attempts, of workers that ended before they knew the outcome, mean for the next one. */
export interface AttemptHistory {
  readonly isOver: boolean;
  /** Providers that had refused the message when the last attempt began, so that the same one comes first. */
  readonly skip: ReadonlySet<string>;
  /** Why an attempt at this provider may send the message twice; null where it cannot. */
  readonly warningAt: (providerId: string | null, kind: string) => string | null;
}

/** @param attempts - of one message, in their order */
export function historyOf(attempts: readonly MessageAttempt[]): AttemptHistory {
  const unknown = attempts.filter(({ outcome }) => outcome === 'UNKNOWN');
  const atOthers = unknown.filter(({ providerKind }) => !isIdempotentKind(providerKind));
  const last = attempts.at(-1);
  return {
    isOver: unknown.length >= UNKNOWN_MAX || atOthers.length >= UNKNOWN_AT_OTHERS_MAX,
    skip: last?.outcome === 'UNKNOWN' ? refusedBefore(attempts) : new Set(),
    warningAt: (providerId, kind) => {
      const isSame = (attempt: MessageAttempt) =>
        attempt.providerId === providerId && attempt.providerKind === kind && isIdempotentKind(kind);
      const uncertain = unknown.find((attempt) => !isSame(attempt));
      return uncertain
        ? `The message may be sent twice: how attempt ${uncertain.number} ended is not known.`
        : null;
    },
  };
}

function refusedBefore(attempts: readonly MessageAttempt[]): ReadonlySet<string> {
  const known = attempts.slice(0, -1);
  const first = known.findLastIndex(({ outcome }) => outcome === 'UNKNOWN') + 1;
  const ids = known.slice(first).flatMap(({ providerId }) => (providerId ? [providerId] : []));
  return new Set(ids.filter((id) => id !== attempts.at(-1)!.providerId));
}
