import { Box } from '@mantine/core';
import { useIntl } from 'react-intl';
import { useScreen } from '../../graph/use-screen.ts';
import { useViewer } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import { lastDays } from '../../plots/days.ts';
import { TimeSeries } from '../../plots/time-series.tsx';
import { balanceByDay } from './balance-days.ts';
import { BalancePlotDocument } from './generated/member-points.ts';

const DAYS = 90;
/** Maximum width. A wider plot would have larger letters than the rest of the screen. */
const WIDTH_PX = 640;

/** The balance at the end of each of the last days. */
export default function BalancePlot({ id }: { readonly id: string }) {
  const t = useText();
  const { formatNumber } = useIntl();
  const { workspace } = useViewer();
  const { data } = useScreen(BalancePlotDocument, { id });
  const ledger = data?.member?.pointsTransactions;
  if (!ledger || ledger.nodes.length === 0) return null;
  const { timeZone } = workspace;
  const range = { from: lastDays(DAYS, timeZone), to: lastDays(1, timeZone), timeZone };
  const { dates, values } = balanceByDay(ledger.nodes, { ...range, isCut: ledger.pageInfo.hasNextPage });
  const [first, now] = [values[0] ?? 0, values.at(-1) ?? 0];
  const finding = {
    now: formatNumber(now),
    change: formatNumber(Math.abs(now - first)),
    days: dates.length,
  };
  const isFewer = now < first;
  return (
    <Box maw={WIDTH_PX}>
      <TimeSeries
        title={t('points.balance')}
        unit={t('unit.points')}
        finding={t(isFewer ? 'points.balanceFell' : 'points.balanceRose', finding)}
        dates={dates}
        series={[{ title: t('points.balance'), values }]}
        format={(value) => formatNumber(value)}
      />
    </Box>
  );
}
