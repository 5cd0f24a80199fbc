import type { RecipientCounts } from './recipient-counts.ts';

export type CampaignStatus = 'DRAFT' | 'SCHEDULED' | 'SENDING' | 'PAUSED' | 'SENT' | 'CANCELLED';
export type CampaignChannel = 'EMAIL' | 'WEB_PUSH';

/** What a part of the audience gets: a template or subject and html, or a notification; Liquid. */
export interface CampaignVariant {
  readonly key: string;
  readonly weight: number;
  readonly templateId?: string;
  /** The version that is sent, from the start on. */
  readonly templateVersion?: number;
  readonly subject?: string;
  readonly html?: string;
  readonly title?: string;
  readonly body?: string;
  readonly url?: string;
  readonly icon?: string;
}

/** One message to the members of segments, or a journey. */
export interface Campaign {
  readonly id: string;
  readonly name: string;
  readonly channel: CampaignChannel;
  readonly status: CampaignStatus;
  /** Members of any of these, without those of the excluded ones. */
  readonly segmentIds: readonly string[];
  readonly excludedSegmentIds: readonly string[];
  readonly holdOutPercent: number;
  readonly scheduledAt: Date | null;
  readonly isLocalTime: boolean;
  readonly attributionDays: number;
  readonly journeyId: string | null;
  /** Members up to this id are recipients; null before it begins and when all are. */
  readonly audienceToId: string | null;
  readonly recipientCounts: RecipientCounts;
  readonly failure: string | null;
  readonly actor: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

/** Is nothing more to come of it? */
export const isEnded = ({ status }: Pick<Campaign, 'status'>): boolean =>
  status === 'SENT' || status === 'CANCELLED';

/** As watchers of its progress name it. */
export const CAMPAIGN_NOUN = 'campaign';

/** Live channel that wakes the workers which send campaigns. */
export const CAMPAIGNS_CHANNEL = 'campaigns';
