import { systemCaller } from '@loyalty/platform/caller/caller';
import { SECOND_MS } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';
import { setStatementTimeout } from '@loyalty/platform/operations/statement-timeout';
import { lockProfiles } from '../profiles/profiles.service.ts';
import { WRITER_SECONDS } from './computations.service.ts';
import { type DueMembership, dueMemberships, forgetDue, stillDue } from './due-memberships.store.ts';
import { evaluateMembers } from './evaluation.service.ts';
import { publishChanges } from './memberships.service.ts';
import { keptSegments, type MembershipChange } from './memberships.store.ts';

/** Rows that one turn takes. */
const BATCH = 5_000;

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
