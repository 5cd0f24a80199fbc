import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import { invalid } from '@loyalty/platform/base/errors';
import { inputRule } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { dayIn, workspaceTimeZone } from '../workspace.service.ts';
import { type Counts, countPeriod, type Period } from './ambassador-metrics.store.ts';

const DAYS_DEFAULT = 30;
const DAYS_MAX = 366;

interface AmbassadorMetrics extends Omit<Counts, 'referredBuyers'> {
  /** 0 to 1, with four decimals. */
  readonly conversionRate: number;
  readonly period: Period;
}

/**
 * Returns the results of ambassadors in a period of whole days in the workspace's time zone.
 *
 * @param args.from - YYYY-MM-DD. Default: 29 days before `to`
 * @param args.to - YYYY-MM-DD. Default: today
 * @throws AppError VALIDATION_FAILED (400), PEER_UNAVAILABLE (503)
 * @remarks Source: requirements L-AMB-02
 */
export async function measureAmbassadors(
  ctx: Context,
  args: { readonly from?: string | null | undefined; readonly to?: string | null | undefined },
): Promise<AmbassadorMetrics> {
  const timeZone = await workspaceTimeZone(ctx);
  const to = args.to ?? dayIn(timeZone, ctx.clock.now());
  const from = args.from ?? daysBefore(to, DAYS_DEFAULT - 1);
  if (from > to) throw invalid('from', inputRule('END_BEFORE_START', 'must not be after to'));
  if (from < daysBefore(to, DAYS_MAX - 1))
    throw invalid('from', `must be at most ${DAYS_MAX} days before to`);
  const { referredBuyers, ...counts } = await countPeriod(ctx, { from, to }, timeZone);
  const rate = counts.referredMembers === 0 ? 0 : referredBuyers / counts.referredMembers;
  return { ...counts, conversionRate: Math.round(rate * 10_000) / 10_000, period: { from, to } };
}

/** The arithmetic uses UTC, because days have no time zone. */
const daysBefore = (day: string, days: number): string =>
  addMs(new Date(`${day}T00:00:00Z`), -days * DAY_MS)
    .toISOString()
    .slice(0, 10);
