import { isTurned } from '../../design/day-ranges.ts';
import { isDay } from '../../design/days.ts';

export const TYPES = ['STORE', 'EMAIL'] as const;

/** The filter of the captures as their address holds it. */
export interface CapturesSearch {
  readonly type?: string | undefined;
  /** Its id. */
  readonly store?: string | undefined;
  /** Days, YYYY-MM-DD; both are part of it. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** What an address names that does not exist is left out; so is a last day before the first one. */
export function filterOf(search: CapturesSearch) {
  const { type, store, from, to } = search;
  return {
    type: TYPES.find((each) => each === type) ?? null,
    storeId: store ?? null,
    from: isDay(from) ? from : null,
    to: isDay(to) && !isTurned(search) ? to : null,
  };
}
