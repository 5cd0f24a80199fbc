import { useIntl } from 'react-intl';
import { useText } from '../../messages/text.ts';
import { TimeSeries } from '../../plots/time-series.tsx';
import type { CreditsQuery } from './generated/credits.ts';

interface CreditUseProps {
  readonly days: CreditsQuery['creditStatistics']['series'];
  readonly available: number;
}

/** Used credits by day, and how long the remaining credits would last. */
export default function CreditUse({ days, available }: CreditUseProps) {
  const t = useText();
  const { formatNumber } = useIntl();
  const used = days.map((day) => Number(day.used));
  const sum = used.reduce((total, each) => total + each, 0);
  const values = { now: formatNumber(sum), days: days.length };
  const daysLeft = sum === 0 ? null : Math.floor((available * days.length) / sum);
  return (
    <TimeSeries
      title={t('credits.use')}
      unit={t('unit.credits')}
      finding={daysLeft === null ? t('plot.sum', values) : t('credits.lasts', { ...values, daysLeft })}
      dates={days.map(({ date }) => date)}
      series={[{ title: t('credits.use'), values: used }]}
      format={(value) => formatNumber(value, { notation: 'compact' })}
    />
  );
}
