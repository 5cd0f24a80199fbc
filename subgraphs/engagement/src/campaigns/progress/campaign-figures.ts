import type { MessageCount } from '../../messages/source-messages.service.ts';
import type { RecipientCounts } from '../campaigns/recipient-counts.ts';

/** How many were skipped, or failed, for one reason. */
export interface CampaignSkip {
  readonly reason: string;
  readonly count: number;
}

/** What became of the recipients of a campaign, or of one variant. */
export interface RecipientFigures {
  readonly recipients: number;
  readonly heldOut: number;
  readonly waiting: number;
  readonly queued: number;
  readonly sent: number;
  readonly delivered: number;
  readonly bounced: number;
  readonly complained: number;
  readonly opened: number;
  readonly clicked: number;
  readonly unsubscribed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly skips: readonly CampaignSkip[];
}

const SENT: ReadonlySet<string> = new Set(['SENT', 'DELIVERED', 'BOUNCED', 'COMPLAINED', 'SIMULATED']);
const SKIPPED: ReadonlySet<string> = new Set(['SKIPPED', 'SUPPRESSED']);

interface Counted {
  readonly count: number;
}
const sumOf = (counted: readonly Counted[]): number => counted.reduce((sum, { count }) => sum + count, 0);

/**
 * The figures of recipients and their messages. A recipient whose message is not in the log yet counts as
 * queued.
 *
 * @param isCancelled - recipients who wait get nothing any more
 */
export function figuresOf(
  recipients: RecipientCounts,
  messages: readonly MessageCount[],
  isCancelled: boolean,
): RecipientFigures {
  const ofState = (state: string) => recipients.filter((each) => each.state === state);
  const ofStatus = (...statuses: readonly string[]) =>
    messages.filter(({ status }) => statuses.includes(status));
  const sent = messages.filter(({ status }) => SENT.has(status));
  const failed = ofStatus('FAILED');
  const notSent = messages.filter(({ status }) => SKIPPED.has(status));
  const waiting = ofState('WAITING');
  const dropped = isCancelled ? waiting.map((each) => ({ ...each, reason: 'CANCELLED' })) : [];
  const skipped = [...ofState('SKIPPED'), ...dropped, ...notSent];
  const withMessage = Math.max(sumOf(ofState('QUEUED')), sumOf(messages));
  return {
    recipients: sumOf(recipients) - sumOf(ofState('QUEUED')) + withMessage,
    heldOut: sumOf(ofState('HELD_OUT')),
    waiting: isCancelled ? 0 : sumOf(waiting),
    queued: withMessage - sumOf(sent) - sumOf(failed) - sumOf(notSent),
    sent: sumOf(sent),
    delivered: sumOf(ofStatus('DELIVERED', 'COMPLAINED')),
    bounced: sumOf(ofStatus('BOUNCED')),
    complained: sumOf(ofStatus('COMPLAINED')),
    opened: messages.reduce((sum, { opened }) => sum + opened, 0),
    clicked: messages.reduce((sum, { clicked }) => sum + clicked, 0),
    unsubscribed: messages.reduce((sum, { unsubscribed }) => sum + unsubscribed, 0),
    failed: sumOf(failed),
    skipped: sumOf(skipped),
    skips: skipsOf([...skipped, ...failed]),
  };
}

/** Most frequent first. */
function skipsOf(counted: readonly (Counted & { readonly reason: string | null })[]): CampaignSkip[] {
  const byReason = new Map<string, number>();
  for (const { reason, count } of counted)
    byReason.set(reason || 'UNKNOWN', (byReason.get(reason || 'UNKNOWN') ?? 0) + count);
  return [...byReason]
    .map(([reason, count]) => ({ reason, count }))
    .sort((one, other) => other.count - one.count || (one.reason < other.reason ? -1 : 1));
}
