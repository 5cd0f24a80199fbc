import { systemCaller } from '@loyalty/platform/base/caller';
import { SECOND_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { setStatementTimeout } from '@loyalty/platform/database/statement-timeout';
import {
  deleteEmptyRows,
  endComputation,
  endOfRange,
  failComputation,
  saveProgress,
} from './computations.store.ts';
import { evaluateMembers } from './evaluation.service.ts';
import { publishChanges, publishSizes } from './memberships.service.ts';
import {
  clearDue,
  type DueMembership,
  deleteMembersOf,
  dueMemberships,
  keptSegments,
  LAST_ID,
  type MembershipChange,
  stillDue,
} from './memberships.store.ts';
import { lockProfiles } from './profiles.service.ts';

/**
 * Batch size: members that one statement computes. The profiles of the workspace are locked while it runs.
 */
const RANGE = 20_000;

/** Timeouts of a range, which may take longer than a request and waits for the lock of the profiles. */
const WRITER_SECONDS = { statement: 25, lock: 20 } as const;

/**
 * Computes all members of a segment, if this was requested. Each range of members is committed separately, so
 * that an interrupted computation continues after the last range. A request during the computation restarts
 * it. No events are published for members who enter or leave.
 *
 * @param range - members per statement. Default: 20,000
 */
export async function computeSegment(ctx: Context, segmentId: string, range = RANGE): Promise<void> {
  while (await computeRange(ctx, segmentId, range));
}

/** Computes the next range; returns whether there may be more. */
export function computeRange(ctx: Context, segmentId: string, range = RANGE): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    await setStatementTimeout(tx, WRITER_SECONDS);
    await lockProfiles(tx);
    const all = await keptSegments(tx);
    const segment = all.find(({ id }) => id === segmentId);
    if (!segment || segment.computedToId === null) return false;
    const afterId = segment.computedToId;
    const toId = await endOfRange(tx, afterId, range);
    await evaluateMembers(tx, all, [segment], { afterId, toId });
    await deleteEmptyRows(tx, segmentId, { afterId, toId });
    if (toId === LAST_ID) await endComputation(tx, segmentId);
    else await saveProgress(tx, segmentId, toId);
    publishSizes(tx, [segmentId]);
    return toId !== LAST_ID;
  });
}

/** Records that a computation failed after all retries. The next request restarts it. */
export async function recordFailedComputation(
  ctx: Context,
  segmentId: string,
  failure: string,
): Promise<void> {
  await failComputation(ctx, segmentId, failure);
  publishSizes(ctx, [segmentId]);
}

/** Batch size: rows that one statement deletes, or one turn evaluates. */
const BATCH = 5_000;

/** Deletes the rows of a deleted segment, in batches that lock rows only briefly. */
export async function deleteDropped(ctx: Context, segmentId: string): Promise<void> {
  while ((await deleteMembersOf(ctx, segmentId, BATCH)) === BATCH);
}

/**
 * Evaluates memberships that may have changed by time alone, the longest due ones first, and publishes the
 * members who entered and left. Several workers may run at the same time.
 *
 * @throws the first error of a workspace
 * @returns the time to wait before the next turn, in milliseconds
 */
export async function updateDue(ctx: Context, batch = BATCH): Promise<number> {
  const due = await dueMemberships(ctx, batch);
  const ofScopes = Map.groupBy(due, ({ workspaceId, mode }) => `${workspaceId} ${mode}`);
  // A failure in one workspace must not delay the others.
  const failures: unknown[] = [];
  for (const [, ofScope] of ofScopes) {
    const scoped = ctx.as(systemCaller('update-segments', ofScope[0]!));
    await updateDueOf(scoped, ofScope).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
  return due.length === batch ? 0 : SECOND_MS;
}

function updateDueOf(ctx: Context, candidates: readonly DueMembership[]): Promise<void> {
  return ctx.transaction(async (tx) => {
    await setStatementTimeout(tx, WRITER_SECONDS);
    await lockProfiles(tx);
    const due = Map.groupBy(await stillDue(tx, candidates), ({ segmentId }) => segmentId);
    if (due.size === 0) return;
    const all = await keptSegments(tx);
    const gone = [...due.keys()].filter((id) => !all.some((segment) => segment.id === id));
    if (gone.length > 0) await clearDue(tx, gone);
    const changes: MembershipChange[] = [];
    for (const segment of all) {
      const ids = due.get(segment.id)?.map(({ memberId }) => memberId);
      if (ids) changes.push(...(await evaluateMembers(tx, all, [segment], { ids })));
    }
    await publishChanges(tx, all, changes);
  });
}
