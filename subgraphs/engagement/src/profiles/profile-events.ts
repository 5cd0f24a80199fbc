import type { Aspect } from '../conditions/condition.ts';
import { usesBy } from '../events/described-events.ts';

/** An aspect of a profile that may have changed; `ALL` for all aspects. */
export type ProfileAspect = Aspect | 'ALL';

const changes = usesBy('changes');

/** Events with `memberId` or `memberIds`, and the aspects that they may change. */
export const profileEvents: ReadonlyMap<string, readonly ProfileAspect[]> = new Map(
  [...changes].flatMap(([type, aspects]) =>
    aspects === 'RECORD' || aspects.length === 0 ? [] : [[type, aspects]],
  ),
);

/** Events of records, which may refer to members. */
export const recordEvents: ReadonlySet<string> = new Set(
  [...changes].flatMap(([type, aspects]) => (aspects === 'RECORD' ? [type] : [])),
);

/** Events that may change all members: a rebuild reads these aspects of all members again. */
export const rebuildEvents: ReadonlyMap<string, readonly ProfileAspect[]> = usesBy('changesAll');

/** The events about data that live and test mode share. */
export const sharedEvents: ReadonlySet<string> = new Set(usesBy('isShared').keys());
