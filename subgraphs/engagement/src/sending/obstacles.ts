import type { Context } from '@loyalty/platform/context';
import type { MessageSettings } from '../limits/message-settings.store.ts';
import { quietEnd } from '../limits/quiet-hours.ts';
import type { MessageReasonCode } from '../messages/message-reasons.ts';
import { isSuppressedFor, strongestOf } from '../suppressions/suppressions.service.ts';
import type { MemberVariables } from '../templates/member-variables.service.ts';
import type { SendingRecipient } from './recipients.service.ts';
import type { ClaimedMessage, MessageMove } from './sending.store.ts';

/** The reason why a message is not sent now. */
export interface Obstacle
  extends Pick<MessageMove, 'status'>,
    Partial<Pick<MessageMove, 'detail' | 'dueAt'>> {
  /** Null if the message is only simulated. */
  readonly reason: MessageReasonCode | null;
}

const skipped = (reason: MessageReasonCode): Obstacle => ({ status: 'SKIPPED', reason });

/** The obstacle of the emergency stop. The message stays queued and is not due until the stop ends. */
export const stoppedObstacle: Obstacle = { status: 'QUEUED', reason: 'SENDING_STOPPED', dueAt: 'infinity' };

/** The obstacle of a message whose source is paused or cancelled. */
export const heldObstacle = (isCancelled: boolean): Obstacle =>
  isCancelled ? skipped('CANCELLED') : { status: 'QUEUED', reason: 'PAUSED' };

/**
 * Whether the emergency stop applies to a message. It does not apply to transactional messages of
 * integrations.
 */
export const isStoppable = ({ category, sourceId }: Pick<ClaimedMessage, 'category' | 'sourceId'>): boolean =>
  category === 'MARKETING' || sourceId !== null;

/** Returns the obstacle to sending a message now, without the frequency caps; null if there is none. */
export function obstacleOf(
  ctx: Context,
  message: ClaimedMessage,
  recipient: SendingRecipient,
  settings: MessageSettings,
): Obstacle | null {
  const { memberId, category, channel } = message;
  const { member } = recipient;
  if (memberId && !member) return skipped('MEMBER_NOT_FOUND');
  if (channel === 'EMAIL' && !recipient.address) return skipped('NO_ADDRESS');
  if (member?.isRestricted) return skipped('MEMBER_RESTRICTED');
  if (member?.status === 'DEACTIVATION_PENDING') return skipped('MEMBER_CLOSED');
  const refusal = channel === 'EMAIL' ? mailRefusal(category, recipient) : pushRefusal(category, recipient);
  if (refusal || category === 'TRANSACTIONAL') return refusal;
  return quietHours(ctx, member!, settings);
}

function mailRefusal(
  category: ClaimedMessage['category'],
  { reasons, member }: SendingRecipient,
): Obstacle | null {
  if (isSuppressedFor(category, reasons)) return { status: 'SUPPRESSED', reason: strongestOf(reasons) };
  if (category === 'TRANSACTIONAL' || member?.consents.includes('EMAIL_MARKETING')) return null;
  return skipped('NO_CONSENT');
}

/** A subscribed browser is the consent to notifications, until the member opts out of all marketing. */
function pushRefusal(
  category: ClaimedMessage['category'],
  { browsers, member }: SendingRecipient,
): Obstacle | null {
  if (!browsers) return skipped('MODULE_DISABLED');
  if (browsers.length === 0) return skipped('NO_BROWSER');
  const hasOptedOut = category === 'MARKETING' && member?.status === 'UNSUBSCRIBED';
  return hasOptedOut ? skipped('MEMBER_UNSUBSCRIBED') : null;
}

function quietHours(
  ctx: Context,
  { timeZone }: MemberVariables,
  { quietFrom, quietUntil }: MessageSettings,
): Obstacle | null {
  if (quietFrom === null || quietUntil === null) return null;
  const dueAt = quietEnd(ctx.clock.now(), timeZone, { from: quietFrom, until: quietUntil });
  return dueAt && { status: 'QUEUED', reason: 'QUIET_HOURS', dueAt };
}
