import { batches } from '@loyalty/platform/base/batches';
import type { Context } from '@loyalty/platform/context';
import { publish, publishAll } from '@loyalty/platform/work/events';
import type { Aspect } from '../conditions/condition.ts';
import {
  segmentChannel,
  segmentComputationRequested,
  segmentEntered,
  segmentLeft,
  segmentMembersDropped,
} from '../segments/segments.events.ts';
import { requestComputations } from './computations.store.ts';
import { evaluateMembers } from './evaluation.service.ts';
import {
  deleteMemberships,
  FIRST_ID,
  type KeptSegment,
  keptSegments,
  type MembershipChange,
  membersAmong,
  membersOfSegments,
} from './memberships.store.ts';
import { lockProfiles } from './profiles.service.ts';

/** Members with the aspects that may have changed. */
export interface ChangedMembers {
  readonly memberIds: readonly string[];
  /** The aspects that may have changed. */
  readonly aspects: ReadonlySet<Aspect> | 'ALL';
}

/** Maximum number of rows that one statement writes: about half a second. */
const PAIRS = 20_000;

/**
 * Updates the memberships of these members in all segments that read the changed aspects, and publishes the
 * members who entered and left: one statement for all segments, and one for each type of event. Members
 * without a profile leave all segments.
 *
 * @param tx - a transaction that has the lock of the profiles
 * @param changed.memberIds - some thousands at most, without duplicates
 */
export async function updateMemberships(tx: Context, changed: ChangedMembers): Promise<void> {
  const { memberIds, aspects } = changed;
  if (memberIds.length === 0) return;
  const all = await keptSegments(tx);
  const concerned =
    aspects === 'ALL' ? all : all.filter((segment) => segment.aspects.some((each) => aspects.has(each)));
  const size = Math.max(1, Math.floor(PAIRS / concerned.length));
  for (const ids of batches(memberIds, size)) {
    const changes = await evaluateMembers(tx, all, concerned, { ids });
    await publishChanges(tx, concerned, changes);
  }
}

/**
 * Publishes the members who entered and left. Nothing is published if the current definition was not applied
 * to the member before, because then the definition caused the change; nor before all members have a profile.
 */
export async function publishChanges(
  tx: Context,
  segments: readonly KeptSegment[],
  changes: readonly MembershipChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const byId = new Map(segments.map((segment) => [segment.id, segment]));
  const ofTime = changes.filter(({ segmentId, memberId }) => wasApplied(byId.get(segmentId)!, memberId));
  const payloads = (isMember: boolean) =>
    ofTime
      .filter((change) => change.isMember === isMember)
      .map(({ memberId, segmentId }) => ({ memberId, segmentId }));
  await publishAll(tx, segmentEntered, payloads(true));
  await publishAll(tx, segmentLeft, payloads(false));
  publishSizes(tx, new Set(changes.map(({ segmentId }) => segmentId)));
}

const wasApplied = (segment: KeptSegment, memberId: string): boolean => {
  if (segment.isIncomplete) return false;
  if (segment.computedVersion === segment.version) return true;
  return segment.computedToId !== null && memberId <= segment.computedToId;
};

/** Notifies the watchers of segments after the transaction commits. */
export function publishSizes(tx: Context, segmentIds: Iterable<string>): void {
  for (const id of segmentIds)
    tx.afterCommit(() => tx.services.live.publish(segmentChannel(tx.scope, id), id));
}

/**
 * Requests a job that computes all members of a segment, and of the segments that contain it. A running
 * computation restarts. Call it in the transaction that changes the definition; the transaction must lock the
 * profiles before it writes the segment.
 */
export async function requestComputation(tx: Context, segmentId: string): Promise<void> {
  await lockProfiles(tx);
  const ids = await requestComputations(tx, segmentId);
  await publishAll(
    tx,
    segmentComputationRequested,
    ids.map((id) => ({ segmentId: id })),
  );
}

/** Requests a job that deletes the memberships of a segment that this transaction deletes. */
export async function dropMemberships(tx: Context, segmentId: string): Promise<void> {
  await publish(tx, segmentMembersDropped, { segmentId });
}

/** Deletes the memberships of members without a profile. The caller has locked the profiles. */
export async function removeMemberships(tx: Context, memberIds: readonly string[]): Promise<void> {
  await updateMemberships(tx, { memberIds, aspects: 'ALL' });
  await deleteMemberships(tx, memberIds);
}

/**
 * Returns a page of the members of at least one of the segments, without duplicates, in the order of their
 * ids.
 *
 * @param page.afterId - the last id of the previous page; default: from the first
 * @param page.excludeIds - segments whose members are excluded
 */
export function memberIdsOf(
  ctx: Context,
  segmentIds: readonly string[],
  page: { readonly afterId?: string | null; readonly limit: number; readonly excludeIds?: readonly string[] },
): Promise<string[]> {
  const { afterId, limit, excludeIds = [] } = page;
  return membersOfSegments(ctx, segmentIds, { afterId: afterId ?? FIRST_ID, limit, excludeIds });
}

/** Returns the given members who are in the segment now. */
export async function isMemberOf(
  ctx: Context,
  segmentId: string,
  memberIds: readonly string[],
): Promise<ReadonlySet<string>> {
  return new Set(await membersAmong(ctx, segmentId, memberIds));
}
