import { evidenceOf } from './evidence.ts';
import { horizonsOf, type RequestedHorizons } from './horizons.ts';
import { reasonsOf } from './reasons.ts';
import type { ScoreBlock } from './score-block.ts';
import type { Signal, StandardState } from './standard-state.ts';
import { type StateRow, stateRow } from './state-row.ts';
import type { Cutoff, StatisticsBlock } from './statistics-block.ts';

/**
 * A state as clients receive it: its scores as signals, with evidence and limitations.
 *
 * @param cutoff - the time at which the state was computed
 * @returns a missing score is null and must not be read as zero
 * @remarks Source: model API, section 2 "Member state" and "Capability", rules 1 and 2
 */
export function presentState(
  state: StateRow,
  cutoff: Date,
  requested: RequestedHorizons = {},
): StandardState {
  const { purchaseDays, gapDays } = horizonsOf(requested);
  const purchase = signal(state.purchase, state.purchaseReasons, purchaseDays);
  const longGap = signal(state.longGap, state.longGapReasons, gapDays);
  const cartRemoval = signal(state.cartRemoval, state.cartRemovalReasons, null);
  return {
    status: state.status,
    purchase,
    longGap,
    cartRemoval,
    evidence: evidenceOf(state, cutoff),
    limitations: limitationsOf(purchase, longGap, cartRemoval),
  };
}

/** Returns the state of one row of a block: `stateRow` and `presentState` in one. */
export const stateOf = (
  members: StatisticsBlock,
  scores: ScoreBlock,
  row: number,
  cutoff: Cutoff,
  requested: RequestedHorizons = {},
): StandardState => presentState(stateRow(members, scores, row, cutoff), new Date(cutoff.ms), requested);

function signal(score: number | null, bits: number, horizonDays: number | null): Signal {
  const reasons = reasonsOf(bits);
  if (score === null) return { score, status: 'UNAVAILABLE', horizonDays, reasons };
  return { score, status: bits === 0 ? 'OK' : 'DEGRADED', horizonDays, reasons };
}

function limitationsOf(...[purchase, longGap, cartRemoval]: readonly [Signal, Signal, Signal]): string[] {
  const codes = [purchase, longGap, cartRemoval].flatMap(({ reasons }) => reasons);
  const cartCodes = cartRemoval.score === null ? [] : ['CART_SIGNAL_NOT_VALIDATED'];
  return [...new Set(['NOT_CALIBRATED', 'NOT_A_CHURN_LABEL', ...codes, ...cartCodes])];
}
