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
  type DueMembership,
  deleteMembersOf,
  dueMemberships,
  forgetDue,
  keptSegments,
  LAST_ID,
  type MembershipChange,
  stillDue,
} from './memberships.store.ts';
import { lockProfiles } from './profiles.service.ts';

/** Members that one statement computes; while it runs, the profiles of the workspace wait. */
const RANGE = 20_000;

/** A range may take longer than a request, and waits for others that work on the profiles. */
const WRITER_SECONDS = { statement: 25, lock: 20 } as const;

/**
 * Computes who is in a segment, from the first member to the last, if that was requested. Each range of
 * members is kept by itself, so that whoever comes after an interruption goes on there. A request that comes
 * meanwhile starts it again. Nobody is notified of members who come in or out.
 *
 * @param range - members of one statement. Default 20,000
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

/** Notes that a computation was given up; the next request starts it again. */
export async function giveUpComputation(ctx: Context, segmentId: string, failure: string): Promise<void> {
  await failComputation(ctx, segmentId, failure);
  publishSizes(ctx, [segmentId]);
}

/** Rows that one statement deletes, or one turn takes. */
const BATCH = 5_000;

/** Deletes the rows of a segment that was deleted, in batches that hold no lock for long. */
export async function deleteDropped(ctx: Context, segmentId: string): Promise<void> {
  while ((await deleteMembersOf(ctx, segmentId, BATCH)) === BATCH);
}

/**
 * Evaluates the members whom time alone may have let into a segment or out of it, those first that have been
 * due longest, and publishes who entered and left. Several workers may do so at once.
 *
 * @throws what failed in one of the workspaces
 * @returns milliseconds to wait before the next turn
 */
export async function updateDue(ctx: Context, batch = BATCH): Promise<number> {
  const due = await dueMemberships(ctx, batch);
  const ofScopes = Map.groupBy(due, ({ workspaceId, mode }) => `${workspaceId} ${mode}`);
  // What fails in one workspace must not hold up the others.
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
    if (gone.length > 0) await forgetDue(tx, gone);
    const changes: MembershipChange[] = [];
    for (const segment of all) {
      const ids = due.get(segment.id)?.map(({ memberId }) => memberId);
      if (ids) changes.push(...(await evaluateMembers(tx, all, [segment], { ids })));
    }
    await publishChanges(tx, all, changes);
  });
}
