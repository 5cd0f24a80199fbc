import { NativeSelect, SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { minorDigits } from '../../design/minor-digits.ts';
import { useText } from '../../messages/text.ts';
import { TimeSeries } from '../../plots/time-series.tsx';
import type { HomePlotsQuery } from './generated/home-plots.ts';
import { DAYS, useFinding, useHomeDays } from './home-days.ts';
import { WaitingPlots } from './home-waiting.tsx';

/** Plots of the last four weeks, compared with the four weeks before. */
export default function HomePlots() {
  const data = useHomeDays();
  if (!data) return <WaitingPlots />;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      {data.programStatistics && <Program days={data.programStatistics.series} />}
      {data.salesStatistics && data.salesStatistics.length > 0 && <Sales of={data.salesStatistics} />}
      {data.callStatistics && <Calls days={data.callStatistics.series} />}
    </SimpleGrid>
  );
}

type Days<Key extends keyof HomePlotsQuery> =
  NonNullable<HomePlotsQuery[Key]> extends { series: infer Series } ? Series : never;

function Program({ days }: { readonly days: Days<'programStatistics'> }) {
  const t = useText();
  const { formatNumber } = useIntl();
  const finding = useFinding();
  const recent = days.slice(-DAYS);
  const dates = recent.map(({ date }) => date);
  const joined = days.map((day) => day.joined);
  const issued = days.map((day) => Number(day.issued));
  return (
    <>
      <TimeSeries
        title={t('home.joined')}
        unit={t('unit.members')}
        finding={finding(joined)}
        dates={dates}
        series={[
          { title: t('plot.former'), values: joined.slice(0, DAYS), isFormer: true },
          { title: t('home.joined'), values: joined.slice(-DAYS) },
        ]}
        format={(value) => formatNumber(value)}
      />
      <TimeSeries
        title={t('home.issued')}
        unit={t('unit.points')}
        finding={finding(issued)}
        dates={dates}
        series={[
          { title: t('home.issued'), values: issued.slice(-DAYS) },
          { title: t('home.spent'), values: recent.map(({ spent }) => Number(spent)), isSecond: true },
        ]}
        format={(value) => formatNumber(value, { notation: 'compact' })}
      />
    </>
  );
}

type SalesOfCurrency = NonNullable<HomePlotsQuery['salesStatistics']>[number];

/** Sales in one currency. Amounts of different currencies have no sum, so one is chosen. */
function Sales({ of }: { readonly of: readonly SalesOfCurrency[] }) {
  const t = useText();
  const [chosen, setChosen] = useState('');
  const { currency, series } = of.find((each) => each.currency === chosen) ?? of[0]!;
  const { formatNumber } = useIntl();
  const finding = useFinding();
  const amounts = series.map(({ total }) => Number(total.amountMinor) / 10 ** minorDigits(currency));
  const format = (value: number) =>
    formatNumber(value, { style: 'currency', currency, maximumFractionDigits: 0, notation: 'compact' });
  return (
    <TimeSeries
      title={t('home.sales')}
      unit={currency}
      choice={
        of.length > 1 && (
          <NativeSelect
            size="xs"
            aria-label={t('plot.currency')}
            value={currency}
            onChange={({ currentTarget: { value } }) => setChosen(value)}
            data={of.map((each) => each.currency)}
          />
        )
      }
      finding={finding(amounts, format)}
      dates={series.slice(-DAYS).map(({ date }) => date)}
      series={[
        { title: t('plot.former'), values: amounts.slice(0, DAYS), isFormer: true },
        { title: t('home.sales'), values: amounts.slice(-DAYS) },
      ]}
      format={format}
    />
  );
}

function Calls({ days }: { readonly days: Days<'callStatistics'> }) {
  const t = useText();
  const { formatNumber } = useIntl();
  const finding = useFinding();
  const recent = days.slice(-DAYS);
  return (
    <TimeSeries
      title={t('home.calls')}
      unit={t('unit.calls')}
      finding={finding(days.map(({ calls }) => calls))}
      dates={recent.map(({ date }) => date)}
      series={[
        { title: t('home.calls'), values: recent.map(({ calls }) => calls) },
        {
          title: t('home.failures'),
          values: recent.map(({ refused, failed }) => refused + failed),
          isSecond: true,
        },
      ]}
      format={(value) => formatNumber(value, { notation: 'compact' })}
    />
  );
}
