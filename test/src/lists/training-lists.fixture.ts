import type { Cadence } from '@loyalty/model-subgraph/schedules/cadence';
import { createSchedule } from '@loyalty/model-subgraph/schedules/schedules.service';
import { givenEvaluated, work } from '@loyalty/model-subgraph/training/versions.fixture';
import { startVersion } from '@loyalty/model-subgraph/versions/versions.service';
import type { Context } from '@loyalty/platform/context';

const cadence: Cadence = {
  frequency: 'DAILY',
  time: '02:30',
  timezone: 'UTC',
  weekday: 1,
  monthDay: 1,
  minNewSamples: 1,
};

/**
 * Makes schedules, and versions with reports that wait for a review. Returns a version that has as many
 * reports as there are versions.
 */
export async function trainingLists(ctx: Context, rows: number): Promise<string> {
  let first = '';
  for (let place = 0; place < rows; place += 1) {
    const { id } = await givenEvaluated(ctx, { horizon: 30 + place });
    first ||= id;
  }
  for (let attempt = 1; attempt < rows; attempt += 1) {
    await startVersion(ctx, { id: first });
    await work(ctx);
  }
  for (let place = 0; place < rows; place += 1)
    await createSchedule(ctx, { baseId: first, enabled: false, cadence });
  return first;
}
