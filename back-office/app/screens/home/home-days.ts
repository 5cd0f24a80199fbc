import { useIntl } from 'react-intl';
import { useScreen } from '../../graph/use-screen.ts';
import { useConditions, useViewer } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import { compared, lastDays } from '../../plots/days.ts';
import { HomePlotsDocument } from './generated/home-plots.ts';

export const DAYS = 28;

/** Reads the statistics of the last four weeks and of the four weeks before. All plots share one query. */
export function useHomeDays() {
  const { workspace } = useViewer();
  const from = lastDays(2 * DAYS, workspace.timeZone);
  return useScreen(HomePlotsDocument, { ...useConditions('HomePlots'), from }).data;
}

/** Returns a sentence that compares the sum of the last days with that of the days before. */
export function useFinding() {
  const t = useText();
  const { formatNumber } = useIntl();
  return (values: readonly number[], format = (value: number) => formatNumber(value)) => {
    const { sum, former, change } = compared(values, DAYS);
    const now = format(sum);
    if (former === 0) return t('plot.sum', { now, days: DAYS });
    const percent = formatNumber(Math.abs(change), { style: 'percent', maximumFractionDigits: 0 });
    return t(change < 0 ? 'plot.less' : 'plot.more', { now, days: DAYS, percent });
  };
}
