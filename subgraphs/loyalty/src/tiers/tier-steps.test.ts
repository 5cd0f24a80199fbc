import { expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { createContext } from '@loyalty/platform/database/create-context';
import { useServices } from '@loyalty/test/harness/services';
import { ask, given } from '../loyalty.fixture.ts';
import { awardPoints } from '../points/points.service.ts';
import { updateProgram } from './programs.service.ts';
import { recalculateTiers } from './tier-recalculations.service.ts';
import { recalculateTiersJob } from './tiers.jobs.ts';

const { services, ctx, fresh } = useServices({ isWorkspaceShared: true });

/** Returns the tier after a recalculation at this moment, and the time since which the member has it. */
async function recalculated(id: string): Promise<[tier: string | null, changedAt: number]> {
  const { id: tierRecalculationId } = await recalculateTiers(fresh());
  const worker = createContext(services, { caller: systemCaller('test', ctx.scope), requestId: 'test' });
  await recalculateTiersJob.run(worker, { tierRecalculationId });
  const { member } = await ask(fresh(), 'query ($id: ID!) { member(id: $id) { tier { name } } }', { id });
  const [row] = await ctx.sql.query<{ at: Date }>(
    'SELECT tier_changed_at AS at FROM loyalty.members WHERE id = $1',
    [id],
  );
  return [member.tier?.name ?? null, row!.at.getTime()];
}

test('a member steps down one tier in the instant in which its period is over, and no earlier', async () => {
  await given.tiers(ctx, { Bronze: 100, Silver: 200, Gold: 300 });
  await updateProgram(fresh(), { tierBasis: 'ROLLING', tierPeriodDays: 30, downgradePolicy: 'ONE_STEP' });
  const start = services.clock.now().getTime();
  const { id } = await given.member(ctx);
  await awardPoints(fresh(), id, { amount: 300 });
  const seen: unknown[] = [];
  for (const period of [1, 2, 3]) {
    services.clock.advance(30 * DAY_MS - 1);
    seen.push(await recalculated(id));
    services.clock.advance(1);
    seen.push(await recalculated(id));
    expect(services.clock.now().getTime()).toBe(start + period * 30 * DAY_MS);
  }
  const at = (periods: number) => start + periods * 30 * DAY_MS;
  expect(seen).toEqual([
    ['Gold', at(0)],
    ['Silver', at(1)],
    ['Silver', at(1)],
    ['Bronze', at(2)],
    ['Bronze', at(2)],
    [null, at(3)],
  ]);
});
