import type { Aspect } from '../conditions/condition.ts';
import { usesBy } from '../events/described-events.ts';

/** What of a profile may have changed; `ALL`: everything. */
export type ProfileAspect = Aspect | 'ALL';

const changes = usesBy('changes');

/** Events that name a member, by `memberId` or `memberIds`, and what they may change. */
export const memberEvents: ReadonlyMap<string, readonly ProfileAspect[]> = new Map(
  [...changes].flatMap(([type, aspects]) =>
    aspects === 'RECORD' || aspects.length === 0 ? [] : [[type, aspects]],
  ),
);

/** Events of records, which may name members. */
export const recordEvents: ReadonlySet<string> = new Set(
  [...changes].flatMap(([type, aspects]) => (aspects === 'RECORD' ? [type] : [])),
);

/** Events that may change everybody: a rebuild reads these aspects of all members anew. */
export const rebuildEvents: ReadonlyMap<string, readonly ProfileAspect[]> = usesBy('changesAll');

/** Those of them that are about what live and test share. */
export const sharedEvents: ReadonlySet<string> = new Set(usesBy('isShared').keys());
