/** What an order is worth and what was given back of it before. */
export interface RefundedSoFar {
  readonly totalMinor: bigint;
  readonly refundedMinor: bigint;
  readonly pointsAwarded: number | null;
  readonly pointsReversed: number;
}

/**
 * Points that a refund takes back: of all that the order earned the share that is refunded with it, rounded
 * down, less what was taken back before. The refund that completes the order takes all that is left.
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
