/** Days ahead that a caller asked for. */
export interface RequestedHorizons {
  /** Days ahead that `purchase` is about; 30 by default. */
  readonly purchaseDays?: number;
  /** Days ahead that `longGap` is about; 90 by default. */
  readonly gapDays?: number;
}

/** Days ahead that scores are about. */
export type Horizons = Required<RequestedHorizons>;

export const horizonsOf = ({ purchaseDays = 30, gapDays = 90 }: RequestedHorizons): Horizons => ({
  purchaseDays,
  gapDays,
});
