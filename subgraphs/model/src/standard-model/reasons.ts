/** The reasons why a signal is degraded or unavailable: a bit for each code that clients receive. */
export const reasonBits = {
  /** Fewer than two repeat purchase days: the habits of other members weigh more than the member's own. */
  PRIOR_DRIVEN: 1,
  /** The first purchase is less than 28 days old. */
  SHORT_HISTORY: 2,
  /** No recent activity: 730 days without a purchase, or 90 days without an event for carts. */
  STALE: 4,
  NO_PURCHASE_HISTORY: 8,
  /** Facts arrived late and could not be folded yet. */
  LATE_DATA: 16,
  /** No purchase, and fewer than three events. */
  INSUFFICIENT_HISTORY: 32,
  /** Neither of the member nor of the workspace. */
  NO_CART_EVENTS: 64,
  /** Fewer than five cart additions are left after decay. */
  FEW_CART_EVENTS: 128,
  /** The workspace has never sent a removal: it may not report removals. */
  NO_REMOVALS_SEEN: 256,
  /** Of the member's own intervals, 97.5% are shorter than the time since the last purchase. */
  OVERDUE: 512,
  /** All purchases fall into the same two months of the year. */
  SEASONAL_PATTERN: 1024,
  /** In this workspace, past scores did not rank members better than chance. */
  LOW_SKILL_HERE: 2048,
} as const;

type Reason = keyof typeof reasonBits;

const codes = Object.entries(reasonBits) as [Reason, number][];

export const reasonsOf = (bits: number): Reason[] =>
  codes.filter(([, bit]) => (bits & bit) !== 0).map(([code]) => code);
