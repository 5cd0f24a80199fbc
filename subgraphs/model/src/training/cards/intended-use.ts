import type { VersionSubject } from '../versions/model-version.ts';

/** What a model is for, and what it is not for. */
export interface IntendedUse {
  readonly uses: readonly string[];
  readonly misuses: readonly string[];
}

const NEVER = [
  'Decisions with legal or similarly significant effects on a person.',
  'Statements about causes: a score says what is likely, not what brings it about.',
  'Members of another workspace, or samples that are unlike those it was trained on.',
];

const uses: Readonly<Record<VersionSubject, readonly string[]>> = {
  RETURN: ['Find orders that are likely to be returned, and help their buyers before they order.'],
  ITEM: ['Suggest the item that a member may buy next.'],
  BASKET: ['Suggest items that a member may buy together.'],
  TIER: ['Find members who are likely to reach a higher tier soon.'],
  PURCHASE: ['Say how likely a member buys within the horizon, in place of the standard score.'],
  CHURN: ['Say how likely a member buys nothing within the horizon, in place of the standard score.'],
  ABANDONMENT: ['Say how likely a member leaves a cart without a purchase within the horizon.'],
};

/** What versions of a subject are for; the words are ours and no part of the report. */
export const intendedUse = (subject: VersionSubject): IntendedUse => ({
  uses: uses[subject],
  misuses: NEVER,
});
