import { SECOND_MS } from '@loyalty/platform/base/clock';
import { loop } from '@loyalty/platform/work/loops';
import { runDueSchedule } from './schedule-runs.service.ts';

const IDLE_MS = 15 * SECOND_MS;

/** Runs training schedules that are due. */
export const runSchedulesLoop = loop('model.run-schedules', {
  places: 1,
  wakes: null,
  turn: async (ctx) => ((await runDueSchedule(ctx)) ? 0 : IDLE_MS),
});
