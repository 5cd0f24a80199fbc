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
  type ProfileAspect,
  profileEvents,
  rebuildEvents,
  recordEvents,
  sharedEvents,
} from './profile-events.ts';

/** Live channel that wakes the workers that apply changes to profiles. */
export const PROFILE_CHANGES_CHANNEL = 'profile-changes';

type NewChange = ProfileChange & Scope;

/** The fields of the payloads of these events. */
interface Named {
  readonly memberId?: string | null;
  readonly memberIds?: readonly string[];
  readonly recordId?: string;
  /** Names of the changed fields of a member. */
  readonly fields?: readonly string[];
}

/** Fields that determine the member's time zone, and therefore all conditions about days. */
const ZONE_FIELDS: readonly string[] = ['timeZone', 'homeStoreId'];

const MODES: readonly Mode[] = ['LIVE', 'TEST'];

/** Records the possible changes of events: one change for each member and record, with one statement. */
export async function recordChanges(tx: Context, events: readonly PublishedEvent[]): Promise<void> {
  const changes = merged(events.flatMap((event) => changesOf(tx, event)));
  if (changes.length === 0 || !(await insertChanges(tx, changes))) return;
  tx.afterCommit(() => tx.services.live.publish(PROFILE_CHANGES_CHANNEL, 'new'));
}

/**
 * Records tracked events of members, in the transaction that stores them.
 *
 * @param eventIds - of events of members, or events that were assigned to members
 */
export async function recordTracked(tx: Context, eventIds: readonly string[]): Promise<void> {
  if (eventIds.length === 0 || !(await insertTracked(tx, newId(tx.clock), eventIds))) return;
  tx.afterCommit(() => tx.services.live.publish(PROFILE_CHANGES_CHANNEL, 'new'));
}

/**
 * Deletes and returns the oldest changes. The caller has locked the profiles, so that no other worker takes
 * them.
 *
 * @param limit - maximum number of changes
 */
export const takeRecorded = (tx: Context, limit: number): Promise<ProfileChange[]> => takeOldest(tx, limit);

/** Deletes the changes of an erased member. */
export const eraseChanges = (tx: Context, memberId: string): Promise<void> => deleteChanges(tx, memberId);

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
  const aspects: readonly ProfileAspect[] = isNewZone ? ['ALL'] : (profileEvents.get(type) ?? []);
  if (memberId) return [change({ memberId, aspects })];
  return (memberIds ?? []).map((each) => change({ id: newId(tx.clock), memberId: each, aspects }));
}

/** Merges the changes of the same member or record into one change with all aspects. */
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
