/** Statuses of members who can get and spend points: not erased, and without a pending erasure. */
export const OPEN_STATUSES = ['PENDING', 'ACTIVE', 'UNSUBSCRIBED', 'INACTIVE'] as const;
