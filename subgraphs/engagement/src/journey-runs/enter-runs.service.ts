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
import { type MovingJourney, shareJourneys } from './runs.store.ts';

export type { RunEntry };

const BATCH = 1_000;

/**
 * Lets members enter a journey or an automation, in the caller's transaction. Members who do not meet the
 * condition of the entry, whom the re-entry rule keeps out, or who are in the journey already do not enter,
 * nor does anybody unless the journey is active. An entry key counts once.
 *
 * @returns how many entered
 */
export async function enterRuns(
  tx: Context,
  wanted: { readonly journeyId: string; readonly entries: readonly RunEntry[] },
): Promise<number> {
  if (wanted.entries.length === 0) return 0;
  const [journey] = await shareJourneys(tx, [wanted.journeyId]);
  return journey ? enterJourney(tx, journey, wanted.entries) : 0;
}

/** As `enterRuns`, for a journey that stays in its status until the transaction ends. */
export async function enterJourney(
  tx: Context,
  { id, status, version }: MovingJourney,
  wanted: readonly RunEntry[],
): Promise<number> {
  if (status !== 'ACTIVE' || version === null) return 0;
  const { definition } = await versionOf(tx, id, version);
  let entered = 0;
  for (let first = 0; first < wanted.length; first += BATCH) {
    const entries = await admitted(tx, definition, wanted.slice(first, first + BATCH));
    entered += await insertRuns(tx, { id, version, reentry: definition.reentry }, entries);
  }
  if (entered > 0) tx.afterCommit(() => tx.services.live.publish(RUNS_CHANNEL, 'new'));
  return entered;
}

/** The entries of those who meet the condition of the entry. */
async function admitted(
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

/** Members of one transaction. */
const RANGE = 1_000;

/**
 * Lets the members of its segment into a journey who were never in it: at the launch, and after a pause, when
 * those who came into the segment meanwhile enter late. It may be interrupted and repeated.
 *
 * @throws Error while the segment is being computed: then it must be tried again
 */
export async function letSegmentIn(ctx: Context, journeyId: string): Promise<void> {
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
    await letIn(ctx, journeyId, ids);
    afterId = ids.length === RANGE ? ids.at(-1)! : null;
  } while (afterId);
}

async function letIn(ctx: Context, journeyId: string, memberIds: readonly string[]): Promise<void> {
  if (memberIds.length === 0) return;
  await ctx.transaction(async (tx) => {
    const fresh = await findNewcomers(tx, journeyId, memberIds);
    const entries = fresh.map((memberId) => ({ memberId, entryKey: 'launch', trigger: {} }));
    await enterRuns(tx, { journeyId, entries });
  });
}
