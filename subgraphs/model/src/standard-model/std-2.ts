import { std1 } from './std-1.ts';

/**
 * All parameters of the second version of the standard model. Other values need a new version.
 *
 * Purchases keep the parameters of the first version, which rank members well on unseen data. The new
 * parameters were chosen on generated processes and on public sets of purchases: `npm run model -- evaluate
 * --processes` prints the quality of both versions on them. The parameters are frozen; the figures that a
 * workspace counts about itself are an input of the scores, like the statistics of members.
 */
export const std2 = {
  ...std1,
  version: 'std-2',
  /** A member with at least this many intervals is scored by its own rhythm, too. */
  rhythm: {
    intervalsMin: 3,
    /** Prior probability that a member has a rhythm rather than buys at random. */
    share: 0.5,
    /** Weight of the workspace's variance beside the member's own, in intervals. */
    freedom: 3,
    /** The pool of a workspace with too few members with intervals; logarithms of days. */
    pool: { mean: 3.4, varianceWithin: 0.8, varianceBetween: 4 },
    /** A gap is overdue if at most this share of the member's own intervals is longer. */
    overdueTail: 0.025,
  },
  browsing: {
    eventsMin: 3,
    /** Days of the windows in which a workspace counts buyers. */
    windowDays: 30,
    /** Additional weight of a session with a purchase, in sessions. */
    buySessionWeight: 4,
    /** Days without an event after which a member's weight is halved. */
    idleHalvingDays: 14,
    /** Prior probability that a browser buys within a window, and its weight in browsers. */
    conversion: 0.05,
    conversionWeight: 20,
    /** Prior probability that one of the best buyers buys within a window, and its weight in buyers. */
    bestBuyers: 0.5,
    bestBuyersWeight: 10,
    /** Mean weight of browsers in a workspace that has not counted them. */
    meanWeight: 1,
  },
  cart: { ...std1.cart, needsRemovals: true },
  season: {
    purchaseDaysMin: 4,
    /** At least two seasons lie between the first and the last purchase day. */
    spanDaysMin: 300,
    monthsMax: 2,
  },
} as const;
