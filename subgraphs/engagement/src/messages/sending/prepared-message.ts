import { createHash } from 'node:crypto';
import type { OutgoingMail } from '../../providers/email-providers/send-mail.service.ts';
import type { CheckedNotification } from '../../push/push-sending/notification.ts';
import type { AttemptHistory } from './attempt-history.ts';
import type { ClaimedMessage } from './claims.store.ts';

/** A mail that may be sent, as a provider gets it. */
export interface PreparedMessage {
  readonly message: ClaimedMessage;
  readonly mail: OutgoingMail;
  readonly history: AttemptHistory;
  /** Of the address. */
  readonly emailIndex: string;
  /** The address of the member at this moment; null where the message has one. */
  readonly recipientSealed: Uint8Array | null;
}

/** A notification that may be sent, as the browsers of its member get it. */
export interface PreparedPush {
  readonly message: ClaimedMessage;
  readonly notification: CheckedNotification;
  /** Ids; at least one. */
  readonly browsers: readonly string[];
}

/** Letters of a topic that push services take (RFC 8030, section 5.4). */
const TOPIC_LETTERS = 32;

/** A later notification of the same campaign, or node of a journey, takes the place of this one. */
export const topicOf = ({ id, sourceId, nodeId }: ClaimedMessage): string =>
  createHash('sha256')
    .update(sourceId ? `${sourceId} ${nodeId}` : id)
    .digest('base64url')
    .slice(0, TOPIC_LETTERS);
