import { AppError } from '@loyalty/platform/errors';
import { type CheckedNotification, checkNotification } from '../../push/push-sending/notification.ts';
import { NOTIFICATION_PARTS, type NotificationContent } from './notification-content.ts';
import { type MessageVariables, renderText } from './render.ts';

/** A notification that no browser could show once it was filled in. */
export class NotificationError extends Error {
  override readonly name = 'NotificationError';
}

/** The parts that say something, filled in. @throws RenderError, and nothing else */
export function renderNotification(
  content: NotificationContent,
  variables: MessageVariables,
): NotificationContent {
  const parts = NOTIFICATION_PARTS.flatMap((part) => {
    const template = content[part];
    const text = template ? renderText(part, template, variables).trim() : '';
    return text || part === 'title' ? [[part, text] as const] : [];
  });
  return Object.fromEntries(parts) as unknown as NotificationContent;
}

/**
 * A notification as it is sent.
 *
 * @param rendered - of `renderNotification`
 * @param topic - a later notification of the same topic takes the place of this one
 * @throws NotificationError naming the part
 */
export function finishedNotification(rendered: NotificationContent, topic: string): CheckedNotification {
  try {
    return checkNotification({ ...rendered, topic });
  } catch (error) {
    if (error instanceof AppError) throw new NotificationError(error.message);
    throw error;
  }
}
