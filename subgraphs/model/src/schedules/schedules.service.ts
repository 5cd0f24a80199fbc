import { administratorOf } from '@loyalty/platform/base/caller';
import { conflict, notFound } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import { audit } from '@loyalty/platform/identity/audit';
import { isTraining } from '../versions/model-version.ts';
import { versionOrNull } from '../versions/versions.service.ts';
import { type Cadence, checkCadence, nextRun } from './cadence.ts';
import {
  deleteSchedule as deleteRow,
  findSchedule,
  insertLogEntry,
  insertSchedule,
  lockSchedule,
  newSamplesBySchedule,
  schedulesPage,
  type TrainingSchedule,
  writeSchedule,
} from './schedules.store.ts';

const LISTED = 30;
/** Statuses of a base: it must have a report that describes it. */
const EVALUATED = ['EVALUATED', 'APPROVED', 'REJECTED', 'PUBLISHED'];

/**
 * Creates a schedule for an evaluated version: each run trains on the samples of the base and the appended
 * ones.
 *
 * @throws AppError VALIDATION_FAILED (400), MODEL_VERSION_NOT_FOUND (404), VERSION_STATE (409) before the
 *   base was evaluated
 * @remarks Source: model API, section 2 "Incremental schedule"; requirements M-SCH-01 to -04
 */
export async function createSchedule(
  ctx: Context,
  input: { readonly baseId: string; readonly enabled: boolean; readonly cadence: Cadence },
): Promise<TrainingSchedule> {
  const { baseId, enabled: isEnabled } = input;
  const cadence = checkCadence('input.cadence', input.cadence);
  const base = await versionOrNull(ctx, { id: baseId, kind: 'TRAINING' });
  if (!base) throw notFound('model version', baseId);
  if (!EVALUATED.includes(base.status))
    throw conflict('VERSION_STATE', 'The base of a schedule must be evaluated first. Start it.');
  const id = newId(ctx.clock);
  const nextRunAt = isEnabled ? nextRun(cadence, ctx.clock.now()) : null;
  const administrator = administratorOf(ctx.caller);
  return ctx.transaction(async (tx) => {
    await insertSchedule(tx, { id, baseId, isEnabled, cadence, nextRunAt, administrator });
    await note(tx, id, 'createTrainingSchedule', 'created', `It continues “${base.name}”.`);
    return getSchedule(tx, id);
  });
}

/** Returns the schedule of this id, or null. */
export const scheduleOrNull = (ctx: Context, id: string): Promise<TrainingSchedule | null> =>
  findSchedule(ctx, id);

/** @throws AppError TRAINING_SCHEDULE_NOT_FOUND (404) */
export async function getSchedule(ctx: Context, id: string): Promise<TrainingSchedule> {
  const found = await findSchedule(ctx, id);
  if (!found) throw notFound('training schedule', id);
  return found;
}

/**
 * Returns schedules, newest first; 30 by default.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export const listSchedules = (ctx: Context, args: PageArgs): Promise<Page<TrainingSchedule>> =>
  schedulesPage(ctx, pageRequest(args, LISTED));

/**
 * Changes the cadence of a schedule, or enables or disables it; the next run is recomputed.
 *
 * @throws AppError VALIDATION_FAILED (400), TRAINING_SCHEDULE_NOT_FOUND (404)
 */
export async function updateSchedule(
  ctx: Context,
  id: string,
  input: { readonly enabled: boolean; readonly cadence: Cadence },
): Promise<TrainingSchedule> {
  const cadence = checkCadence('input.cadence', input.cadence);
  return changeSchedule(ctx, id, async (tx, schedule) => {
    await writeAsIs(tx, { ...schedule, cadence, isEnabled: input.enabled });
    await note(tx, id, 'updateTrainingSchedule', 'updated', 'Its cadence was written anew.');
  });
}

/** Pauses a schedule: no further run begins; started runs continue. Has no effect on a paused schedule. */
export const pauseSchedule = (ctx: Context, id: string): Promise<TrainingSchedule> =>
  setPaused(ctx, id, true);

