import { SECOND_MS } from '@loyalty/platform/clock';
import { type Loop, loop } from '@loyalty/platform/outbox/loops';
import { RUNS_CHANNEL } from './run.ts';
import { moveDueRuns } from './ticks.service.ts';

/** Moves the members of journeys and automations, of all workspaces. */
export const moveRunsLoop: Loop = loop('engagement.move-journey-runs', {
  places: 2,
  wakes: RUNS_CHANNEL,
  turn: async (ctx) => ((await moveDueRuns(ctx)) > 0 ? 0 : SECOND_MS),
});
