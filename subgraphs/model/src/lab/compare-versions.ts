import { DAY_MS } from '@loyalty/platform/base/clock';
import { historyBlock, type MemberHistory } from '../alignment/member-history.ts';
import { type IntervalMoments, poolOf } from '../numerics/member-rhythm.ts';
import { aucOf } from '../numerics/metrics.ts';
import { buyingShares } from '../predictions/backtest.ts';
import { judgedMembers } from '../predictions/judged-members.ts';
import { intervalsOf, type NextOrder, nextOrder } from '../predictions/next-order.ts';
import { score } from '../standard-model/score.ts';
import { STANDARD_VERSIONS, type StandardVersion } from '../standard-model/standard-versions.ts';
import {
  NO_FIGURES,
  type StatisticsBlock,
  type WorkspaceFigures,
} from '../standard-model/statistics-block.ts';

/** A figure for each version. */
export type ByVersion = Readonly<Record<StandardVersion, number>>;

/** Numbers of forecasts and of those that came true. */
export interface Forecasts {
  readonly given: number;
  readonly true: number;
}

/** The results of both versions on the same members at the same past cutoffs. */
export interface VersionComparison {
  readonly name: string;
  /** Number of scores of members with a purchase. */
  readonly scores: number;
  /**
   * Areas under the ROC curve: a purchase within 30 days, none within 90; NaN if all members have the same
   * label.
   */
  readonly purchase: ByVersion;
  readonly longGap: ByVersion;
  /** For members without a purchase: mean scores beside the share who bought; null if there are none. */
  readonly browsers: {
    readonly scores: number;
    readonly auc: ByVersion;
    readonly mean: ByVersion;
    readonly bought: number;
  } | null;
  /**
   * Next orders that came by the expected day, and within the band by confidence; only forecasts whose time
   * is over.
   */
  readonly byDay: Forecasts;
  readonly inBand: Readonly<Record<NextOrder['confidence'], Forecasts>>;
}

const PURCHASE_DAYS = 30;
const GAP_DAYS = 90;
/** Cutoffs, in days before the last day of the data. */
const CUTOFFS = [90, 180, 270, 360] as const;
/** Days with data that a cutoff needs before it. */
const HISTORY_DAYS_MIN = 60;

/** A member at a cutoff, with its scores by each version. */
interface Judged {
  readonly isBuyer: boolean;
  readonly hasBought: boolean;
  readonly isGone: boolean;
  readonly purchase: ByVersion;
  readonly longGap: ByVersion;
}

/**
 * Compares both versions at up to four cutoffs; std-2 has the figures that a workspace would have counted by
 * then.
 */
export function compareVersions(name: string, histories: readonly MemberHistory[]): VersionComparison {
  const days = histories.flatMap(({ purchaseDays }) => purchaseDays);
  const [first, last] = days.reduce(([low, high], day) => [Math.min(low, day), Math.max(high, day)], [
    Number.POSITIVE_INFINITY,
    0,
  ] as [number, number]);
  const judged: Judged[] = [];
  const forecasts = { byDay: [0, 0], HIGH: [0, 0], MEDIUM: [0, 0], LOW: [0, 0] } as Counted;
  for (const back of CUTOFFS) {
    const day = last - back;
    if (day - first < HISTORY_DAYS_MIN) continue;
    const { block } = historyBlock(histories, cutoffOf(day));
    const figures = figuresAt(histories, block, day);
    judged.push(...judge(histories, block, { day, figures }));
    countForecasts(histories, block, { day, last, figures }, forecasts);
  }
  return { name, ...figuresOf(judged), ...forecastsOf(forecasts) };
}

const cutoffOf = (day: number) => ({ day, ms: (day + 1) * DAY_MS });

/** Returns the figures that the workspace would have counted by the end of a day. */
function figuresAt(
  histories: readonly MemberHistory[],
  block: StatisticsBlock,
  day: number,
): WorkspaceFigures {
  const intervals = poolOf(momentsOf(block));
  const known = histories.map((history) => ({
    ...history,
    purchaseDays: history.purchaseDays.filter((each) => each <= day),
  }));
  const { browsers, buyers } = judgedMembers(
    known.map((_, place) => String(place)),
    known,
    {
      cutoff: cutoffOf(day - PURCHASE_DAYS),
      horizonDays: PURCHASE_DAYS,
      figures: { ...NO_FIGURES, intervals },
    },
  );
  return { intervals, ...buyingShares(browsers, buyers), hasLowSkill: false };
}

