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

/** In which state recipients are; SKIPPED has a reason. */
export type RecipientState = 'WAITING' | 'QUEUED' | 'HELD_OUT' | 'SKIPPED';

/** Recipients of one variant and state, and of SKIPPED of one reason. */
export interface RecipientCount {
  readonly variant: string;
  readonly state: RecipientState;
  /** Null but for SKIPPED. */
  readonly reason: string | null;
  readonly count: number;
}

export type RecipientCounts = readonly RecipientCount[];

/**
 * The counts after a change, which says by how many each grows, or falls where the number is negative. Those
 * of nobody are left out.
 */
export function changedCounts(counts: RecipientCounts, changes: readonly RecipientCount[]): RecipientCounts {
  const byKey = new Map<string, RecipientCount>();
  for (const each of [...counts, ...changes]) {
    const key = `${each.variant} ${each.state} ${each.reason ?? ''}`;
    byKey.set(key, { ...each, count: each.count + (byKey.get(key)?.count ?? 0) });
  }
  return [...byKey.values()].filter(({ count }) => count !== 0);
}

/** How many recipients of these states, or of all, are counted. */
export const totalOf = (counts: RecipientCounts, ...states: readonly RecipientState[]): number =>
  counts.reduce((sum, { state, count }) => (states.length && !states.includes(state) ? sum : sum + count), 0);
