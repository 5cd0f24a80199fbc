/** An order and what was refunded of it before. */
export interface RefundedSoFar {
  readonly totalMinor: bigint;
  readonly refundedMinor: bigint;
  readonly pointsAwarded: number | null;
  readonly pointsReversed: number;
}

/**
 * Points that a refund takes back: the share of the order's points that is refunded in total, rounded down,
 * minus what was taken back before. So the last refund takes all that is left.
 *
 * @param amountMinor - at most what is left of the order
 */
export function pointsToReverse(order: RefundedSoFar, amountMinor: bigint): number {
  const points = order.pointsAwarded ?? 0;
  if (order.totalMinor <= 0n || points === 0) return 0;
  const refundedMinor = order.refundedMinor + amountMinor;
  const share = Number((BigInt(points) * refundedMinor) / order.totalMinor);
  return Math.max(share - order.pointsReversed, 0);
}
