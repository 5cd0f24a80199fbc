import { AppError } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { publishEnd, publishProgress } from '@loyalty/platform/subscriptions/publish-progress';
import { isGivenUp, WORKER_LOST, WORKER_LOST_SENTENCE } from '@loyalty/platform/work/lost-workers';
import { ownHistoryAlignment } from '../alignment/own-history.service.ts';
import { checkLiveAlignment } from '../alignment/staleness.service.ts';
import type {
  AlignmentTarget,
  TrainedArtifact,
  TrainingOutcome,
  WorkOptions,
} from '../estimators/training-request.ts';
import type { Trainer } from '../pipelines/trainer.ts';
import { type ModelVersion, subjectOf, VERSION_NOUN } from '../versions/model-version.ts';
import { getArtifact, markReviewed, saveReport } from '../versions/reports.service.ts';
import { trainingConfig } from '../versions/upload.ts';
import { noteVersionEvent } from '../versions/version-events.service.ts';
import { samplesOf, setStatus, versionOrNull } from '../versions/versions.service.ts';
import {
  type ClaimedAttempt,
  claimAttempt,
  extendClaim,
  lockClaim,
  markEvaluated,
  markFailed,
} from './attempts.store.ts';

/** A worker renews its claim, and notices a cancellation, several times per heartbeat period. */
const RENEWAL_MS = 500;
const HEARTBEAT_SECONDS = 2.5;

/** A worker that missed two heartbeats is lost, and another one claims its attempt. */
const LEASE_SECONDS = 2 * HEARTBEAT_SECONDS;

const TOO_LITTLE_HISTORY =
  'A proposal needs two windows of the horizon that are over, each with 500 members and both labels, and ' +
  '28 days of purchases before them.';

export type { ClaimedAttempt };

/** Claims a queued attempt of any workspace, or one whose worker is lost. */
export const claim = (ctx: Context): Promise<ClaimedAttempt | null> => claimAttempt(ctx, LEASE_SECONDS);

/**
 * Runs an attempt to its end: evaluated, failed or cancelled. If the claim is lost, nothing is written; the
 * next worker finishes the attempt.
 *
 * @param ctx - a system caller, in the workspace of the attempt
 * @remarks Source: model API, section 3; requirements M-TRN-02, -15, -16
 */
export async function runAttempt(ctx: Context, claimed: ClaimedAttempt, trainer: Trainer): Promise<void> {
  const version = await versionOrNull(ctx, claimed);
  if (!version) return;
  publishProgress(ctx, VERSION_NOUN, version.id);
  if (isGivenUp(claimed))
    return fail(ctx, claimed, version, { code: WORKER_LOST, message: WORKER_LOST_SENTENCE });
  const isResumed = claimed.claims > 1;
  const message = `Attempt ${claimed.attempt} ${isResumed ? 'begins again: its worker was lost' : 'begins'}.`;
  await ctx.transaction((tx) => noteVersionEvent(tx, version, 'started', { message }));
  const outcome = await outcomeOf(ctx, claimed, version, trainer);
  if (outcome === null) return;
  if ('code' in outcome) return fail(ctx, claimed, version, outcome);
  await keep(ctx, claimed, version, outcome);
}

interface Failure {
  readonly code: string;
  readonly message: string;
}

/** Null if the claim was lost; a cancellation revokes the claim, too. */
async function outcomeOf(
  ctx: Context,
  claimed: ClaimedAttempt,
  version: ModelVersion,
  trainer: Trainer,
): Promise<TrainingOutcome | Failure | null> {
  const stopped = new AbortController();
  const heartbeat = startHeartbeat(ctx, claimed, stopped);
  try {
    const options = { signal: stopped.signal, onProgress: heartbeat.report };
    const outcome =
      version.source === 'OWN_HISTORY'
        ? await proposalOf(ctx, version, options)
        : await trainedOf(ctx, version, trainer, options);
    return stopped.signal.aborted ? null : outcome;
  } catch (error) {
    if (stopped.signal.aborted) return null;
    return failureOf(ctx, error);
  } finally {
    await heartbeat.stop();
  }
}

