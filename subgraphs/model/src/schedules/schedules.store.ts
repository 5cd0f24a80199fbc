import type { Scope } from '@loyalty/platform/base/caller';
import { newId } from '@loyalty/platform/base/ids';
import type { Context, Loader } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/database/array-parameters';
import { loader } from '@loyalty/platform/database/loaders';
import { type Page, type PageRequest, pageOf } from '@loyalty/platform/database/pages';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { columns } from '@loyalty/prisma/columns';
import type { Cadence } from './cadence.ts';
import type { AppendedSample } from './sample-file.ts';

/** Trains a new version of a base repeatedly, whenever there are enough new samples. */
export interface TrainingSchedule {
  readonly id: string;
  readonly baseId: string;
  readonly isEnabled: boolean;
  readonly isPaused: boolean;
  readonly cadence: Cadence;
  /** Null while it is disabled or paused. */
  readonly nextRunAt: Date | null;
  /** Due time of the last run. */
  readonly lastRunAt: Date | null;
  /** The version of the last run. */
  readonly lastVersionId: string | null;
  /** The person responsible for it: `user:<id>`, or its creator. */
  readonly administrator: string;
  readonly createdAt: Date;
}

/** An event of a schedule. */
export interface ScheduleLogEntry {
  readonly id: string;
  readonly scheduleId: string;
  readonly type: string;
  readonly detail: string;
  readonly createdAt: Date;
}

const select = {
  ...columns('id', 'baseId', 'isEnabled', 'isPaused', 'nextRunAt', 'lastRunAt', 'lastVersionId'),
  ...columns('frequency', 'time', 'timeZone', 'weekday', 'monthDay', 'minNewSamples'),
  ...columns('administrator', 'createdAt'),
};

type Row = Omit<TrainingSchedule, 'cadence'> & ReturnType<typeof columnsOf>;

const scheduleOf = (row: Row): TrainingSchedule => {
  const { frequency, time, timeZone: timezone, weekday, monthDay, minNewSamples, ...schedule } = row;
  return { ...schedule, cadence: { frequency, time, timezone, weekday, monthDay, minNewSamples } };
};

const columnsOf = ({ timezone: timeZone, ...cadence }: Cadence) => ({ ...cadence, timeZone });

export async function findSchedule(ctx: Context, id: string): Promise<TrainingSchedule | null> {
  const row = await ctx.prisma.trainingSchedule.findFirst({ where: { id }, select });
  return row && scheduleOf(row);
}

/** Returns the schedule and locks it until the transaction ends. */
export async function lockSchedule(tx: Context, id: string): Promise<TrainingSchedule | null> {
  const row = await tx.prisma.trainingSchedule.findFirstForUpdate({ where: { id }, select });
  return row && scheduleOf(row);
}

/** Returns schedules, newest first. */
export async function schedulesPage(ctx: Context, request: PageRequest): Promise<Page<TrainingSchedule>> {
  const found = await pageOf(ctx.prisma.trainingSchedule, request, { where: {}, select });
  return { ...found, rows: found.rows.map(scheduleOf) };
}

export async function insertSchedule(
  tx: Context,
  schedule: Pick<TrainingSchedule, 'id' | 'baseId' | 'isEnabled' | 'cadence' | 'nextRunAt' | 'administrator'>,
): Promise<void> {
  const { cadence, ...rest } = schedule;
  const data = [{ ...rest, ...columnsOf(cadence), createdAt: tx.clock.now() }];
  await tx.prisma.trainingSchedule.createMany({ data });
}

/** Writes the fields of a locked schedule. */
export async function writeSchedule(
  tx: Context,
  schedule: Pick<TrainingSchedule, 'id' | 'isEnabled' | 'isPaused' | 'cadence' | 'nextRunAt'>,
): Promise<void> {
  const { id, isEnabled, isPaused, cadence, nextRunAt } = schedule;
  const data = { isEnabled, isPaused, nextRunAt, ...columnsOf(cadence) };
  await tx.prisma.trainingSchedule.updateMany({ where: { id }, data });
}

/** Deletes a schedule with its samples and log. */
export async function deleteSchedule(tx: Context, id: string): Promise<void> {
  await tx.prisma.trainingSchedule.deleteMany({ where: { id } });
}

