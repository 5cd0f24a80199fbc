import { useState } from 'react';
import type { CallFailure } from '../../graph/failures.ts';
import type { MemberQuery } from './generated/member.ts';

/** A member, as the query of the screen returns it. */
export type ShownMember = NonNullable<MemberQuery['member']>;

/** The properties of a dialog about one member. */
export interface MemberDialogProps {
  readonly member: ShownMember;
  readonly onClose: () => void;
}

/**
 * Returns the `updatedAt` of the version that a form changes. It is the version of the moment when the form
 * was opened, although the member may be read again meanwhile. After a MEMBER_CHANGED failure, which shows
 * the change of somebody else, it is the current version.
 */
export function useSeenVersion(updatedAt: string, failure: CallFailure | null): string {
  const [first] = useState(updatedAt);
  return failure?.reason === 'MEMBER_CHANGED' ? updatedAt : first;
}
