import { systemCaller, userOf } from '@loyalty/platform/base/caller';
import { AppError } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { standardTrainer } from '../pipelines/trainer.ts';
import { startVersion, uploadVersion } from '../versions/versions.service.ts';
import { nextRun } from './cadence.ts';
import { markSamplesTrained, runContent } from './schedule-samples.service.ts';
import { getSchedule, logOfSchedule, newSamplesOf } from './schedules.service.ts';
import { lockDue, type TrainingSchedule, writeRun } from './schedules.store.ts';

/**
 * Runs the schedule that has been due for longest, exactly once for each due time, also with several workers:
 * if there are enough new samples, a version of all samples is created and queued. It needs its own review
 * and publication, like any version.
 *
 * @returns false if none was due
 * @remarks Source: model API, section 3 "Training"; requirements M-SCH-05, M-TRN-26
 */
export const runDueSchedule = (ctx: Context, trainer = standardTrainer): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    const due = await lockDue(tx);
    if (!due) return false;
    const { workspaceId, mode, id } = due;
    const own = tx.as(systemCaller('training-schedule', { workspaceId, mode }));
    const schedule = await getSchedule(own, id);
    const versionId = await versionOf(own, schedule, trainer);
    await writeRun(own, { id, versionId, nextRunAt: nextRun(schedule.cadence, own.clock.now()) });
    return true;
  });

/** Creates the version of a run; null if there is none, with the reason in the log. */
async function versionOf(
  tx: Context,
  schedule: TrainingSchedule,
  trainer: typeof standardTrainer,
): Promise<string | null> {
  const { id, cadence } = schedule;
  const newSamples = await newSamplesOf(tx, id);
  if (newSamples < cadence.minNewSamples) {
    await logOfSchedule(
      tx,
      id,
      'waiting',
      `${newSamples} of ${cadence.minNewSamples} new samples are there.`,
    );
    return null;
  }
  try {
    return await tx.transaction((inner) => queueVersion(inner, schedule, trainer));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await logOfSchedule(tx, id, 'failed', error.message);
    return null;
  }
}

async function queueVersion(
  tx: Context,
  schedule: TrainingSchedule,
  trainer: typeof standardTrainer,
): Promise<string> {
  const { base, content, leftOut } = await runContent(tx, schedule);
  const { kind, subject, origin, horizon, ruleVersion, definition } = base;
  const name = `${base.name} ${tx.clock.now().toISOString().slice(0, 10)}`;
  // The person who created the schedule is responsible for its versions.
  const person = userOf(schedule.administrator);
  const own = person ? tx.as({ ...tx.caller, accountId: person.id }) : tx;
  const config = { kind, subject, origin, horizon, ruleVersion, definition };
  const upload = { ...config, name, confirmed: true, content, baseId: base.id };
  const { version } = await uploadVersion(own, upload, trainer);
  await startVersion(own, { id: version.id });
  await markSamplesTrained(tx, schedule.id, version.id);
  const without = leftOut > 0 ? `, without the ${leftOut} oldest` : '';
  await logOfSchedule(tx, schedule.id, 'queued', `${version.sampleCount} samples are trained${without}.`);
  return version.id;
}