async function trainedOf(
  ctx: Context,
  version: ModelVersion,
  trainer: Trainer,
  options: WorkOptions,
): Promise<TrainingOutcome | Failure> {
  const content = await samplesOf(ctx, version.id);
  if (content === null)
    return { code: 'SAMPLES_ERASED', message: 'The samples went with a member who was erased.' };
  const request = {
    subject: subjectOf(version),
    config: trainingConfig(version),
    content,
    uploadedAt: version.createdAt.toISOString(),
    base: await baseOf(ctx, version),
  };
  return trainer.trainVersion(request, options);
}

/** First checks whether the alignment in use is still valid. */
async function proposalOf(
  ctx: Context,
  version: ModelVersion,
  options: WorkOptions,
): Promise<TrainingOutcome | Failure> {
  const target = subjectOf(version) as AlignmentTarget;
  await checkLiveAlignment(ctx, target, options);
  const outcome = await ownHistoryAlignment(ctx, target, version.horizon, options);
  return outcome ?? { code: 'TOO_LITTLE_HISTORY', message: TOO_LITTLE_HISTORY };
}

async function baseOf(ctx: Context, { baseId }: ModelVersion): Promise<TrainedArtifact | null> {
  const base = baseId ? await versionOrNull(ctx, { id: baseId }) : null;
  return base ? getArtifact(ctx, base) : null;
}

/** Returns errors that the workspace can resolve as they are; any other error is a failure on our side. */
function failureOf(ctx: Context, error: unknown): Failure {
  if (error instanceof AppError) return error;
  ctx.log.error({ err: error, requestId: ctx.request.requestId }, 'training failed');
  return { code: 'TRAINING_FAILED', message: 'Training failed on our side. Start the version again.' };
}

/** Extends the claim until it is stopped, and aborts the work when the claim is lost. */
function startHeartbeat(ctx: Context, claimed: ClaimedAttempt, stopped: AbortController) {
  let progress: { readonly step: string | null; readonly done: number } = { step: null, done: 0 };
  let isChanged = false;
  let latest: Promise<void> = Promise.resolve();
  const extend = async (): Promise<void> => {
    try {
      const hasChanged = isChanged;
      isChanged = false;
      if (!(await extendClaim(ctx, claimed, progress, LEASE_SECONDS))) stopped.abort();
      else if (hasChanged) publishProgress(ctx, VERSION_NOUN, claimed.id);
    } catch (error) {
      // The next heartbeat may succeed; without one the claim is lost, and nothing will be written.
      ctx.log.warn({ err: error, requestId: ctx.request.requestId }, 'heartbeat of training failed');
    }
  };
  const timer = setInterval(() => {
    latest = latest.then(extend);
  }, RENEWAL_MS);
  return {
    report: (now: { readonly step: string; readonly done: number }): void => {
      progress = { step: now.step, done: Math.min(Math.max(now.done, 0), 1) };
      isChanged = true;
    },
    stop: async (): Promise<void> => {
      clearInterval(timer);
      await latest;
    },
  };
}

const fail = (
  ctx: Context,
  claimed: ClaimedAttempt,
  version: ModelVersion,
  failure: Failure,
): Promise<void> =>
  ctx.transaction(async (tx) => {
    if (!(await markFailed(tx, claimed, failure))) return;
    await noteVersionEvent(tx, version, 'failed', { message: failure.message });
    publishEnd(tx, VERSION_NOUN, version.id);
  });

const keep = (
  ctx: Context,
  claimed: ClaimedAttempt,
  version: ModelVersion,
  outcome: TrainingOutcome,
): Promise<void> =>
  ctx.transaction(async (tx) => {
    const about = { ...version, attempt: claimed.attempt };
    const { fingerprint, sampleCount } = outcome;
    if (!(await lockClaim(tx, claimed))) return;
    const reportId = await saveReport(tx, about, outcome);
    await markEvaluated(tx, version.id, { reportId, fingerprint, sampleCount });
    if (version.source === 'OWN_HISTORY' && !outcome.passed) await withdraw(tx, version, reportId);
    publishEnd(tx, VERSION_NOUN, version.id);
  });

/** Rejects a proposal that did not pass every gate, so that nobody has to review it. */
async function withdraw(tx: Context, version: ModelVersion, reportId: string): Promise<void> {
  const note = 'Not every gate was passed: nothing is proposed.';
  await markReviewed(tx, reportId, { status: 'REJECTED', note });
  await setStatus(tx, version.id, 'REJECTED');
  await noteVersionEvent(tx, version, 'rejected', { message: note });
}
