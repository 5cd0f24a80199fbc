import type { Context } from '@loyalty/platform/context';
import type { FittedIntervalPool } from '../numerics/member-rhythm.ts';
import type { Backtest } from '../predictions/backtest.ts';
import type { EmailClickFit } from '../predictions/email-clicks.ts';
import type { ItemPopularity } from '../predictions/item-popularity.ts';
import { dropSmallFit, type FitKind, fitsOf, upsertFit } from './fits.store.ts';
import { NO_FIGURES, type WorkspaceFigures } from './statistics-block.ts';

/** The kinds of fits of a workspace. */
interface WorkspaceFits {
  readonly INTERVALS: FittedIntervalPool;
  readonly EMAIL_CLICKS: EmailClickFit;
  readonly ITEM_POPULARITY: ItemPopularity;
  readonly BACKTEST: Backtest;
}

/** A fit and its time; `content` is null if the data does not support a fit. */
interface Fit<Content> {
  readonly content: Content | null;
  readonly fittedAt: Date;
}

type FoundFits<Kind extends FitKind> = { readonly [K in Kind]?: Fit<WorkspaceFits[K]> };

/** Returns the fits of these kinds; a kind that was never fitted is absent. */
export async function findFits<Kind extends FitKind>(
  ctx: Context,
  kinds: readonly Kind[],
): Promise<FoundFits<Kind>> {
  const rows = await fitsOf(ctx, kinds);
  return Object.fromEntries(rows.map(({ kind, ...fit }) => [kind, fit])) as FoundFits<Kind>;
}

/**
 * Saves a fit as the workspace's latest of its kind; null if the data does not support a fit.
 *
 * @param fittedAt - when its data was read. Default: now.
 */
export const keepFit = <Kind extends FitKind>(
  ctx: Context,
  kind: Kind,
  content: WorkspaceFits[Kind] | null,
  fittedAt = ctx.clock.now(),
): Promise<void> => upsertFit(ctx, kind, content, fittedAt);

/** Deletes a fit that was made from fewer order lines, so that the next reader counts again. */
export const dropFitBelow = (tx: Context, kind: FitKind, linesMax: number): Promise<void> =>
  dropSmallFit(tx, kind, linesMax);

/** The AUC of random scores. */
const CHANCE_AUC = 0.5;

/**
 * Returns the figures that the workspace counted about its members last night, as input of the standard
 * model.
 */
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
