import type { Context } from '@loyalty/platform/context';
import { poolOf } from '../rhythm/interval-pool.ts';
import { keepFit } from '../workspace-fits/fits.service.ts';
import { withLongTimeout } from '../workspace-fits/member-blocks.service.ts';
import { intervalMoments } from './interval-pool.store.ts';

/**
 * Fits how the purchase intervals of the workspace's members are spread; nothing where fewer than 30 members
 * have two intervals.
 *
 * @remarks Source: requirements L-PRO-01, L-PRO-02
 */
export async function refitIntervals(ctx: Context): Promise<void> {
  await keepFit(ctx, 'INTERVALS', poolOf(await withLongTimeout(ctx, intervalMoments)));
}
