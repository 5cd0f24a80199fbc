import { useState } from 'react';
import type { CallFailure } from '../../graph/failures.ts';

/**
 * Which `updatedAt` of the member a form may change: the one that it began with, although the member is read
 * again while it is open. Only who was shown that somebody else changed the member saves over that.
 */
export function useSeenVersion(updatedAt: string, failure: CallFailure | null): string {
  const [first] = useState(updatedAt);
  return failure?.reason === 'MEMBER_CHANGED' ? updatedAt : first;
}
