import { std2 } from '../standard-versions/std-2.ts';

const { buySessionWeight, idleHalvingDays } = std2.browsing;

/**
 * How much more than others a member without a purchase looks like a buyer: grows with sessions, with those
 * that end in a purchase, and with recency.
 *
 * @param idleDays - from the last event to the cutoff
 */
export const browsingWeight = (sessions: number, buySessions: number, idleDays: number): number =>
  Math.sqrt(1 + sessions + buySessionWeight * buySessions) / (1 + idleDays / idleHalvingDays);
