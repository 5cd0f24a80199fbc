import type { Context } from '@loyalty/platform/context';
import { NO_FIGURES, type WorkspaceFigures } from '../standard-model/workspace-figures.ts';
import { findFits } from './fits.service.ts';

/** An AUC of no skill. */
const CHANCE_AUC = 0.5;

/** What the workspace counted about itself last night, as the standard model takes it. */
export async function workspaceFigures(ctx: Context): Promise<WorkspaceFigures> {
  const { INTERVALS: intervals, BACKTEST: backtest } = await findFits(ctx, ['INTERVALS', 'BACKTEST']);
  const { browsers, bestBuyers, skill } = backtest?.content ?? { ...NO_FIGURES, skill: null };
  return {
    intervals: intervals?.content ?? null,
    browsers,
    bestBuyers,
    hasLowSkill: skill !== null && skill.low <= CHANCE_AUC,
  };
}
