import { type AppError, conflict } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/identity/audit';
import { standardTrainer } from '../pipelines/trainer.ts';
import { type ModelVersion, subjectOf } from '../versions/model-version.ts';
import {
  CONTENT_BYTES_MAX,
  checkFile,
  notConfirmed,
  refuseIssues,
  trainingConfig,
} from '../versions/upload.ts';
import { samplesOf, versionOrNull } from '../versions/versions.service.ts';
import { newestThatFit, readAppended, readBase, samplesCsv } from './sample-file.ts';
import { changeSchedule, logOfSchedule } from './schedules.service.ts';
import {
  findScheduleSamples,
  insertScheduleSamples,
  markTrained,
  type TrainingSchedule,
} from './schedules.store.ts';

/** The numbers of appended and skipped samples. */
export interface AppendedSamples {
  readonly schedule: TrainingSchedule;
  readonly inserted: number;
  /** Samples that were known already. */
  readonly skipped: number;
}

/**
 * Appends samples to a schedule; the next run trains on them, too. Identical known samples are skipped.
 *
 * @param input.content - CSV with the columns of the base, 1 byte to 2 MiB
 * @throws AppError CONFIRMATION_REQUIRED, VALIDATION_FAILED (400) with the issues,
 *   TRAINING_SCHEDULE_NOT_FOUND (404), SCHEDULE_WITHOUT_BASE (409), UPLOAD_TOO_LARGE (413)
 * @remarks Source: requirement M-SCH-04
 */
export async function appendSamples(
  ctx: Context,
  scheduleId: string,
  input: { readonly content: string; readonly confirmed?: boolean | null | undefined },
  trainer = standardTrainer,
): Promise<AppendedSamples> {
  if (!input.confirmed) throw notConfirmed();
  checkFile(input.content);
  let [inserted, skipped] = [0, 0];
  const schedule = await changeSchedule(ctx, scheduleId, async (tx, { id, baseId }) => {
    const { base, samples: before, header } = await samplesSoFar(tx, id, baseId);
    const known = new Map(before.map(({ sampleId, cells }) => [sampleId, cells]));
    const read = readAppended(input.content, header, known);
    refuseIssues(read.issues);
    const all = samplesCsv(header, [...before, ...read.samples]);
    const { issues } = trainer.checkSamples(subjectOf(base), trainingConfig(base), all, tx.clock.now());
    refuseIssues(
      issues.map((each) => ({ ...each, row: read.samples[each.row - 1 - before.length]?.row ?? 0 })),
    );
    [inserted, skipped] = [read.samples.length, read.skipped];
    if (inserted === 0) return;
    await insertScheduleSamples(tx, id, read.samples);
    await logOfSchedule(tx, id, 'appended', `${inserted} samples were appended, ${skipped} were known.`);
    const resource = { resourceType: 'TrainingSchedule', resourceId: id };
    await audit(tx, { action: 'appendTrainingSamples', ...resource, after: { inserted, skipped } });
  });
  return { schedule, inserted, skipped };
}

/** The samples of a run: those of the base and those of the schedule. */
export interface RunContent {
  readonly base: ModelVersion;
  /** CSV of at most 2 MiB. */
  readonly content: string;
  /** Number of the oldest samples, which are left out to stay below the limit. */
  readonly leftOut: number;
}

/** @throws AppError SCHEDULE_WITHOUT_BASE (409) */
export async function runContent(tx: Context, { id, baseId }: TrainingSchedule): Promise<RunContent> {
  const { base, samples, header } = await samplesSoFar(tx, id, baseId);
  const kept = newestThatFit(header, samples, CONTENT_BYTES_MAX);
  return { base, content: samplesCsv(header, kept), leftOut: samples.length - kept.length };
}

/** Records that a version is trained on all samples of a schedule: they are no longer new. */
export const markSamplesTrained = (tx: Context, scheduleId: string, versionId: string): Promise<void> =>
  markTrained(tx, scheduleId, versionId);

async function samplesSoFar(tx: Context, scheduleId: string, baseId: string) {
  const [base, content] = [await versionOrNull(tx, { id: baseId }), await samplesOf(tx, baseId)];
  if (!base || content === null) throw withoutBase();
  const { header, samples } = readBase(content);
  return { base, header, samples: [...samples, ...(await findScheduleSamples(tx, scheduleId))] };
}

const withoutBase = (): AppError =>
  conflict(
    'SCHEDULE_WITHOUT_BASE',
    'The base was deleted, or its samples were. Make a schedule of another one.',
  );
