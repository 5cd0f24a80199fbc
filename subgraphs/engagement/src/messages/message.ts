export type MessageCategory = 'TRANSACTIONAL' | 'MARKETING';
export type MessageStatus =
  | 'QUEUED'
  | 'SENT'
  | 'DELIVERED'
  | 'BOUNCED'
  | 'COMPLAINED'
  | 'SUPPRESSED'
  | 'SKIPPED'
  | 'SIMULATED'
  | 'FAILED';

export type MessageChannel = 'EMAIL' | 'WEB_PUSH';
export type MessageSourceKind = 'CAMPAIGN' | 'JOURNEY' | 'AUTOMATION';

/** The source of a message. */
export interface MessageSource {
  readonly kind: MessageSourceKind;
  /** Id of the campaign, journey or automation. */
  readonly id: string;
  /** The node of a journey; empty for campaigns. */
  readonly nodeId: string;
  readonly variant?: string | null | undefined;
}

/** The sealed content of a message. */
export interface SealedMessage {
  readonly id: string;
  readonly channel: MessageChannel;
  readonly memberId: string | null;
  readonly recipientSealed: Uint8Array | null;
  readonly templateId: string | null;
  readonly templateVersion: number | null;
  readonly contentSealed: Uint8Array | null;
  /** Id of a content that many messages share. */
  readonly contentId: string | null;
  readonly dataSealed: Uint8Array | null;
}

/** An e-mail or notification to one recipient. */
export interface Message extends SealedMessage {
  /** Null if an integration requested the message. */
  readonly sourceKind: MessageSourceKind | null;
  readonly sourceId: string | null;
  readonly nodeId: string | null;
  readonly variant: string | null;
  readonly category: MessageCategory;
  readonly status: MessageStatus;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly dueAt: Date | null;
  readonly opens: number;
  readonly clicks: number;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly openedAt: Date | null;
  readonly clickedAt: Date | null;
  /** The message was requested by id, so its recipient is shown unmasked. */
  readonly isUnmasked?: boolean;
}

/** Conditions of a list of messages. An absent condition matches all. */
export interface MessageFilter {
  readonly memberId?: string | null | undefined;
  readonly status?: MessageStatus | null | undefined;
  readonly templateId?: string | null | undefined;
  readonly category?: MessageCategory | null | undefined;
  readonly channel?: MessageChannel | null | undefined;
  /** Id of a campaign, journey or automation. */
  readonly sourceId?: string | null | undefined;
  readonly createdFrom?: Date | null | undefined;
  readonly createdUntil?: Date | null | undefined;
}

/** A hand-over to a provider. */
export interface MessageAttempt {
  readonly number: number;
  readonly providerId: string | null;
  readonly providerKind: string;
  readonly outcome: 'UNKNOWN' | 'ACCEPTED' | 'REJECTED' | 'CREDENTIALS' | 'UNAVAILABLE';
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly startedAt: Date;
  readonly durationMs: number | null;
}