/** Resumes a schedule from its next time on. Has no effect on a schedule that is not paused. */
export const resumeSchedule = (ctx: Context, id: string): Promise<TrainingSchedule> =>
  setPaused(ctx, id, false);

const setPaused = (ctx: Context, id: string, isPaused: boolean): Promise<TrainingSchedule> =>
  changeSchedule(ctx, id, async (tx, schedule) => {
    if (schedule.isPaused === isPaused) return;
    await writeAsIs(tx, { ...schedule, isPaused });
    const [action, type] = isPaused ? ['pause', 'paused'] : ['resume', 'resumed'];
    await note(tx, id, `${action}TrainingSchedule`, type!, isPaused ? 'No run begins.' : 'Runs begin again.');
  });

/**
 * Deletes a schedule with its samples and log, and returns the deleted schedule. Its versions stay.
 *
 * @throws AppError TRAINING_SCHEDULE_NOT_FOUND (404), SCHEDULE_RUNNING (409) while its last version is queued
 *   or running
 * @remarks Source: requirement M-SCH-07
 */
export async function deleteTrainingSchedule(ctx: Context, id: string): Promise<TrainingSchedule> {
  return ctx.transaction(async (tx) => {
    const schedule = await lockSchedule(tx, id);
    if (!schedule) throw notFound('training schedule', id);
    const last = schedule.lastVersionId && (await versionOrNull(tx, { id: schedule.lastVersionId }));
    if (last && isTraining(last))
      throw conflict(
        'SCHEDULE_RUNNING',
        'Its last version is being trained. Cancel that, or wait for its end.',
      );
    await deleteRow(tx, id);
    await audit(tx, { action: 'deleteTrainingSchedule', resourceType: 'TrainingSchedule', resourceId: id });
    return schedule;
  });
}

/** The effect of a run now. */
export interface ScheduleCheck {
  /** True if its time has come. */
  readonly due: boolean;
  readonly newSamples: number;
  readonly nextRunAt: Date | null;
  /** True if there are enough new samples. */
  readonly wouldQueue: boolean;
}

/** @throws AppError TRAINING_SCHEDULE_NOT_FOUND (404) */
export async function checkSchedule(ctx: Context, id: string): Promise<ScheduleCheck> {
  const { nextRunAt, cadence } = await getSchedule(ctx, id);
  const newSamples = await newSamplesOf(ctx, id);
  const due = nextRunAt !== null && nextRunAt <= ctx.clock.now();
  return { due, newSamples, nextRunAt, wouldQueue: newSamples >= cadence.minNewSamples };
}

/** Returns the number of samples of a schedule that no version was trained on. */
export const newSamplesOf = async (ctx: Context, id: string): Promise<number> =>
  (await ctx.load(newSamplesBySchedule, id)) ?? 0;

/**
 * Locks a schedule, changes it, and returns the changed schedule.
 *
 * @throws AppError TRAINING_SCHEDULE_NOT_FOUND (404)
 */
export const changeSchedule = (
  ctx: Context,
  id: string,
  change: (tx: Context, schedule: TrainingSchedule) => Promise<void>,
): Promise<TrainingSchedule> =>
  ctx.transaction(async (tx) => {
    const schedule = await lockSchedule(tx, id);
    if (!schedule) throw notFound('training schedule', id);
    await change(tx, schedule);
    tx.forget();
    return getSchedule(tx, id);
  });

async function writeAsIs(tx: Context, schedule: TrainingSchedule): Promise<void> {
  const runs = schedule.isEnabled && !schedule.isPaused;
  const nextRunAt = runs ? nextRun(schedule.cadence, tx.clock.now()) : null;
  await writeSchedule(tx, { ...schedule, nextRunAt });
}

/** Writes to the log of the schedule and to the audit. */
async function note(tx: Context, id: string, action: string, type: string, detail: string): Promise<void> {
  await insertLogEntry(tx, id, { type, detail });
  await audit(tx, { action, resourceType: 'TrainingSchedule', resourceId: id });
}

/** Writes to the log of the schedule, in the transaction of the change. */
export const logOfSchedule = (tx: Context, id: string, type: string, detail: string): Promise<void> =>
  insertLogEntry(tx, id, { type, detail });
