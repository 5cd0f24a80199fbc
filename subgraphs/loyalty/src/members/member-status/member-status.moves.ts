import type { MemberStatus } from '../members/members.service.ts';

/** One move of the status machine: from where, and to where. */
interface Move {
  readonly from: readonly MemberStatus[];
  /** `BEFORE` is the status that the member had before erasure was requested. */
  readonly to: MemberStatus | 'BEFORE';
}

/**
 * The whole status machine of a member. What is not here is refused: DELETED is final, and nothing brings an
 * unsubscribed member back to ACTIVE.
 *
 * @remarks Source: requirements L-MEM-22, L-UNS-05
 */
export const moves = {
  /** Activity, or the back office; with an unsubscribed address the member is UNSUBSCRIBED instead. */
  BE_ACTIVE: { from: ['PENDING', 'INACTIVE'], to: 'ACTIVE' },
  /** No activity for 365 days, or the back office. */
  FALL_INACTIVE: { from: ['ACTIVE'], to: 'INACTIVE' },
  UNSUBSCRIBE: { from: ['ACTIVE'], to: 'UNSUBSCRIBED' },
  REQUEST_ERASURE: { from: ['PENDING', 'ACTIVE', 'UNSUBSCRIBED', 'INACTIVE'], to: 'DEACTIVATION_PENDING' },
  CANCEL_ERASURE: { from: ['DEACTIVATION_PENDING'], to: 'BEFORE' },
  ERASE: { from: ['DEACTIVATION_PENDING'], to: 'DELETED' },
} as const satisfies Readonly<Record<string, Move>>;

export type MoveName = keyof typeof moves;
