import type { Context } from '@loyalty/platform/context';
import type { MessageSettings } from '../limits/message-settings.store.ts';
import { quietEnd } from '../limits/quiet-hours.ts';
import type { MessageReasonCode } from '../messages/message-reasons.ts';
import { isSuppressedFor, strongestOf } from '../suppressions/suppressions.service.ts';
import type { MemberVariables } from '../templates/member-variables.service.ts';
import type { SendingRecipient } from './recipients.service.ts';
import type { ClaimedMessage, MessageMove } from './sending.store.ts';

/** Why a message is not sent now. */
export interface Obstacle
  extends Pick<MessageMove, 'status'>,
    Partial<Pick<MessageMove, 'detail' | 'dueAt'>> {
  /** Null where it is only simulated. */
  readonly reason: MessageReasonCode | null;
}

const skipped = (reason: MessageReasonCode): Obstacle => ({ status: 'SKIPPED', reason });

/** While the workspace sends nothing: it waits, out of the way of others, until that ends. */
export const stopped: Obstacle = { status: 'QUEUED', reason: 'SENDING_STOPPED', dueAt: 'infinity' };

/** While its source is paused, or since it was cancelled. */
export const heldBack = (isCancelled: boolean): Obstacle =>
  isCancelled ? skipped('CANCELLED') : { status: 'QUEUED', reason: 'PAUSED' };

/** Does the emergency stop hold a message back? What an integration asks for and is no marketing goes on. */
export const isStoppable = ({ category, sourceId }: Pick<ClaimedMessage, 'category' | 'sourceId'>): boolean =>
  category === 'MARKETING' || sourceId !== null;

/** What speaks against sending a message now, but for the frequency caps; null where nothing does. */
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

/** A browser that takes notifications is the consent to them, until the member opts out of all marketing. */
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
