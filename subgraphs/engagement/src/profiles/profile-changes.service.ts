import type { Mode, Scope } from '@loyalty/platform/base/caller';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import type { PublishedEvent } from '@loyalty/platform/work/events';
import {
  deleteChanges,
  insertChanges,
  insertTracked,
  type ProfileChange,
  takeOldest,
} from './profile-changes.store.ts';

export type { ProfileChange };

import {
  memberEvents,
  type ProfileAspect,
  rebuildEvents,
  recordEvents,
  sharedEvents,
} from './profile-events.ts';

/** Live channel that wakes who takes changes into profiles. */
export const PROFILE_CHANGES_CHANNEL = 'profile-changes';

type NewChange = ProfileChange & Scope;

/** What the payloads of these events may name. */
interface Named {
  readonly memberId?: string | null;
  readonly memberIds?: readonly string[];
  readonly recordId?: string;
  /** What was changed of a member. */
  readonly fields?: readonly string[];
}

/** They decide in which time zone days begin, and so any condition about days. */
const ZONE_FIELDS: readonly string[] = ['timeZone', 'homeStoreId'];

const MODES: readonly Mode[] = ['LIVE', 'TEST'];

/** Notes what the events may have changed, one change for each member and record, in one statement. */
export async function noteChanges(tx: Context, events: readonly PublishedEvent[]): Promise<void> {
  const changes = merged(events.flatMap((event) => changesOf(tx, event)));
  if (changes.length === 0 || !(await insertChanges(tx, changes))) return;
  tx.afterCommit(() => tx.services.live.publish(PROFILE_CHANGES_CHANNEL, 'new'));
}

/**
 * Notes tracked events of members, in the transaction that keeps them.
 *
 * @param eventIds - of events that members did, or that became known to be theirs
 */
export async function noteTracked(tx: Context, eventIds: readonly string[]): Promise<void> {
  if (eventIds.length === 0 || !(await insertTracked(tx, newId(tx.clock), eventIds))) return;
  tx.afterCommit(() => tx.services.live.publish(PROFILE_CHANGES_CHANNEL, 'new'));
}

/**
 * Takes the oldest changes; the caller has locked the profiles, so that nobody else takes any.
 *
 * @param limit - changes
 */
export const takeNoted = (tx: Context, limit: number): Promise<ProfileChange[]> => takeOldest(tx, limit);

/** Deletes the changes of an erased member. */
export const forgetNoted = (tx: Context, memberId: string): Promise<void> => deleteChanges(tx, memberId);

function changesOf(
  tx: Context,
  { id, type, workspaceId, mode, payload, createdAt }: PublishedEvent,
): NewChange[] {
  const { memberId, memberIds, recordId, fields } = payload as Named;
  const change = (named: Partial<NewChange>): NewChange => ({
    ...{ id, workspaceId, mode, createdAt, memberId: null, recordId: null, aspects: [], eventIds: [] },
    ...named,
  });
  const rebuild = rebuildEvents.get(type);
  if (rebuild) {
    const modes = sharedEvents.has(type) ? MODES : [mode];
    return modes.map((each) => change({ mode: each, aspects: rebuild }));
  }
  if (recordEvents.has(type)) return [change({ recordId: recordId! })];
  const isNewZone = fields?.some((field) => ZONE_FIELDS.includes(field));
  const aspects: readonly ProfileAspect[] = isNewZone ? ['ALL'] : (memberEvents.get(type) ?? []);
  if (memberId) return [change({ memberId, aspects })];
  return (memberIds ?? []).map((each) => change({ id: newId(tx.clock), memberId: each, aspects }));
}

/** Changes of one member or record are one change, of all their aspects. */
function merged(changes: readonly NewChange[]): NewChange[] {
  const byTarget = new Map<string, NewChange>();
  for (const change of changes) {
    const { workspaceId, mode, memberId, recordId } = change;
    const target = [workspaceId, mode, memberId, recordId].join();
    const known = byTarget.get(target);
    const aspects = known ? [...new Set([...known.aspects, ...change.aspects])] : change.aspects;
    byTarget.set(target, { ...(known ?? change), aspects });
  }
  return [...byTarget.values()];
}
