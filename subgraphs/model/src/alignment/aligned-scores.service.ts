import { DAY_MS } from '@loyalty/platform/base/clock';
import { dayStartsIn } from '@loyalty/platform/base/zoned-days';
import type { Context } from '@loyalty/platform/context';
import { timeZoneOf } from '@loyalty/platform/database/time-zone';
import type { TrainedArtifact } from '../estimators/training-request.ts';
import { isPurchase } from '../facts/fact.ts';
import { readHistories } from '../facts/fact-history.service.ts';
import { type DayOf, dayIn } from '../facts/workspace-day.ts';
import { type AlignedScore, alignedScore, readAlignment } from '../pipelines/alignment-artifact.ts';
import { type BackboneEvent, EVENTS_MAX, eventSignals, SIGNALS } from '../pipelines/event-signals.ts';
import { HISTORY_SIGNALS, historySignals } from './history-signals.ts';

type FoundHistory = NonNullable<Awaited<ReturnType<typeof readHistories>>[number]>;

/**
 * Returns aligned scores of members from their own facts up to a moment, for each artifact in the order of
 * the ids; null if the alignment cannot use any facts of a member: its standard score stays. Facts are read
 * once for all artifacts.
 *
 * @param artifacts - of alignments from an upload or from own history
 * @throws AppError ARTIFACT_UNREADABLE (409), PEER_UNAVAILABLE (503)
 */
export async function alignedScores(
  ctx: Context,
  artifacts: readonly TrainedArtifact[],
  memberIds: readonly string[],
  cutoff: Date,
): Promise<(AlignedScore | null)[][]> {
  for (const artifact of artifacts) readAlignment(artifact);
  const timeZone = await timeZoneOf(ctx);
  const moment = { dayOf: dayIn(timeZone), startOf: dayStartsIn(timeZone), cutoff };
  const histories = await readHistories(ctx, memberIds, cutoff);
  return artifacts.map((artifact) =>
    histories.map((history) => {
      const signals = history && signalsOf(artifact, history, moment);
      return signals && alignedScore(artifact, signals);
    }),
  );
}

const signalsOf = (artifact: TrainedArtifact, history: FoundHistory, moment: ScoreMoment): Signals | null =>
  readAlignment(artifact).source === 'upload'
    ? uploadSignals(artifact, history, moment)
    : ownSignals(artifact, history, moment);

interface ScoreMoment {
  readonly dayOf: DayOf;
  readonly startOf: (utcMidnight: number) => number;
  readonly cutoff: Date;
}

type Signals = Readonly<Record<string, number>>;

/** Returns the same signals as for an uploaded sample: from the latest 512 purchases and views. */
function uploadSignals(
  artifact: TrainedArtifact,
  { orders, events }: FoundHistory,
  { dayOf, cutoff }: ScoreMoment,
): Signals | null {
  const { subject, horizon } = readAlignment(artifact);
  const all: BackboneEvent[] = [
    ...orders.filter(isPurchase).map(({ ms }) => ({ ms, type: 'buy' as const })),
    ...events.filter(({ type }) => type === 'view').map(({ ms }) => ({ ms, type: 'pv' as const })),
  ];
  if (all.length === 0) return null;
  const latest = all.sort((one, other) => one.ms - other.ms).slice(-EVENTS_MAX);
  const { rows } = eventSignals([{ events: latest, asOf: cutoff.getTime() }], subject, horizon, dayOf);
  return named(SIGNALS, rows.values);
}

/** Returns the signals at the moment; its day counts as the last known day. */
function ownSignals(
  artifact: TrainedArtifact,
  { orders, events }: FoundHistory,
  { dayOf, startOf, cutoff }: ScoreMoment,
): Signals | null {
  const { subject, horizon } = readAlignment(artifact);
  const day = dayOf(cutoff.getTime());
  const purchaseDays = [...new Set(orders.filter(isPurchase).map(({ ms }) => dayOf(ms)))];
  const history = { purchaseDays: purchaseDays.sort((one, other) => one - other), events };
  const ms = Math.min(cutoff.getTime(), startOf((day + 1) * DAY_MS));
  const [found] = historySignals([history], { day, ms, target: subject, horizon, hasLastYear: true });
  return found ? named(HISTORY_SIGNALS, found.values) : null;
}

const named = (names: readonly string[], values: ArrayLike<number>): Signals =>
  Object.fromEntries(names.map((name, place) => [name, values[place]!]));
