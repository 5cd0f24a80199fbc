/** Keys of the queues for contended rows, by the arguments of a call. */
export const rows = {
  /** The ledger of a member. */
  ofMember: ({ memberId }: { readonly memberId?: unknown }): string => `member:${memberId}`,
  /** The codes of a pool: the last ones, and their counts. */
  ofPool: ({ poolId }: { readonly poolId?: unknown }): string => `coupon-pool:${poolId}`,
} as const;
