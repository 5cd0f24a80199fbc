/**
 * How much more than others a member without a purchase looks like a buyer: grows with sessions, with those
 * that end in a purchase, and with recency.
 *
 * @param idleDays - from the last event to the cutoff
 */
export const browsingWeight = (sessions: number, buySessions: number, idleDays: number): number =>
  Math.sqrt(1 + sessions + 4 * buySessions) / (1 + idleDays / 14);
