import { beforeAll, expect, test } from '@jest/globals';
import { givenEvaluated, givenVersion } from '@loyalty/model-subgraph/training/versions.fixture';
import type { Context } from '@loyalty/platform/context';
import { useStack } from '../../harness/stack.ts';
import { expectModelError, shapes } from '../shapes.ts';
import { systemContext } from './bulk-jobs.fixture.ts';
import { modelTenant } from './model.fixture.ts';
import { versionsClient } from './training.fixture.ts';

const stack = useStack();
const unknownId = '0197a3c2-5f1a-7d02-8c44-9be1c07d6a21';

const HEADER = 'sample_id,entity_id,as_of,label_end,target,f_x';
/** A CSV of `count` samples. */
const samples = (from: number, count: number): string =>
  [
    HEADER,
    ...Array.from({ length: count }, (_, place) => {
      const number = from + place;
      return `s${number},m${number},2025-01-01,2025-01-31,${number % 2},${(number % 17) / 17}`;
    }),
  ].join('\n');

const cadence = {
  frequency: 'monthly',
  time: '02:30',
  timezone: 'Europe/Lisbon',
  weekday: 1,
  monthDay: 31,
  minNewSamples: 2,
};

let ctx: Context;
let client: ReturnType<typeof versionsClient>;
let baseId: string;
beforeAll(async () => {
  const { workspaceId, key } = await modelTenant(stack);
  ctx = systemContext(stack, workspaceId);
  client = versionsClient(stack, key);
  baseId = (await givenEvaluated(ctx, { content: samples(0, 300) })).id;
});

const create = (more: object = {}) =>
  client.post({ action: 'schedule_create', baseId, enabled: true, cadence, ...more });

test('a schedule is made, fed, checked, paused, resumed, changed and deleted', async () => {
  const { status, body } = await create();
  const { id } = body;
  const schedule = {
    id: shapes.uuid,
    base_id: baseId,
    task: 'return',
    enabled: true,
    paused: false,
    cadence,
    next_run_at: shapes.instant,
    new_samples: 0,
    last_run_at: null,
    last_version_id: null,
    log: [{ at: shapes.instant, event: 'created', detail: expect.any(String) }],
  };
  expect([status, body]).toEqual([200, schedule]);
  expect((await client.list()).schedules).toEqual([schedule]);
  const appended = await client.act('schedule_append', id, { content: samples(299, 3), confirmed: true });
  expect(appended.body).toEqual({ id, inserted: 2, skipped: 1, new_samples: 2 });
  expect((await client.act('schedule_check', id)).body).toEqual({
    due: false,
    newSamples: 2,
    nextRunAt: body.next_run_at,
    wouldQueue: true,
  });
  expect((await client.act('schedule_pause', id)).body).toMatchObject({ paused: true, next_run_at: null });
  expect((await client.act('schedule_resume', id)).body).toMatchObject({
    paused: false,
    next_run_at: body.next_run_at,
  });
  const weekly = { ...cadence, frequency: 'weekly' };
  expect((await client.act('schedule_update', id, { enabled: false, cadence: weekly })).body).toMatchObject({
    enabled: false,
    cadence: weekly,
    next_run_at: null,
  });
  expect((await client.act('schedule_delete', id)).body).toEqual({ id });
  expect((await client.list()).schedules).toEqual([]);
});

test('what is malformed is refused, and nothing is made', async () => {
  for (const [more, field] of [
    [{ cadence: { ...cadence, time: '25:00' } }, 'time'],
    [{ cadence: { ...cadence, timezone: 'Lisbon' } }, 'timezone'],
    [{ cadence: { ...cadence, weekday: 8 } }, 'weekday'],
    [{ cadence: { ...cadence, monthDay: 0 } }, 'monthDay'],
    [{ cadence: { ...cadence, minNewSamples: 0 } }, 'minNewSamples'],
    [{ cadence: { ...cadence, frequency: 'hourly' } }, 'frequency'],
    [{ cadence: { frequency: 'daily', time: '02:30', timezone: 'UTC' } }, 'weekday'],
    [{ enabled: 'often' }, 'enabled'],
  ] as const) {
    expectModelError(await create(more), 400, 'VALIDATION_FAILED', field);
  }
  expectModelError(await create({ baseId: unknownId }), 404, 'MODEL_VERSION_NOT_FOUND');
  const { id } = await givenVersion(ctx, { content: samples(0, 301) });
  expectModelError(await create({ baseId: id }), 409, 'VERSION_STATE');
  expect((await client.list()).schedules).toEqual([]);
});

test('samples with faults are refused with their issues', async () => {
  const { id } = (await create()).body;
  const append = (content: string, confirmed = true) =>
    client.act('schedule_append', id, { content, confirmed });
  expectModelError(await append(samples(400, 2), false), 400, 'CONFIRMATION_REQUIRED');
  for (const [content, issue] of [
    [`${HEADER}\ns900,m900,2025-01-01,2025-03-31,1,0.5`, { row: 1, column: 'label_end' }],
    [`${HEADER}\ns900,m900,2025-01-01,2025-01-31,7,0.5`, { row: 1, column: 'target' }],
    [`${HEADER}\ns1,m1,2025-01-01,2025-01-31,1,0.99`, { row: 1, column: 'sample_id' }],
    [`${HEADER},f_y\ns900,m900,2025-01-01,2025-01-31,1,0.5,1`, { row: 0, column: 'f_y' }],
  ] as const)
    expect(await append(content)).toMatchObject({ status: 400, body: { issues: [issue] } });
  expectModelError(await append(`${HEADER}\n${'x'.repeat(2 * 1024 * 1024)}`), 413, 'UPLOAD_TOO_LARGE');
  expect((await client.act('schedule_check', id)).body.newSamples).toBe(0);
  for (const action of ['pause', 'resume', 'delete', 'check'])
    expectModelError(await client.act(`schedule_${action}`, unknownId), 404, 'TRAINING_SCHEDULE_NOT_FOUND');
});
