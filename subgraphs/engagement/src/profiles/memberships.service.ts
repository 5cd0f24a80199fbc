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

/** What changed, of whom. */
export interface ChangedMembers {
  readonly memberIds: readonly string[];
  /** What may have changed of them. */
  readonly aspects: ReadonlySet<Aspect> | 'ALL';
}

/** Rows that one statement may have to write: about half a second. */
const PAIRS = 20_000;

/**
 * Brings the segments that read what changed up to date for these members and publishes who entered and
 * left: one statement for all segments, and one for each type of event. Members without a profile leave.
 *
 * @param tx - a transaction that has the lock of the profiles
 * @param changed.memberIds - some thousands at most, each once
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
 * Publishes who entered and who left. Where a definition has not been applied to a member before, the change
 * comes of the definition, and nobody entered or left; nor before every member has a profile.
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

/** Watchers read the sizes once they are kept. */
export function publishSizes(tx: Context, segmentIds: Iterable<string>): void {
  for (const id of segmentIds)
    tx.afterCommit(() => tx.services.live.publish(segmentChannel(tx.scope, id), id));
}

/**
 * Has the members of a segment computed from the first to the last by a job, and those of the segments that
 * contain it; what is under way starts again. It is called with the change of the definition, in the same
 * transaction, which takes the lock of the profiles before it writes the segment.
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

/** Has the members of a segment forgotten that this transaction deletes; a job does it. */
export async function dropMemberships(tx: Context, segmentId: string): Promise<void> {
  await publish(tx, segmentMembersDropped, { segmentId });
}

/** Members who have no profile any more leave all segments, under the lock that the caller has taken. */
export async function forgetMemberships(tx: Context, memberIds: readonly string[]): Promise<void> {
  await updateMemberships(tx, { memberIds, aspects: 'ALL' });
  await deleteMemberships(tx, memberIds);
}

/**
 * A page of the members who are in at least one of the segments, each once, in the order of their ids.
 *
 * @param page.afterId - the last id of the page before; absent: from the first
 * @param page.excludeIds - segments whose members are left out
 */
export function memberIdsOf(
  ctx: Context,
  segmentIds: readonly string[],
  page: { readonly afterId?: string | null; readonly limit: number; readonly excludeIds?: readonly string[] },
): Promise<string[]> {
  const { afterId, limit, excludeIds = [] } = page;
  return membersOfSegments(ctx, segmentIds, { afterId: afterId ?? FIRST_ID, limit, excludeIds });
}

/** Those of the members who are in the segment now. */
export async function isMemberOf(
  ctx: Context,
  segmentId: string,
  memberIds: readonly string[],
): Promise<ReadonlySet<string>> {
  return new Set(await membersAmong(ctx, segmentId, memberIds));
}
