import { DAY_MS } from '@loyalty/platform/base/clock';
import { dayStartsIn } from '@loyalty/platform/base/zoned-days';
import type { Context } from '@loyalty/platform/context';
import { timeZoneOf } from '@loyalty/platform/database/time-zone';
import type { AlignmentTarget, TrainedArtifact, WorkOptions } from '../estimators/training-request.ts';
import { expectedCalibrationError, logLoss } from '../numerics/metrics.ts';
import { isReadableAlignment } from '../pipelines/alignment-artifact.ts';
import { ABOVE_STANDARD_MAX, calibrationBound } from '../pipelines/head-figures.ts';
import { hasStandardScore } from '../pipelines/head-samples.ts';
import { type LiveAlignment, liveAlignments } from '../versions/publication.service.ts';
import { noteVersionEvent } from '../versions/version-events.service.ts';
import { alignedScores } from './aligned-scores.service.ts';
import { type AlignmentCheck, checkByVersion, lockCheck, writeCheck } from './alignment-checks.store.ts';
import type { LabeledHistory, LabeledWindow } from './labeled-windows.ts';
import { labeledWindows } from './own-history.service.ts';

const BLOCK = 1_000;

/** Returns the last check of a published alignment; null if there was none. */
export const checkOf = (ctx: Context, versionId: string): Promise<AlignmentCheck | null> =>
  ctx.load(checkByVersion, versionId);

/**
 * Checks the live alignment of a target in the newest closed window of its horizon. It is stale if its
 * calibration error is above the bound of its own gate, or if its log-loss is above that of the standard
 * model by more than its gate allows. If none is published, or the window has too few members, nothing is
 * written.
 *
 * @throws AppError PEER_UNAVAILABLE (503); the signal's reason
 */
export async function checkLiveAlignment(
  ctx: Context,
  target: AlignmentTarget,
  options: WorkOptions,
): Promise<AlignmentCheck | null> {
  const live = (await liveAlignments(ctx)).find((each) => each.target.toLowerCase() === target);
  if (!live?.artifact || !isReadableAlignment(live.artifact)) return null;
  const about = { target, horizon: live.horizon, windowsMin: 1, windowsMax: 1 };
  const history = await labeledWindows(ctx, about, options);
  const [window] = history?.windows ?? [];
  if (!history || !window) return null;
  const chances = await chancesIn(ctx, live.artifact, history, window, options);
  const check = checkBy(ctx, live, target, window, chances);
  return ctx.transaction((tx) => keep(tx, live, check));
}

/** Aligned chances of the window's members; the standard chance for members without an aligned one. */
async function chancesIn(
  ctx: Context,
  artifact: TrainedArtifact,
  { memberIds }: LabeledHistory,
  { cutoffDay, members, standard }: LabeledWindow,
  { signal, onProgress }: WorkOptions,
): Promise<Float64Array> {
  const startOf = dayStartsIn(await timeZoneOf(ctx));
  const cutoff = new Date(startOf((cutoffDay + 1) * DAY_MS) - 1);
  const chances = Float64Array.from(standard);
  for (let from = 0; from < members.length; from += BLOCK) {
    signal.throwIfAborted();
    onProgress({ step: 'Checking the alignment in use', done: 0 });
    const ids = Array.from(members.subarray(from, from + BLOCK), (member) => memberIds[member]!);
    const [scores] = await alignedScores(ctx, [artifact], ids, cutoff);
    scores!.forEach((each, place) => {
      if (each?.score != null) chances[from + place] = each.score;
    });
  }
  return chances;
}

function checkBy(
  ctx: Context,
  { id: versionId }: LiveAlignment,
  target: AlignmentTarget,
  { cutoffDay, labelEndDay, labels, standard }: LabeledWindow,
  chances: Float64Array,
): Omit<AlignmentCheck, 'staleSince'> {
  const bound = calibrationBound(labels.length);
  const figures = {
    calibrationError: expectedCalibrationError(chances, labels),
    logLoss: logLoss(chances, labels),
    standardLogLoss: logLoss(standard, labels),
  };
  const isWorse = hasStandardScore(target) && figures.logLoss > figures.standardLogLoss + ABOVE_STANDARD_MAX;
  return {
    versionId,
    checkedAt: ctx.clock.now(),
    cutoffDate: dateOf(cutoffDay),
    labelEndDate: dateOf(labelEndDay),
    members: labels.length,
    ...figures,
    calibrationBound: bound,
    isStale: figures.calibrationError > bound || isWorse,
  };
}

const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Saves a check; when the version becomes stale, records it in its history. */
async function keep(
  tx: Context,
  version: LiveAlignment,
  check: Omit<AlignmentCheck, 'staleSince'>,
): Promise<AlignmentCheck> {
  const before = await lockCheck(tx, version.id);
  const staleSince = check.isStale ? (before?.staleSince ?? check.checkedAt) : null;
  const kept = { ...check, staleSince };
  await writeCheck(tx, kept);
  if (check.isStale && !before?.isStale)
    await noteVersionEvent(tx, { id: version.id, kind: 'ALIGNMENT' }, 'stale', {
      message: `Its scores no longer fit what members did up to ${check.labelEndDate}.`,
    });
  return kept;
}
