import type { Context } from '@loyalty/platform/context';
import { membersMeeting, resolveCondition } from '../../segments/conditions/conditions.service.ts';
import type { JourneyDefinition } from '../definition/journey-definition.ts';
import { versionOf } from '../journeys/journeys.service.ts';
import { insertRuns, type RunEntry } from './enter-runs.store.ts';
import { type MovingJourney, shareJourneys } from './journey-locks.store.ts';
import { RUNS_CHANNEL } from './run.ts';

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
