import { boundOf, entityBootstrap } from '../numerics/bootstrap.ts';
import { aucOf } from '../numerics/metrics.ts';
import type { BuyingShare } from '../standard-model/statistics-block.ts';

/** How well scores ranked members: the area under the ROC curve with its 95% confidence interval. */
interface ScoreSkill extends BuyingShare {
  readonly auc: number;
  readonly low: number;
  readonly high: number;
}

/** The scores of a past day, compared with the purchases after it. */
export interface Backtest {
  /** The last day whose data the scores used, in days since 1970-01-01 of the workspace's time zone. */
  readonly cutoffDay: number;
  readonly horizonDays: number;
  /**
   * Members with at least three events and without a purchase; `meanWeight` is the mean of `browsingWeight`.
   */
  readonly browsers: BuyingShare & { readonly meanWeight: number | null };
  /** The tenth of buyers with the highest scores. */
  readonly bestBuyers: BuyingShare;
  /** Skill for members with a purchase; null if too few of them bought, or too few did not. */
  readonly skill: ScoreSkill | null;
}

/** A member without a purchase at the cutoff, with its purchase within the horizon, if any. */
export interface JudgedBrowser {
  readonly weight: number;
  readonly hasBought: boolean;
}

/** A member with a purchase at the cutoff. */
export interface JudgedBuyer {
  readonly memberId: string;
  /** Chance of a purchase within the horizon, as scored at the cutoff. */
  readonly score: number;
  readonly hasBought: boolean;
}

const BUYERS_MIN = 100;
const LABELS_MIN = 20;
const SEED = 20_261_126;
const BEST_SHARE = 0.1;

/** Returns the backtest of these members. */
export const backtestOf = (
  about: Pick<Backtest, 'cutoffDay' | 'horizonDays'>,
  browsers: readonly JudgedBrowser[],
  buyers: readonly JudgedBuyer[],
): Backtest => ({ ...about, ...buyingShares(browsers, buyers), skill: skillOf(buyers) });

/** Counts the browsers and the best buyers who bought. */
export function buyingShares(
  browsers: readonly JudgedBrowser[],
  buyers: readonly JudgedBuyer[],
): Pick<Backtest, 'browsers' | 'bestBuyers'> {
  const weights = browsers.reduce((sum, { weight }) => sum + weight, 0);
  const best = buyers
    .toSorted((one, other) => other.score - one.score || (one.memberId < other.memberId ? -1 : 1))
    .slice(0, Math.floor(buyers.length * BEST_SHARE));
  return {
    browsers: { ...shareOf(browsers), meanWeight: browsers.length > 0 ? weights / browsers.length : null },
    bestBuyers: shareOf(best),
  };
}

const shareOf = (members: readonly { readonly hasBought: boolean }[]): BuyingShare => ({
  members: members.length,
  bought: members.filter(({ hasBought }) => hasBought).length,
});

function skillOf(buyers: readonly JudgedBuyer[]): ScoreSkill | null {
  const share = shareOf(buyers);
  const labels = Math.min(share.bought, share.members - share.bought);
  if (share.members < BUYERS_MIN || labels < LABELS_MIN) return null;
  const figure = aucOf(
    Float64Array.from(buyers, ({ score }) => score),
    Uint8Array.from(buyers, ({ hasBought }) => Number(hasBought)),
  );
  const auc = entityBootstrap(
    buyers.map(({ memberId }) => memberId),
    SEED,
  )(figure);
  return { ...share, auc: auc.value, low: boundOf(auc, 0.025), high: boundOf(auc, 0.975) };
}
