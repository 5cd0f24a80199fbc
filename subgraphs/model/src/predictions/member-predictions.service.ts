import { DAY_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { cutoffAt, readMembers } from '../facts/statistics.service.ts';
import { findMembers } from '../members/members.service.ts';
import type { IntervalPool } from '../numerics/member-rhythm.ts';
import { findFits } from '../standard-model/fits.service.ts';
import type { StatisticsBlock } from '../standard-model/statistics-block.ts';
import { clickChances } from './email-clicks.service.ts';
import type { EmailClickFit, EmailClickGap } from './email-clicks.ts';
import { intervalsOf, type NextOrder, type NextOrderGap, nextOrder } from './next-order.ts';

export type PredictionGap = NextOrderGap | EmailClickGap | 'NOT_FITTED_YET' | 'PROCESSING_RESTRICTED';

/** A member's purchase intervals, in days; dates are YYYY-MM-DD. */
interface NextOrderEstimate {
  readonly intervalMeanDays: number;
  readonly intervalMedianDays: number;
  readonly intervalStddevDays: number;
  readonly intervalCv: number;
  readonly purchasesUsed: number;
  readonly band: { readonly fromOn: string; readonly toOn: string };
  readonly confidence: NextOrder['confidence'];
}

export interface NextOrderPrediction {
  readonly expectedNextOrderOn: string | null;
  readonly nextOrder: NextOrderEstimate | null;
  readonly unavailableBecause: PredictionGap | null;
}

export interface EmailClickPrediction {
  readonly emailClickPropensity: number | null;
  readonly emailClickUnavailableBecause: PredictionGap | null;
}

/** The predictions about one member. A missing prediction is null, with the reason beside it. */
export type MemberPredictions = NextOrderPrediction & EmailClickPrediction;

/**
 * Returns the predictions about a member as of today in the workspace's time zone: the day of the next order
 * and the probability of clicking a mail. Many members take as many statements as one.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 * @remarks Source: v2 REST API, section 2, GET /members/{id}/profile; requirements L-PRO-01 to L-PRO-07
 */
export const predictionsOf = (ctx: Context, memberId: string): Promise<MemberPredictions | null> =>
  ctx.load(predictions, memberId);

const predictions = loader(async (ctx, memberIds: readonly string[]) => {
  const members = await findMembers(ctx, { ids: memberIds });
  const open = members.filter(({ isRestricted }) => !isRestricted).map(({ id }) => id);
  const found = new Map(members.map(({ id }) => [id, none('PROCESSING_RESTRICTED')]));
  for (const [id, predicted] of await predict(ctx, open)) found.set(id, predicted);
  return found;
});

const none = (gap: PredictionGap): MemberPredictions => ({ ...noNextOrder(gap), ...noEmailClick(gap) });

const noNextOrder = (unavailableBecause: PredictionGap): NextOrderPrediction => ({
  expectedNextOrderOn: null,
  nextOrder: null,
  unavailableBecause,
});

const noEmailClick = (emailClickUnavailableBecause: PredictionGap): EmailClickPrediction => ({
  emailClickPropensity: null,
  emailClickUnavailableBecause,
});

async function predict(
  ctx: Context,
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, MemberPredictions>> {
  if (memberIds.length === 0) return new Map();
  const cutoff = await cutoffAt(ctx, ctx.clock.now());
  const { members: statistics } = await readMembers(ctx, memberIds, cutoff);
  const fits = await findFits(ctx, ['INTERVALS', 'EMAIL_CLICKS']);
  const clicks = fits.EMAIL_CLICKS?.content ?? null;
  const chances = clicks?.gap === null ? await clickChances(ctx, clicks, memberIds, statistics, cutoff) : [];
  const pool = fits.INTERVALS?.content ?? null;
  return new Map(
    memberIds.map((id, row) => [
      id,
      { ...nextOrderOf(statistics, row, pool, cutoff.day), ...emailClickOf(clicks, chances[row]) },
    ]),
  );
}

/**
 * Returns the next orders of members as of today in the workspace's time zone, without predictions about
 * mails.
 *
 * @param memberIds - of members whose data may be processed
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function nextOrders(
  ctx: Context,
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, NextOrderPrediction>> {
  if (memberIds.length === 0) return new Map();
  const cutoff = await cutoffAt(ctx, ctx.clock.now());
  const { members: statistics } = await readMembers(ctx, memberIds, cutoff);
  const pool = (await findFits(ctx, ['INTERVALS'])).INTERVALS?.content ?? null;
  return new Map(memberIds.map((id, row) => [id, nextOrderOf(statistics, row, pool, cutoff.day)]));
}

function emailClickOf(fit: EmailClickFit | null, chance: number | undefined): EmailClickPrediction {
  if (!fit) return noEmailClick('NOT_FITTED_YET');
  if (fit.gap !== null) return noEmailClick(fit.gap);
  return { emailClickPropensity: rounded(chance!), emailClickUnavailableBecause: null };
}

function nextOrderOf(
  statistics: StatisticsBlock,
  row: number,
  pool: IntervalPool | null,
  day: number,
): NextOrderPrediction {
  const member = intervalsOf(statistics, row);
  const found = nextOrder(member, pool, day);
  if (typeof found === 'string') return noNextOrder(found);
  return {
    expectedNextOrderOn: dateOf(found.expectedDay),
    nextOrder: {
      intervalMeanDays: rounded(found.intervalMeanDays),
      intervalMedianDays: rounded(found.intervalMedianDays),
      intervalStddevDays: rounded(found.intervalStddevDays),
      intervalCv: rounded(found.intervalCv),
      purchasesUsed: member.purchaseDays,
      band: { fromOn: dateOf(found.band.fromDay), toOn: dateOf(found.band.toDay) },
      confidence: found.confidence,
    },
    unavailableBecause: null,
  };
}

const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;
