import { type Scope, systemCaller } from '@loyalty/platform/base/caller';
import { addMs, HOUR_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { poolOf } from '../numerics/member-rhythm.ts';
import { findFits, keepFit } from '../standard-model/fits.service.ts';
import { withLongTimeout } from '../standard-model/member-blocks.service.ts';
import { refitBacktest } from './backtests.service.ts';
import { recountBaskets } from './count-baskets.service.ts';
import { refitEmailClicks } from './email-clicks.service.ts';
import { fitItemPopularity } from './item-popularity.service.ts';
import { intervalMoments, scopesWithFacts } from './refit.store.ts';

/** A workspace that was fitted within this many hours is not fitted again. */
const REFIT_AFTER_HOURS = 12;

/**
 * Refits every workspace and mode that has facts: popular items, email clicks, a backtest of the standard
 * model and purchase intervals. An interrupted run continues with the remaining workspaces. A failed
 * workspace does not stop the others.
 *
 * @throws AggregateError of all failures, after all other workspaces
 * @remarks Source: requirements L-PRO-01, L-PRO-04
 */
export async function refitWorkspaces(ctx: Context): Promise<void> {
  const failures: unknown[] = [];
  for (const scope of await scopesWithFacts(ctx)) {
    await refitDue(ctx, scope).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} workspaces were not fitted`);
}

async function refitDue(ctx: Context, scope: Scope): Promise<void> {
  const inside = ctx.as(systemCaller('refit-workspaces', scope));
  const { INTERVALS: last } = await findFits(inside, ['INTERVALS']);
  if (last && last.fittedAt > addMs(ctx.clock.now(), -REFIT_AFTER_HOURS * HOUR_MS)) return;
  const popularity = await fitItemPopularity(inside);
  await recountBaskets(inside, popularity?.lines ?? 0);
  await refitEmailClicks(inside);
  await refitBacktest(inside);
  // Last, because this fit marks the workspace as done.
  await refitIntervals(inside);
}

/**
 * Fits the distribution of the purchase intervals of the workspace's members; the fit is null if fewer than
 * 30 members have two intervals.
 *
 * @remarks Source: requirements L-PRO-01, L-PRO-02
 */
async function refitIntervals(ctx: Context): Promise<void> {
  await keepFit(ctx, 'INTERVALS', poolOf(await withLongTimeout(ctx, intervalMoments)));
}
