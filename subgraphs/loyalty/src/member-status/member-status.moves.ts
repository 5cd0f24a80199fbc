import { type MemberStatus, OPEN_STATUSES } from '../members/members.service.ts';

/** One move of the status machine: from where, and to where. */
interface Move {
  readonly from: readonly MemberStatus[];
  /** `BEFORE` is the status that the member had before erasure was requested. */
  readonly to: MemberStatus | 'BEFORE';
}

/**
 * Every allowed change of a member's status. DELETED is final, and no change leads from UNSUBSCRIBED to
 * ACTIVE.
 *
 * @remarks Source: requirements L-MEM-22, L-UNS-05
 */
export const moves = {
  /** Activity, or the back office; with an unsubscribed address the member is UNSUBSCRIBED instead. */
  BE_ACTIVE: { from: ['PENDING', 'INACTIVE'], to: 'ACTIVE' },
  /** No activity for 365 days, or the back office. */
  FALL_INACTIVE: { from: ['ACTIVE'], to: 'INACTIVE' },
  UNSUBSCRIBE: { from: ['ACTIVE'], to: 'UNSUBSCRIBED' },
  REQUEST_ERASURE: { from: OPEN_STATUSES, to: 'DEACTIVATION_PENDING' },
  CANCEL_ERASURE: { from: ['DEACTIVATION_PENDING'], to: 'BEFORE' },
  ERASE: { from: ['DEACTIVATION_PENDING'], to: 'DELETED' },
} as const satisfies Readonly<Record<string, Move>>;

export type MoveName = keyof typeof moves;
