/** A past window: features up to a day, and labels from the days after it. */
export interface HistoryWindow {
  /** The last day whose data the features use, in days since 1970-01-01 of the workspace's time zone. */
  readonly cutoffDay: number;
  /** The last day of the label. */
  readonly labelEndDay: number;
}

const WINDOWS_MAX = 4;
/**
 * Days with purchases that are needed before the oldest cutoff: with less history nothing can be predicted.
 */
const HISTORY_DAYS_MIN = 28;

/**
 * Returns the closed windows of a horizon, newest first; labels of two windows never overlap.
 *
 * @param today - not closed yet; in days since 1970-01-01
 * @param firstDay - of the first purchase of all members
 * @param horizon - days
 */
export function closedWindows(today: number, firstDay: number, horizon: number): HistoryWindow[] {
  const windows = Array.from({ length: WINDOWS_MAX }, (_, back) => {
    const labelEndDay = today - 1 - back * horizon;
    return { cutoffDay: labelEndDay - horizon, labelEndDay };
  });
  return windows.filter(({ cutoffDay }) => cutoffDay - firstDay >= HISTORY_DAYS_MIN);
}
