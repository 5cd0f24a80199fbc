import { DAY_MS } from '@loyalty/platform/base/clock';
import { expectedPurchases, score } from '../standard-model/score.ts';
import { emptyBlock, NO_FIGURES } from '../standard-model/statistics-block.ts';
import { bgNbd } from './bg-nbd.ts';
import { PurchaseFileError, readTable } from './purchase-file.ts';
import type { Pattern } from './purchase-model.ts';

/** The greatest difference between our figures of a column and those of another implementation. */
interface Agreement {
  readonly column: string;
  readonly absolute: number;
  readonly relative: number;
}

/** Any day after the last purchase in the file. */
const CUTOFF_DAY = 20_000;
const BG_PARAMETERS = [0.243, 4.414, 0.793, 2.426];

/**
 * Compares BG/NBD at its published parameters (weeks) and std-1 (days) with a file of figures per customer.
 *
 * @param path - CSV with the columns x, tx_weeks, T_weeks, tx_days, T_days and those compared
 * @throws PurchaseFileError if the file or a column is missing
 */
export function goldenAgreement(path: string): Agreement[] {
  const columns = numbersOf(path);
  const [x, txDays, tDays] = [columns('x'), columns('tx_days'), columns('T_days')];
  const [txWeeks, tWeeks] = [columns('tx_weeks'), columns('T_weeks')];
  const weeks = x.map((count, row): Pattern => ({ x: count, tx: txWeeks[row]!, t: tWeeks[row]! }));
  const likelihood = bgNbd.logLikelihood(BG_PARAMETERS);
  const standard = standardFigures(x, txDays, tDays);
  const ours: Readonly<Record<string, ArrayLike<number>>> = {
    bg_loglik: weeks.map((pattern) => likelihood(pattern)),
    bg_p_alive: weeks.map((pattern) => bgNbd.aliveChance(BG_PARAMETERS, pattern)),
    bg_EY39w: weeks.map((pattern) => bgNbd.expectedPurchases(BG_PARAMETERS, pattern, 39)),
    ...standard,
  };
  return Object.entries(ours).map(([column, figures]) => distance(column, figures, columns(column)));
}

function standardFigures(x: readonly number[], tx: readonly number[], t: readonly number[]) {
  const members = emptyBlock(x.length);
  for (let row = 0; row < x.length; row += 1) {
    members.purchaseDays[row] = x[row]! + 1;
    members.firstDay[row] = CUTOFF_DAY - t[row]!;
    members.lastDay[row] = members.firstDay[row]! + tx[row]!;
  }
  const cutoff = { day: CUTOFF_DAY, ms: CUTOFF_DAY * DAY_MS };
  const scores = score(members, cutoff, {
    version: 'std-1',
    pool: { adds: 0, removes: 0 },
    figures: NO_FIGURES,
  });
  return {
    std_p_alive: scores.aliveChance,
    std_p_purchase_30d: scores.purchase,
    std_p_longgap_90d: scores.longGap,
    std_gap_survival: scores.gapSurvival,
    std_EY30d: expectedPurchases(members, scores, cutoff, { version: 'std-1', days: 30 }),
  };
}

/** Reads columns of a CSV file as numbers, by name. */
function numbersOf(path: string): (name: string) => number[] {
  const { header, rows } = readTable(path);
  return (name) => {
    const at = header.indexOf(name);
    if (at === -1) throw new PurchaseFileError(`${path} has no column ${name}: name a file that has it.`);
    return rows.map(({ row, cells }) => {
      const value = Number(cells[at] || Number.NaN);
      if (Number.isNaN(value)) throw new PurchaseFileError(`${path}, row ${row}: ${name} must be a number.`);
      return value;
    });
  };
}

function distance(column: string, ours: ArrayLike<number>, theirs: readonly number[]): Agreement {
  const apart = theirs.map((value, row) => Math.abs(ours[row]! - value));
  const shares = apart.map((each, row) => (each === 0 ? 0 : each / Math.abs(theirs[row]!)));
  const largest = (values: readonly number[]) => values.reduce((most, each) => Math.max(most, each), 0);
  return { column, absolute: largest(apart), relative: largest(shares) };
}
