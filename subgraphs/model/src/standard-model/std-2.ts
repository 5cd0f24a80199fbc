import { std1 } from './std-1.ts';

/**
 * All parameters of the second version of the standard model; other values are another version.
 *
 * Purchases keep the parameters of the first version, whose order of members holds on data that it never saw.
 * What is new was chosen on generated processes and on public sets of purchases: `npm run model -- evaluate
 * --processes` prints how both versions do on them. The parameters are frozen; what a workspace counts about
 * itself is an input of the scores, as the statistics of members are.
 */
export const std2 = {
  ...std1,
  version: 'std-2',
  /** A member with so many intervals is scored by its own rhythm, too. */
  rhythm: {
    intervalsMin: 3,
    /** Chance, before any interval is seen, that a member has a rhythm rather than buys at random. */
    share: 0.5,
    /** Intervals that the workspace's variance counts for beside the member's own. */
    freedom: 3,
    /** Where the workspace has too few members with intervals; of logarithms of days. */
    pool: { mean: 3.4, varianceWithin: 0.8, varianceBetween: 4 },
    /** Share of the member's own intervals that are longer than a silence that is overdue. */
    overdueTail: 0.025,
  },
  browsing: {
    eventsMin: 3,
    /** Days of the windows in which a workspace counts who buys. */
    windowDays: 30,
    /** Sessions that one with a purchase counts for, beside itself. */
    buySessionWeight: 4,
    /** After so many days without an event a member weighs half. */
    idleHalvingDays: 14,
    /** Chance that a browser buys within a window, and the browsers that it counts for. */
    conversion: 0.05,
    conversionWeight: 20,
    /** Chance that one of the best buyers buys within a window, and the buyers that it counts for. */
    bestBuyers: 0.5,
    bestBuyersWeight: 10,
    /** Mean weight of browsers of a workspace that has not counted them. */
    meanWeight: 1,
  },
  cart: { ...std1.cart, needsRemovals: true },
  season: {
    purchaseDaysMin: 4,
    /** Between the first and the last purchase day lie two seasons at least. */
    spanDaysMin: 300,
    monthsMax: 2,
  },
} as const;
