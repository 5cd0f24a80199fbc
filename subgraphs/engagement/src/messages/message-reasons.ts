import type { SuppressionReason } from '../suppressions/suppressions.service.ts';
import type { MessageStatus } from './message.ts';

/** The reasons for the statuses of messages. */
export type MessageReasonCode =
  | SuppressionReason
  | 'MEMBER_NOT_FOUND'
  | 'MEMBER_ERASED'
  | 'MEMBER_RESTRICTED'
  | 'MEMBER_CLOSED'
  | 'MEMBER_UNSUBSCRIBED'
  | 'NO_ADDRESS'
  | 'NO_CONSENT'
  | 'NO_BROWSER'
  | 'MODULE_DISABLED'
  | 'FREQUENCY_CAP'
  | 'CANCELLED'
  | 'EXPIRED'
  | 'QUIET_HOURS'
  | 'PAUSED'
  | 'SENDING_STOPPED'
  | 'PROVIDERS_UNAVAILABLE'
  | 'CREDENTIALS_REFUSED'
  | 'REJECTED'
  | 'OUTCOME_UNKNOWN'
  | 'WORKER_LOST'
  | 'TEMPLATE_NOT_FOUND'
  | 'RENDER_FAILED'
  | 'NOTIFICATION_INVALID'
  | 'POSSIBLY_SENT_TWICE';

/** A reason as the message log, campaigns and journeys show it. */
export interface MessageReason {
  readonly code: MessageReasonCode;
  /** The statuses that messages with this reason may have. */
  readonly statuses: readonly MessageStatus[];
  readonly label: string;
}

type Known = readonly [statuses: readonly MessageStatus[], label: string];

const skipped: readonly MessageStatus[] = ['SKIPPED'];
const failed: readonly MessageStatus[] = ['FAILED'];
const queued: readonly MessageStatus[] = ['QUEUED'];

/** All reasons, in the order in which guards are checked. */
const known: Readonly<Record<MessageReasonCode, Known>> = {
  SENDING_STOPPED: [queued, 'The workspace has stopped all sending for now.'],
  MEMBER_ERASED: [skipped, 'The member was erased before the message was sent.'],
  TEMPLATE_NOT_FOUND: [failed, 'What the message says is not kept any more.'],
  MEMBER_NOT_FOUND: [skipped, 'There is no such member.'],
  NO_ADDRESS: [skipped, 'The member has no e-mail address.'],
  MEMBER_RESTRICTED: [skipped, 'Processing of the member is restricted at its request.'],
  MEMBER_CLOSED: [skipped, 'The member is about to be erased.'],
  MODULE_DISABLED: [skipped, 'The module Web push is off.'],
  NO_BROWSER: [skipped, 'The member has no browser that takes notifications.'],
  UNSUBSCRIBED: [['SUPPRESSED'], 'The address is unsubscribed.'],
  BOUNCED: [['SUPPRESSED'], 'Mail to the address came back before.'],
  COMPLAINED: [['SUPPRESSED'], 'The owner of the address reported mail as spam.'],
  NO_CONSENT: [skipped, 'The member does not consent to marketing by mail.'],
  MEMBER_UNSUBSCRIBED: [skipped, 'The member has opted out of marketing.'],
  QUIET_HOURS: [queued, 'It waits for the end of the quiet hours in the time zone of the member.'],
  FREQUENCY_CAP: [skipped, 'The member had as many marketing messages as the caps allow.'],
  RENDER_FAILED: [failed, 'The template cannot be filled for this member.'],
  NOTIFICATION_INVALID: [failed, 'The notification, once filled, is too long or has no valid address.'],
  OUTCOME_UNKNOWN: [failed, 'Several workers ended before they knew whether it was sent.'],
  WORKER_LOST: [failed, 'Two workers were lost while they had it, so it was given up.'],
  REJECTED: [failed, 'Every provider refused the message.'],
  PROVIDERS_UNAVAILABLE: [['QUEUED', 'FAILED'], 'No provider could be reached.'],
  CREDENTIALS_REFUSED: [['QUEUED', 'FAILED'], 'Every provider refused its credentials.'],
  POSSIBLY_SENT_TWICE: [
    ['SENT', 'DELIVERED'],
    'A worker ended while it sent the message: it may have come twice.',
  ],
  PAUSED: [queued, 'The campaign, journey or automation is paused.'],
  CANCELLED: [skipped, 'The campaign, journey or automation was cancelled.'],
  EXPIRED: [skipped, 'It waited until the log forgot it.'],
};

/** The reasons why messages are not sent, wait, or failed: one list for mail and web push. */
export const messageReasons: readonly MessageReason[] = (
  Object.entries(known) as [MessageReasonCode, Known][]
).map(([code, [statuses, label]]) => ({ code, statuses, label }));
