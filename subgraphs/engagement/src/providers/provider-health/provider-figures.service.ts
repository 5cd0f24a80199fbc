import type { Context } from '@loyalty/platform/context';
import { invalid } from '@loyalty/platform/errors';
import { between } from '@loyalty/platform/values/input-rules';
import { type Figures, figuresOver } from './provider-figures.store.ts';

const HOURS_MAX = 720;
const none: Figures = { attempts: 0, accepted: 0, rejected: 0, unavailable: 0, p50Ms: null, p95Ms: null };

/**
 * What became of the attempts of the last hours; all providers of a request are counted together.
 *
 * @throws AppError VALIDATION_FAILED (400) naming hours
 */
export async function figuresOfProvider(ctx: Context, id: string, hours: number): Promise<Figures> {
  if (hours < 1 || hours > HOURS_MAX) throw invalid('hours', between(1, HOURS_MAX));
  return (await ctx.load(figuresOver(hours), id)) ?? none;
}
