import { useState } from 'react';
import type { CallFailure } from '../../graph/failures.ts';
import type { MemberQuery } from './generated/member.ts';

/** A member as their screen shows them. */
export type ShownMember = NonNullable<MemberQuery['member']>;

/** Of a dialog about one member. */
export interface MemberDialogProps {
  readonly member: ShownMember;
  readonly onClose: () => void;
}

/**
 * Which `updatedAt` of the member a form may change: the one that it began with, although the member is read
 * again while it is open. Only who was shown that somebody else changed the member saves over that.
 */
export function useSeenVersion(updatedAt: string, failure: CallFailure | null): string {
  const [first] = useState(updatedAt);
  return failure?.reason === 'MEMBER_CHANGED' ? updatedAt : first;
}
