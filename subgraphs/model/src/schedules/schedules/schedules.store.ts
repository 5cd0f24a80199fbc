import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context, Loader } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/loading/loaders';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/loading/pages';
import { newId } from '@loyalty/platform/values/ids';
import type { Cadence } from '../cadence/cadence.ts';
import type { ScheduleLogEntry, TrainingSchedule } from './schedule.ts';

const SCHEDULE = `s.id, s.base_id, s.is_enabled, s.is_paused,
    jsonb_build_object('frequency', s.frequency, 'time', s.time, 'timezone', s.time_zone,
      'weekday', s.weekday, 'monthDay', s.month_day, 'minNewSamples', s.min_new_samples) AS cadence,
    s.next_run_at, s.last_run_at, s.last_version_id, s.administrator, s.created_at`;

export async function findSchedule(ctx: Context, id: string): Promise<TrainingSchedule | null> {
  const [row] = await ctx.sql.query<TrainingSchedule>(
    `SELECT ${SCHEDULE} FROM model.training_schedules AS s WHERE ${inScope('s')} AND s.id = $3`,
    [...scopeOf(ctx), id],
  );
  return row ?? null;
}

/** The schedule, locked until the transaction ends. */
export async function lockSchedule(tx: Context, id: string): Promise<TrainingSchedule | null> {
  const [row] = await tx.sql.query<TrainingSchedule>(
    `SELECT ${SCHEDULE} FROM model.training_schedules AS s WHERE ${inScope('s')} AND s.id = $3
        FOR NO KEY UPDATE`,
    [...scopeOf(tx), id],
  );
  return row ?? null;
}

/** Newest first. */
export async function schedulesPage(ctx: Context, request: PageRequest): Promise<Page<TrainingSchedule>> {
  const { order, beyond } = scan(request);
  const rows = await ctx.sql.query<TrainingSchedule>(
    `SELECT ${SCHEDULE} FROM model.training_schedules AS s
      WHERE ${inScope('s')} AND ($3::uuid IS NULL OR s.id ${beyond} $3)
      ORDER BY s.id ${order} LIMIT $4 OFFSET $5`,
    [...scopeOf(ctx), request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const [counted] = await ctx.sql.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM model.training_schedules WHERE ${inScope()}`,
      scopeOf(ctx),
    );
    return counted?.total ?? 0;
  });
}

const cadenceValues = (cadence: Cadence): readonly unknown[] => [
  cadence.frequency,
  cadence.time,
  cadence.timezone,
  cadence.weekday,
  cadence.monthDay,
  cadence.minNewSamples,
];

export async function insertSchedule(
  tx: Context,
  schedule: Pick<TrainingSchedule, 'id' | 'baseId' | 'isEnabled' | 'cadence' | 'nextRunAt' | 'administrator'>,
): Promise<void> {
  const { id, baseId, isEnabled, cadence, nextRunAt, administrator } = schedule;
  await tx.sql.query(
    `INSERT INTO model.training_schedules (workspace_id, mode, id, base_id, is_enabled, next_run_at,
            administrator, created_at, frequency, time, time_zone, weekday, month_day, min_new_samples)
     VALUES ($1, $2::platform."Mode", $3, $4, $5, $6, $7, $8, $9::model."CadenceFrequency", $10, $11, $12,
             $13, $14)`,
    [
      ...scopeOf(tx),
      ...[id, baseId, isEnabled, nextRunAt, administrator, tx.clock.now()],
      ...cadenceValues(cadence),
    ],
  );
}

/** Writes what a schedule is, once it is locked. */
export async function writeSchedule(
  tx: Context,
  schedule: Pick<TrainingSchedule, 'id' | 'isEnabled' | 'isPaused' | 'cadence' | 'nextRunAt'>,
): Promise<void> {
  const { id, isEnabled, isPaused, cadence, nextRunAt } = schedule;
  await tx.sql.query(
    `UPDATE model.training_schedules
        SET is_enabled = $4, is_paused = $5, next_run_at = $6, frequency = $7::model."CadenceFrequency",
            time = $8, time_zone = $9, weekday = $10, month_day = $11, min_new_samples = $12
      WHERE ${inScope()} AND id = $3`,
    [...scopeOf(tx), id, isEnabled, isPaused, nextRunAt, ...cadenceValues(cadence)],
  );
}

/** Its samples and log go with it. */
export async function deleteSchedule(tx: Context, id: string): Promise<void> {
  await tx.sql.query(`DELETE FROM model.training_schedules WHERE ${inScope()} AND id = $3`, [
    ...scopeOf(tx),
    id,
  ]);
}

export async function insertLogEntry(
  tx: Context,
  scheduleId: string,
  { type, detail }: Pick<ScheduleLogEntry, 'type' | 'detail'>,
): Promise<void> {
  await tx.sql.query(
    `INSERT INTO model.schedule_events (workspace_id, mode, id, schedule_id, type, detail, created_at)
     VALUES ($1, $2::platform."Mode", $3, $4, $5, $6, $7)`,
    [...scopeOf(tx), newId(tx.clock), scheduleId, type, detail, tx.clock.now()],
  );
}

const LOGGED = 20;

/** The latest entries of the log of each schedule, newest first. */
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

/** How many samples of each schedule no version was trained on. */
export const newSamplesBySchedule: Loader<string, number> = loader(async (ctx, ids) => {
  const rows = await ctx.sql.query<{ id: string; count: number }>(
    `SELECT schedule_id AS id, count(*)::int AS count FROM model.schedule_samples
      WHERE ${inScope()} AND schedule_id = ANY($3::uuid[]) AND version_id IS NULL GROUP BY schedule_id`,
    [...scopeOf(ctx), ids],
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
});
