import type { Context } from '@loyalty/platform/context';
import { refreshStatistics } from '@loyalty/platform/operations/analyze-tables';
import { memberIdsOf } from '../../segments/memberships/memberships.service.ts';
import { findSegment, isComputing } from '../../segments/segments/segments.service.ts';
import { findJourney, versionOf } from '../journeys/journeys.service.ts';
import { enterRuns } from '../runs/enter-runs.service.ts';
import { findNewcomers } from '../runs/runs.service.ts';

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
    ctx.signal.throwIfAborted();
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
