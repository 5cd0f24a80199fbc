import type { Context } from '@loyalty/platform/context';
import { refreshStatistics } from '@loyalty/platform/database/analyze-tables';
import { membersMeeting, resolveCondition } from '../conditions/conditions.service.ts';
import type { JourneyDefinition } from '../journeys/journey-definition.ts';
import { findJourney, versionOf } from '../journeys/journeys.service.ts';
import { memberIdsOf } from '../profiles/memberships.service.ts';
import { findSegment, isComputing } from '../segments/segments.service.ts';
import { insertRuns, type RunEntry } from './enter-runs.store.ts';
import { RUNS_CHANNEL } from './run.ts';
import { findNewcomers } from './runs.service.ts';
import { lockJourneysShared, type MovingJourney } from './runs.store.ts';

export type { RunEntry };

const BATCH = 1_000;

/**
 * Enters members into a journey or an automation, in the caller's transaction. A member does not enter if
 * they do not meet the entry condition, if the re-entry rule excludes them, or if they are in the journey
 * already. No member enters a journey that is not active. An entry key counts once.
 *
 * @returns the number of members who entered
 */
export async function enterRuns(
  tx: Context,
  wanted: { readonly journeyId: string; readonly entries: readonly RunEntry[] },
): Promise<number> {
  if (wanted.entries.length === 0) return 0;
  const [journey] = await lockJourneysShared(tx, [wanted.journeyId]);
  return journey ? enterJourney(tx, journey, wanted.entries) : 0;
}

/** As `enterRuns`, for a journey whose status is locked until the transaction ends. */
export async function enterJourney(
  tx: Context,
  { id, status, version }: MovingJourney,
  wanted: readonly RunEntry[],
): Promise<number> {
  if (status !== 'ACTIVE' || version === null) return 0;
  const { definition } = await versionOf(tx, id, version);
  let entered = 0;
  for (let first = 0; first < wanted.length; first += BATCH) {
    const entries = await meetingEntryCondition(tx, definition, wanted.slice(first, first + BATCH));
    entered += await insertRuns(tx, { id, version, reentry: definition.reentry }, entries);
  }
  if (entered > 0) tx.afterCommit(() => tx.services.live.publish(RUNS_CHANNEL, 'new'));
  return entered;
}

/** Returns the entries of members who meet the entry condition. */
async function meetingEntryCondition(
  tx: Context,
  { condition }: JourneyDefinition,
  entries: readonly RunEntry[],
): Promise<readonly RunEntry[]> {
  if (!condition) return entries;
  const resolved = await resolveCondition(tx, condition);
  const ids = [...new Set(entries.map(({ memberId }) => memberId))];
  const meeting = await membersMeeting(tx, resolved, ids);
  return entries.filter(({ memberId }) => meeting.has(memberId));
}

/** Batch size: members per transaction. */
const RANGE = 1_000;

/**
 * Enters the members of a journey's segment who were never in the journey: at the launch, and after a pause,
 * when members who entered the segment meanwhile enter late. Can be interrupted and repeated.
 *
 * @throws Error while the segment is being computed; retry later
 */
export async function enterSegment(ctx: Context, journeyId: string): Promise<void> {
  const journey = await findJourney(ctx, journeyId);
  if (journey?.status !== 'ACTIVE' || journey.version === null) return;
  const { entry } = (await versionOf(ctx, journeyId, journey.version)).definition;
  if (!('segmentId' in entry)) return;
  const segment = await findSegment(ctx, entry.segmentId);
  if (!segment) return;
  if (isComputing(segment)) throw new Error('The segment is being computed.');
  let afterId: string | null = null;
  do {
    ctx.request.signal.throwIfAborted();
    await refreshStatistics(ctx, ['engagement.journey_runs']);
    const ids: string[] = await memberIdsOf(ctx, [entry.segmentId], { afterId, limit: RANGE });
    await enterMembers(ctx, journeyId, ids);
    afterId = ids.length === RANGE ? ids.at(-1)! : null;
  } while (afterId);
}

async function enterMembers(ctx: Context, journeyId: string, memberIds: readonly string[]): Promise<void> {
  if (memberIds.length === 0) return;
  await ctx.transaction(async (tx) => {
    const fresh = await findNewcomers(tx, journeyId, memberIds);
    const entries = fresh.map((memberId) => ({ memberId, entryKey: 'launch', trigger: {} }));
    await enterRuns(tx, { journeyId, entries });
  });
}
