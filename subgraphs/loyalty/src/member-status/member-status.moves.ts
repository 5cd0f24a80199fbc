import { type MemberStatus, OPEN_STATUSES } from '../members/members.service.ts';

/** One transition of the status machine. */
interface Move {
  readonly from: readonly MemberStatus[];
  /** `BEFORE` stands for the member's status before the request for erasure. */
  readonly to: MemberStatus | 'BEFORE';
}

/**
 * All permitted changes of a member's status. DELETED is final, and no change leads from UNSUBSCRIBED to
 * ACTIVE.
 *
 * @remarks Source: requirements L-MEM-22, L-UNS-05
 */
export const moves = {
  /** By an activity, or by staff; with an unsubscribed address the member becomes UNSUBSCRIBED instead. */
  BE_ACTIVE: { from: ['PENDING', 'INACTIVE'], to: 'ACTIVE' },
  /** After 365 days without activity, or by staff. */
  FALL_INACTIVE: { from: ['ACTIVE'], to: 'INACTIVE' },
  UNSUBSCRIBE: { from: ['ACTIVE'], to: 'UNSUBSCRIBED' },
  REQUEST_ERASURE: { from: OPEN_STATUSES, to: 'DEACTIVATION_PENDING' },
  CANCEL_ERASURE: { from: ['DEACTIVATION_PENDING'], to: 'BEFORE' },
  ERASE: { from: ['DEACTIVATION_PENDING'], to: 'DELETED' },
} as const satisfies Readonly<Record<string, Move>>;

export type MoveName = keyof typeof moves;
