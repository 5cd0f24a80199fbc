export type CampaignStatus = 'DRAFT' | 'SCHEDULED' | 'SENDING' | 'PAUSED' | 'SENT' | 'CANCELLED';

export type CampaignChannel = 'EMAIL' | 'WEB_PUSH';

/**
 * The content for a part of the audience: a template, or subject and html, or a notification. Liquid is
 * allowed.
 */
export interface CampaignVariant {
  readonly key: string;
  readonly weight: number;
  readonly templateId?: string;
  /** The version that is sent; set at the start. */
  readonly templateVersion?: number;
  readonly subject?: string;
  readonly html?: string;
  readonly title?: string;
  readonly body?: string;
  readonly url?: string;
  readonly icon?: string;
}

/** A message to the members of segments, or a journey. */
export interface Campaign {
  readonly id: string;
  readonly name: string;
  readonly channel: CampaignChannel;
  readonly status: CampaignStatus;
  /** The audience: members of any of these segments, without members of the excluded ones. */
  readonly segmentIds: readonly string[];
  readonly excludedSegmentIds: readonly string[];
  readonly holdOutPercent: number;
  readonly scheduledAt: Date | null;
  readonly isLocalTime: boolean;
  readonly attributionDays: number;
  readonly journeyId: string | null;
  /** Members up to this id are recipients; null before the start, and when all members are. */
  readonly audienceToId: string | null;
  readonly recipientCounts: RecipientCounts;
  readonly failure: string | null;
  readonly actor: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

/** Whether the campaign was sent or cancelled. */
export const isEnded = ({ status }: Pick<Campaign, 'status'>): boolean =>
  status === 'SENT' || status === 'CANCELLED';

/** The noun of a campaign in live channels. */
export const CAMPAIGN_NOUN = 'campaign';

/** Live channel that wakes the workers that send campaigns. */
export const CAMPAIGNS_CHANNEL = 'campaigns';

/** The state of a recipient. SKIPPED has a reason. */
export type RecipientState = 'WAITING' | 'QUEUED' | 'HELD_OUT' | 'SKIPPED';

/** The number of recipients with the same variant, state and reason. */
export interface RecipientCount {
  readonly variant: string;
  readonly state: RecipientState;
  /** Null for states other than SKIPPED. */
  readonly reason: string | null;
  readonly count: number;
}

export type RecipientCounts = readonly RecipientCount[];

/** Applies changes to counts. A negative number decreases a count. Counts of zero are omitted. */
export function changedCounts(counts: RecipientCounts, changes: readonly RecipientCount[]): RecipientCounts {
  const byKey = new Map<string, RecipientCount>();
  for (const each of [...counts, ...changes]) {
    const key = `${each.variant} ${each.state} ${each.reason ?? ''}`;
    byKey.set(key, { ...each, count: each.count + (byKey.get(key)?.count ?? 0) });
  }
  return [...byKey.values()].filter(({ count }) => count !== 0);
}

/** Returns the number of recipients in these states, by default in all states. */
export const totalOf = (counts: RecipientCounts, ...states: readonly RecipientState[]): number =>
  counts.reduce((sum, { state, count }) => (states.length && !states.includes(state) ? sum : sum + count), 0);
