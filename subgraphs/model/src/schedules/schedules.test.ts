import { beforeEach, describe, expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import { addMs, DAY_MS, HOUR_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { forgetMember, memberData } from '../member-data.service.ts';
import { meanTrainer } from '../pipelines/trainer.fixture.ts';
import { givenEvaluated, givenVersion, work } from '../training/versions.fixture.ts';
import type { ModelVersion } from '../versions/model-version.ts';
import {
  cancelVersion,
  deleteVersion,
  getVersion,
  listVersions,
  samplesOf,
} from '../versions/versions.service.ts';
import type { Cadence } from './cadence.ts';
import { runDueSchedule } from './schedule-runs.service.ts';
import { appendSamples } from './schedule-samples.service.ts';
import {
  checkSchedule,
  createSchedule,
  deleteTrainingSchedule,
  getSchedule,
  listSchedules,
  pauseSchedule,
  resumeSchedule,
  updateSchedule,
} from './schedules.service.ts';
import { logBySchedule, type TrainingSchedule } from './schedules.store.ts';

const { services, ctx, fresh, newContext } = useServices();

const cadence: Cadence = {
  frequency: 'DAILY',
  time: '02:30',
  timezone: 'UTC',
  weekday: 1,
  monthDay: 1,
  minNewSamples: 3,
};
const trainer = meanTrainer();

let base: ModelVersion;
let schedule: TrainingSchedule;
beforeEach(async () => {
  base = await givenEvaluated(ctx);
  schedule = await createSchedule(fresh(), { baseId: base.id, enabled: true, cadence });
});

const sample = (id: string, value = 0.5): string => `${id},m-${id},2025-02-01,2025-03-03,1,${value}`;
const HEADER = 'sample_id,entity_id,as_of,label_end,target,f_x';
const append = (lines: readonly string[], header = HEADER, on: Context = fresh()) =>
  appendSamples(on, schedule.id, { content: [header, ...lines].join('\n'), confirmed: true }, trainer);
/** Does what a worker does until no schedule of any workspace is due. */
async function run(): Promise<void> {
  while (await runDueSchedule(contextOf(services, systemCaller('test')), trainer));
}
const log = async () =>
  ((await fresh().load(logBySchedule, schedule.id)) ?? []).map(({ type, detail }) => [type, detail]);
const tomorrow = () => services.clock.advance(DAY_MS);

describe('a run that is due', () => {
  test('makes a version of all samples, once, however many workers look', async () => {
    await append([sample('a'), sample('b'), sample('c')]);
    tomorrow();
    await Promise.all([run(), run(), run()]);
    expect((await listVersions(fresh(), 'TRAINING', {})).rows).toHaveLength(2);
    const { lastVersionId, lastRunAt, nextRunAt } = await getSchedule(fresh(), schedule.id);
    expect(lastRunAt).toEqual(services.clock.now());
    expect(nextRunAt!.getTime()).toBeGreaterThan(services.clock.now().getTime());
    expect(await getVersion(fresh(), { id: lastVersionId! })).toMatchObject({
      status: 'QUEUED',
      subject: 'RETURN',
      origin: 'LIVE',
      baseId: base.id,
      sampleCount: 13,
      actor: 'system:training-schedule',
      administrator: schedule.administrator,
    });
    await work(ctx);
    expect((await getVersion(fresh(), { id: lastVersionId! })).status).toBe('EVALUATED');
    expect(await log()).toEqual([
      ['queued', '13 samples are trained.'],
      ['appended', '3 samples were appended, 0 were known.'],
      ['created', 'It continues “Returns”.'],
    ]);
    expect(await checkSchedule(fresh(), schedule.id)).toMatchObject({ newSamples: 0, wouldQueue: false });
  });

  test('begins in the instant in which it is due, and no earlier', async () => {
    const dueAt = schedule.nextRunAt!;
    const ranAt = async (at: Date) => {
      services.clock.set(at);
      await run();
      return (await getSchedule(fresh(), schedule.id)).lastRunAt;
    };
    expect(await ranAt(addMs(dueAt, -1))).toBeNull();
    expect(await ranAt(dueAt)).toEqual(dueAt);
  });

  test('waits while too few samples are new; what it was trained on counts no more', async () => {
    await append([sample('a'), sample('b')]);
    tomorrow();
    await run();
    expect((await getSchedule(fresh(), schedule.id)).lastVersionId).toBeNull();
    expect((await log())[0]).toEqual(['waiting', '2 of 3 new samples are there.']);
    await append([sample('c')]);
    tomorrow();
    await run();
    const first = (await getSchedule(fresh(), schedule.id)).lastVersionId;
    await append([sample('d')]);
    tomorrow();
    await run();
    expect((await getSchedule(fresh(), schedule.id)).lastVersionId).toBe(first);
    expect((await log())[0]).toEqual(['waiting', '1 of 3 new samples are there.']);
  });

  test('says why it made none where the base is gone', async () => {
    await append([sample('a'), sample('b'), sample('c')]);
    await deleteVersion(fresh(), { id: base.id });
    tomorrow();
    await run();
    expect((await log())[0]).toEqual(['failed', expect.stringContaining('The base was deleted')]);
    expect((await getSchedule(fresh(), schedule.id)).nextRunAt!.getTime()).toBeGreaterThan(
      services.clock.now().getTime(),
    );
  });

  test('is none while the schedule is paused or off; a pause cancels no job', async () => {
    await append([sample('a'), sample('b'), sample('c')]);
    tomorrow();
    await run();
    const { lastVersionId } = await pauseSchedule(fresh(), schedule.id);
    expect((await getVersion(fresh(), { id: lastVersionId! })).status).toBe('QUEUED');
    tomorrow();
    await run();
    expect((await getSchedule(fresh(), schedule.id)).lastVersionId).toBe(lastVersionId);
    const resumed = await resumeSchedule(fresh(), schedule.id);
    expect(resumed.nextRunAt!.getTime()).toBeGreaterThan(services.clock.now().getTime());
    expect((await updateSchedule(fresh(), schedule.id, { enabled: false, cadence })).nextRunAt).toBeNull();
    await cancelVersion(fresh(), { id: lastVersionId! });
  });
});

describe('samples', () => {
  test('are taken in any order of columns, and skipped where they are known', async () => {
    expect(await append([sample('a'), 's1,member-1,2025-01-01,2025-01-31,1,0.1'])).toMatchObject({
      inserted: 1,
      skipped: 1,
    });
    const other = 'f_x,target,label_end,as_of,entity_id,sample_id';
    const again = await append(
      ['0.5,1,2025-03-03,2025-02-01,m-a,a', '0.7,0,2025-03-03,2025-02-01,m-b,b'],
      other,
    );
    expect(again).toMatchObject({ inserted: 1, skipped: 1 });
    expect(await checkSchedule(fresh(), schedule.id)).toEqual({
      due: false,
      newSamples: 2,
      nextRunAt: schedule.nextRunAt,
      wouldQueue: false,
    });
  });

  test.each([
    [['a,m-a,2025-02-01,2025-03-03,7,1'], HEADER, { row: 1, column: 'target' }],
    [[sample('b'), 'a,m-a,2025-02-01,2025-03-03,7,1'], HEADER, { row: 2, column: 'target' }],
    [[sample('s1', 0.9)], HEADER, { row: 1, column: 'sample_id', message: 'is known with other values' }],
    [[sample('a')], HEADER.replace('f_x', 'f_y'), { row: 0, column: 'f_x' }],
  ])('%j are refused with their issue, and nothing is kept', async (lines, header, issue) => {
    await expect(append(lines, header)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { issues: expect.arrayContaining([expect.objectContaining(issue)]) },
    });
    expect((await checkSchedule(fresh(), schedule.id)).newSamples).toBe(0);
  });

  test('are appended only when that is confirmed', async () => {
    await expect(
      appendSamples(fresh(), schedule.id, { content: `${HEADER}\n${sample('a')}` }, trainer),
    ).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' });
  });
});

test('samples that were appended are exported with a member who is in them, and go with the member', async () => {
  const memberId = newId(services.clock);
  await append([sample('a').replace('m-a', memberId), sample('b')]);
  const { samples } = await memberData(fresh(), memberId);
  expect(samples).toEqual([
    { scheduleId: schedule.id, cells: ['a', memberId, '2025-02-01', '2025-03-03', '1', '0.5'] },
  ]);
  await forgetMember(fresh(), memberId);
  expect((await memberData(fresh(), memberId))['samples']).toEqual([]);
  expect((await checkSchedule(fresh(), schedule.id)).newSamples).toBe(1);
});

test('a base must be evaluated, and belong to the workspace', async () => {
  const { id: baseId } = await givenVersion(ctx, { name: 'Other', horizon: 31 });
  const create = (on: Context, id: string) => createSchedule(on, { baseId: id, enabled: true, cadence });
  await expect(create(fresh(), baseId)).rejects.toMatchObject({ code: 'VERSION_STATE' });
  await expect(create(newContext(), base.id)).rejects.toMatchObject({ code: 'MODEL_VERSION_NOT_FOUND' });
  const alignment = await givenEvaluated(ctx, { kind: 'ALIGNMENT', subject: 'PURCHASE', name: 'Head' });
  await expect(create(fresh(), alignment.id)).rejects.toMatchObject({ code: 'MODEL_VERSION_NOT_FOUND' });
});

test('another workspace finds none', async () => {
  const other = newContext();
  expect((await listSchedules(other, {})).rows).toEqual([]);
  for (const attempt of [
    () => pauseSchedule(other, schedule.id),
    () => resumeSchedule(other, schedule.id),
    () => deleteTrainingSchedule(other, schedule.id),
    () => checkSchedule(other, schedule.id),
    () => updateSchedule(other, schedule.id, { enabled: true, cadence }),
    () => append([sample('a')], HEADER, other),
  ])
    await expect(attempt()).rejects.toMatchObject({ code: 'TRAINING_SCHEDULE_NOT_FOUND' });
});

test('it is deleted with its samples, though not while its version is trained', async () => {
  await append([sample('a'), sample('b'), sample('c')]);
  tomorrow();
  await run();
  await expect(deleteTrainingSchedule(fresh(), schedule.id)).rejects.toMatchObject({
    code: 'SCHEDULE_RUNNING',
  });
  await work(ctx);
  await deleteTrainingSchedule(fresh(), schedule.id);
  await expect(getSchedule(fresh(), schedule.id)).rejects.toMatchObject({
    code: 'TRAINING_SCHEDULE_NOT_FOUND',
  });
  expect(await samplesOf(fresh(), base.id)).not.toBeNull();
  services.clock.advance(HOUR_MS);
});
