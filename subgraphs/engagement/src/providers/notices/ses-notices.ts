import type { Context } from '@loyalty/platform/context';
import { unavailable } from '@loyalty/platform/errors';
import {
  bounceDetail,
  eventTime,
  type MailNotice,
  objectOf,
  readJson,
  type SignedNotice,
  signatureInvalid,
  textOf,
} from './notice.ts';
import { getFromSns, isSnsUrl } from './sns-certificates.ts';
import { readSnsMessage } from './sns-message.ts';

/** Kinds of notices, and the field with the details. */
const kinds = new Map<unknown, readonly [MailNotice['kind'], string]>([
  ['Delivery', ['DELIVERED', 'delivery']],
  ['Bounce', ['BOUNCED', 'bounce']],
  ['Complaint', ['COMPLAINED', 'complaint']],
]);

/**
 * Notices of SES, which come through a topic of SNS. A new subscription of the topic is confirmed.
 * https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html
 *
 * @throws AppError SIGNATURE_INVALID (400), VALIDATION_FAILED (400), NOTICE_UNVERIFIED (503)
 */
export async function readSesNotices(
  ctx: Context,
  topicArn: string,
  { payload }: SignedNotice,
): Promise<MailNotice[]> {
  const { type, messageId, message, subscribeUrl } = await readSnsMessage(ctx, topicArn, payload);
  if (type === 'SubscriptionConfirmation') await confirm(ctx, subscribeUrl);
  if (type !== 'Notification') return [];
  return noticesOf(messageId, objectOf(readJson(message)), ctx.clock.now());
}

async function confirm(ctx: Context, url: string): Promise<void> {
  if (!isSnsUrl(url)) throw signatureInvalid();
  try {
    await getFromSns(ctx, url);
  } catch {
    throw unavailable('NOTICE_UNVERIFIED', 'The subscription cannot be confirmed. Send it again.');
  }
}

/** Of a configuration set the kind is `eventType`, of an identity `notificationType`. */
function noticesOf(noticeId: string, notice: Readonly<Record<string, unknown>>, now: Date): MailNotice[] {
  const known = kinds.get(notice['eventType'] ?? notice['notificationType']);
  if (!known) return [];
  const [kind, field] = known;
  const about = objectOf(notice[field]);
  const { messageId, tags } = objectOf(notice['mail']);
  const isPermanent = kind === 'BOUNCED' && about['bounceType'] === 'Permanent';
  const [tag] = [objectOf(tags)['message_id']].flat();
  return [
    {
      noticeId,
      kind,
      isPermanent,
      detail: kind === 'BOUNCED' ? bounceDetail(isPermanent, statusOf(about)) : null,
      messageId: textOf(tag),
      providerMessageId: textOf(messageId),
      occurredAt: eventTime(about['timestamp'], now),
    },
  ];
}

function statusOf({ bouncedRecipients }: Readonly<Record<string, unknown>>): unknown {
  return Array.isArray(bouncedRecipients) ? objectOf(bouncedRecipients[0])['status'] : null;
}