/** Computes the moments like the product does in SQL. */
function momentsOf({ size, purchaseDays, logSum, logSquares }: StatisticsBlock): IntervalMoments {
  const rows = Array.from({ length: size }, (_, row) => row).filter((row) => purchaseDays[row]! >= 3);
  const sum = (of: (row: number, count: number) => number) =>
    rows.reduce((total, row) => total + of(row, purchaseDays[row]! - 1), 0);
  const members = rows.length;
  const mean = sum((row, count) => logSum[row]! / count) / members;
  return {
    members,
    mean,
    varianceWithin:
      sum((row, count) => logSquares[row]! - logSum[row]! ** 2 / count) / sum((_, count) => count - 1),
    varianceOfMeans: sum((row, count) => (logSum[row]! / count - mean) ** 2) / (members - 1),
    meanOfInverseCounts: sum((_, count) => 1 / count) / members,
  };
}

function judge(
  histories: readonly MemberHistory[],
  block: StatisticsBlock,
  { day, figures }: { readonly day: number; readonly figures: WorkspaceFigures },
): Judged[] {
  const pool = { adds: 0, removes: 0 };
  const scores = byVersion((version) =>
    score(block, cutoffOf(day), { version, pool, figures, purchaseDays: PURCHASE_DAYS, gapDays: GAP_DAYS }),
  );
  return histories.flatMap(({ purchaseDays }, row) => {
    if (Number.isNaN(scores['std-1'].purchase[row]!)) return [];
    const buysWithin = (ahead: number) => purchaseDays.some((each) => each > day && each <= day + ahead);
    return [
      {
        isBuyer: block.purchaseDays[row]! > 0,
        hasBought: buysWithin(PURCHASE_DAYS),
        isGone: !buysWithin(GAP_DAYS),
        purchase: byVersion((version) => scores[version].purchase[row]!),
        longGap: byVersion((version) => scores[version].longGap[row]!),
      },
    ];
  });
}

function byVersion<Value>(of: (version: StandardVersion) => Value): Readonly<Record<StandardVersion, Value>> {
  const [first, second] = STANDARD_VERSIONS;
  return { [first]: of(first), [second]: of(second) } as Record<StandardVersion, Value>;
}

function figuresOf(judged: readonly Judged[]) {
  const buyers = judged.filter(({ isBuyer }) => isBuyer);
  const browsers = judged.filter(({ isBuyer }) => !isBuyer);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    scores: buyers.length,
    purchase: aucs(buyers, 'purchase', 'hasBought'),
    longGap: aucs(buyers, 'longGap', 'isGone'),
    browsers:
      browsers.length === 0
        ? null
        : {
            scores: browsers.length,
            auc: aucs(browsers, 'purchase', 'hasBought'),
            mean: byVersion((version) => mean(browsers.map(({ purchase }) => purchase[version]))),
            bought: mean(browsers.map(({ hasBought }) => Number(hasBought))),
          },
  };
}

const aucs = (
  rows: readonly Judged[],
  of: 'purchase' | 'longGap',
  label: 'hasBought' | 'isGone',
): ByVersion =>
  byVersion((version) =>
    aucOf(
      Float64Array.from(rows, (row) => row[of][version]),
      Uint8Array.from(rows, (row) => Number(row[label])),
    )(null),
  );

type Counted = Record<'byDay' | NextOrder['confidence'], [given: number, true: number]>;

function countForecasts(
  histories: readonly MemberHistory[],
  block: StatisticsBlock,
  about: { readonly day: number; readonly last: number; readonly figures: WorkspaceFigures },
  counted: Counted,
): void {
  const { day, last, figures } = about;
  const count = (of: keyof Counted, until: number, isTrue: boolean) => {
    // A forecast whose time is not over cannot be judged.
    if (until > last) return;
    counted[of][0] += 1;
    if (isTrue) counted[of][1] += 1;
  };
  histories.forEach(({ purchaseDays }, row) => {
    const found = nextOrder(intervalsOf(block, row), figures.intervals, day);
    if (typeof found === 'string') return;
    const next = purchaseDays.find((each) => each > day) ?? Number.POSITIVE_INFINITY;
    const { fromDay, toDay } = found.band;
    count('byDay', found.expectedDay, next <= found.expectedDay);
    count(found.confidence, toDay, next >= fromDay && next <= toDay);
  });
}

function forecastsOf({ byDay, ...inBand }: Counted): Pick<VersionComparison, 'byDay' | 'inBand'> {
  const forecasts = ([given, isTrue]: [number, number]): Forecasts => ({ given, true: isTrue });
  return {
    byDay: forecasts(byDay),
    inBand: {
      HIGH: forecasts(inBand.HIGH),
      MEDIUM: forecasts(inBand.MEDIUM),
      LOW: forecasts(inBand.LOW),
    },
  };
}
