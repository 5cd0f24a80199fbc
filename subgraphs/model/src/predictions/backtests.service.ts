import { DAY_MS } from '@loyalty/platform/base/clock';
import { dayStartsIn } from '@loyalty/platform/base/zoned-days';
import type { Context } from '@loyalty/platform/context';
import { timeZoneOf } from '@loyalty/platform/database/time-zone';
import { historyBlocks, historyExtent } from '../alignment/history-blocks.service.ts';
import { closedWindows } from '../alignment/history-windows.ts';
import { dayIn } from '../facts/workspace-day.ts';
import { findFits, keepFit } from '../standard-model/fits.service.ts';
import { withLongTimeout } from '../standard-model/member-blocks.service.ts';
import { NO_FIGURES } from '../standard-model/statistics-block.ts';
import { std2 } from '../standard-model/std-2.ts';
import { type Backtest, backtestOf } from './backtest.ts';
import { type JudgedMembers, judgedMembers } from './judged-members.ts';

const { windowDays: HORIZON_DAYS } = std2.browsing;
/** Approximate maximum of members that are judged. */
const MEMBERS_MAX = 20_000;

/**
 * Scores the workspace's members as of a month ago, from the data known then, and counts those who have
 * bought since: browsers, the best buyers, and how well the scores ranked all buyers. In a large workspace
 * 20,000 members are judged, always the same ones. The fit is null if there was no purchase in the 28 days
 * before the cutoff. It is free.
 */
export async function refitBacktest(ctx: Context, membersMax = MEMBERS_MAX): Promise<void> {
  await keepFit(ctx, 'BACKTEST', await backtest(ctx, membersMax));
}

async function backtest(ctx: Context, membersMax: number): Promise<Backtest | null> {
  const timeZone = await timeZoneOf(ctx);
  const dayOf = dayIn(timeZone);
  const now = ctx.clock.now();
  const { firstDay, members } = await withLongTimeout(ctx, historyExtent);
  const [window] = firstDay === null ? [] : closedWindows(dayOf(now.getTime()), firstDay, HORIZON_DAYS);
  if (!window) return null;
  const cutoff = { day: window.cutoffDay, ms: dayStartsIn(timeZone)((window.cutoffDay + 1) * DAY_MS) };
  const oneIn = Math.max(1, Math.ceil(members / membersMax));
  const { INTERVALS: intervals } = await findFits(ctx, ['INTERVALS']);
  const figures = { ...NO_FIGURES, intervals: intervals?.content ?? null };
  const found: JudgedMembers[] = [];
  for await (const { ids, histories } of historyBlocks(ctx, now, dayOf, oneIn))
    found.push(judgedMembers(ids, histories, { cutoff, horizonDays: HORIZON_DAYS, figures }));
  return backtestOf(
    { cutoffDay: cutoff.day, horizonDays: HORIZON_DAYS },
    found.flatMap(({ browsers }) => browsers),
    found.flatMap(({ buyers }) => buyers),
  );
}