export async function insertLogEntry(
  tx: Context,
  scheduleId: string,
  { type, detail }: Pick<ScheduleLogEntry, 'type' | 'detail'>,
): Promise<void> {
  const made = { id: newId(tx.clock), createdAt: tx.clock.now() };
  await tx.prisma.scheduleEvent.createMany({ data: [{ scheduleId, type, detail, ...made }] });
}

const LOGGED = 20;

/** Loads the latest log entries of each schedule, newest first. */
export const logBySchedule: Loader<string, ScheduleLogEntry[]> = loader(async (ctx, ids) => {
  const rows = await ctx.sql.query<ScheduleLogEntry>(
    `SELECT e.id, e.schedule_id, e.type, e.detail, e.created_at
       FROM unnest($3::uuid[]) AS wanted(id)
      CROSS JOIN LATERAL (
            SELECT * FROM model.schedule_events AS own
             WHERE ${inScope('own')} AND own.schedule_id = wanted.id
             ORDER BY own.id DESC LIMIT ${LOGGED}) AS e
      ORDER BY e.id DESC`,
    [...scopeOf(ctx), ids],
  );
  return Map.groupBy(rows, ({ scheduleId }) => scheduleId);
});

/** Loads the number of samples of each schedule that no version was trained on. */
export const newSamplesBySchedule: Loader<string, number> = loader(async (ctx, ids) => {
  const rows = await ctx.sql.query<{ id: string; count: number }>(
    `SELECT schedule_id AS id, count(*)::int AS count FROM model.schedule_samples
      WHERE ${inScope()} AND schedule_id = ANY($3::uuid[]) AND version_id IS NULL GROUP BY schedule_id`,
    [...scopeOf(ctx), ids],
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
});

/** A schedule of any workspace. */
export type DueSchedule = Scope & { readonly id: string };

/**
 * Locks and returns the schedule that has been due for longest; null if there is none. Concurrent callers get
 * other schedules.
 */
export async function lockDue(tx: Context): Promise<DueSchedule | null> {
  const [row] = await tx.sql.query<DueSchedule>(
    `/* every workspace */ SELECT workspace_id, mode, id FROM model.training_schedules
      WHERE next_run_at <= $1 ORDER BY next_run_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
    [tx.clock.now()],
  );
  return row ?? null;
}

/** Records a run: its due time, its version, and the time of the next one. */
export async function writeRun(
  tx: Context,
  { id, versionId, nextRunAt }: { id: string; versionId: string | null; nextRunAt: Date },
): Promise<void> {
  await tx.prisma.trainingSchedule.updateMany({
    where: { id },
    data: { lastRunAt: tx.clock.now(), ...(versionId && { lastVersionId: versionId }), nextRunAt },
  });
}

/** Returns the samples of a schedule in the order of their arrival. */
export const findScheduleSamples = (ctx: Context, scheduleId: string): Promise<AppendedSample[]> =>
  ctx.sql.query<AppendedSample>(
    `SELECT sample_id, as_of, cells FROM model.schedule_samples
      WHERE ${inScope()} AND schedule_id = $3 ORDER BY created_at, as_of, sample_id`,
    [...scopeOf(ctx), scheduleId],
  );

export async function insertScheduleSamples(
  tx: Context,
  scheduleId: string,
  samples: readonly AppendedSample[],
): Promise<void> {
  await tx.sql.query(
    `INSERT INTO model.schedule_samples (workspace_id, mode, schedule_id, sample_id, as_of, cells, created_at)
     SELECT $1, $2::platform."Mode", $3, s.sample_id, s.as_of, s.cells, $7
       FROM unnest($4::text[], $5::timestamptz[], $6::jsonb[]) AS s(sample_id, as_of, cells)`,
    [
      ...scopeOf(tx),
      scheduleId,
      ...arraysOf(samples, 'sampleId', 'asOf'),
      samples.map(({ cells }) => JSON.stringify(cells)),
      tx.clock.now(),
    ],
  );
}

/** Records that a version is trained on all samples of a schedule. */
export async function markTrained(tx: Context, scheduleId: string, versionId: string): Promise<void> {
  await tx.prisma.scheduleSample.updateMany({ where: { scheduleId, versionId: null }, data: { versionId } });
}
