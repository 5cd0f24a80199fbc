import { Group, SimpleGrid, Text } from '@mantine/core';
import { useIntl } from 'react-intl';
import { Part } from '../design/part.tsx';
import { useViewer } from '../graph/viewer.ts';
import { Bars } from '../plots/bars.tsx';
import { Calibration } from '../plots/calibration.tsx';
import { lastDays } from '../plots/days.ts';
import { Funnel } from '../plots/funnel.tsx';
import { HeatMap } from '../plots/heat-map.tsx';
import { Sparkline } from '../plots/line.tsx';
import { TimeSeries } from '../plots/time-series.tsx';

const LONG = 'A label of many words, which is longer than its place and also has averyveryverylongword';

/** Every plot in all its states. */
export function Plots() {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <TimeSeriesStates />
      <BarStates />
      <FunnelStates />
      <HeatMapStates />
      <CalibrationStates />
      <SparklineStates />
    </SimpleGrid>
  );
}

const head = (title: string) => ({ title, unit: 'things', finding: `What ${title} says` });
/** Fixed numbers, so that every screenshot shows the same plot. */
const wave = (length: number, factor = 1): number[] =>
  Array.from({ length }, (_, at) => factor * Math.round(20 + 12 * Math.sin(at / 2) + (at % 5)));
const datesTo = (last: string, length: number): string[] =>
  Array.from({ length }, (_, at) =>
    new Date(Date.parse(last) - (length - 1 - at) * 86_400_000).toISOString().slice(0, 10),
  );

function TimeSeriesStates() {
  const { formatNumber } = useIntl();
  const { workspace } = useViewer();
  const today = lastDays(1, workspace.timeZone);
  const shared = { format: (value: number) => formatNumber(value) };
  const one = [{ title: 'Now', values: [7] }];
  return (
    <>
      <TimeSeries
        {...head('TimeSeries')}
        {...shared}
        dates={datesTo('2026-03-28', 28)}
        series={[
          { title: 'Before', values: wave(28).toReversed(), isFormer: true },
          { title: 'Now', values: wave(28) },
        ]}
      />
      <TimeSeries
        {...head('TimeSeries, today unfinished, large numbers')}
        format={(value) => formatNumber(value, { notation: 'compact' })}
        dates={datesTo(today, 28)}
        series={[
          { title: 'Now', values: wave(28, 1_234_567) },
          { title: LONG, values: wave(28, 400_000), isSecond: true },
        ]}
      />
      <TimeSeries {...head('TimeSeries, one value')} {...shared} dates={['2026-03-28']} series={one} />
      <TimeSeries {...head('TimeSeries, one value, today')} {...shared} dates={[today]} series={one} />
      <TimeSeries {...head('TimeSeries, empty')} {...shared} dates={[]} series={[]} />
    </>
  );
}

function BarStates() {
  const bars = [
    { key: 'gold', label: 'Gold', value: 12, after: 20 },
    { key: 'silver', label: 'Silver', value: 340, after: 332 },
    { key: 'none', label: 'None', value: 0, after: 0 },
  ];
  const long = [
    { key: 'long', label: LONG, value: 12_345_678_901 },
    { key: 'short', label: 'Short', value: 9_876_543_210 },
  ];
  return (
    <>
      <Bars {...head('Bars')} head="Tier" bars={bars.map(({ after: _, ...bar }) => bar)} />
      <Bars {...head('Bars, with what they would be')} head="Tier" bars={bars} />
      <Bars {...head('Bars, long labels, large numbers')} head="Tier" bars={long} />
      <Bars {...head('Bars, one value')} head="Tier" bars={bars.slice(0, 1)} />
      <Bars {...head('Bars, empty')} head="Tier" bars={[]} />
    </>
  );
}

function FunnelStates() {
  const steps = [
    { key: 'segment', label: 'In the segment', count: 1_200 },
    {
      ...{ key: 'sent', label: 'Sent', count: 900 },
      skipped: [
        { reason: 'No consent', count: 250 },
        { reason: 'No address', count: 50 },
      ],
    },
    { key: 'opened', label: 'Opened', count: 300 },
    { key: 'bought', label: 'Bought', count: 6 },
  ];
  const long = [
    { key: 'long', label: LONG, count: 12_345_678_901 },
    { key: 'next', label: LONG, count: 9_876_543, skipped: [{ reason: LONG, count: 12_335_802_358 }] },
  ];
  return (
    <>
      <Funnel {...head('Funnel')} steps={steps} />
      <Funnel {...head('Funnel, long labels, large numbers')} steps={long} />
      <Funnel {...head('Funnel, one value')} steps={steps.slice(0, 1)} />
      <Funnel {...head('Funnel, nobody')} steps={steps.map(({ key, label }) => ({ key, label, count: 0 }))} />
      <Funnel {...head('Funnel, empty')} steps={[]} />
    </>
  );
}

function HeatMapStates() {
  const cohorts = (count: number, size: number) =>
    Array.from({ length: count }, (_, at) => ({
      month: `2025-${String(at + 1).padStart(2, '0')}-01`,
      size: size - at,
      // The share of the first cohort in its last month is unknown.
      shares: Array.from({ length: count - at }, (_, after) =>
        at === 0 && after === count - 1 ? null : Math.round(100 / (1 + (after * (3 + at)) / 6)) / 100,
      ),
    }));
  return (
    <>
      <HeatMap {...head('HeatMap')} cohorts={cohorts(6, 240)} />
      <HeatMap {...head('HeatMap, many months, large numbers')} cohorts={cohorts(12, 12_345_678)} />
      <HeatMap {...head('HeatMap, one value')} cohorts={[{ month: '2026-03-01', size: 12, shares: [0.5] }]} />
      <HeatMap {...head('HeatMap, empty')} cohorts={[]} />
    </>
  );
}

function CalibrationStates() {
  const bins = Array.from({ length: 10 }, (_, at) => {
    const predicted = (at + 0.5) / 10;
    const observed = Math.round(1_000 * predicted ** 1.2) / 1_000;
    const error = 0.02 + at / 200;
    return {
      ...{ predicted, observed, count: 5_000 - 480 * at },
      low: Math.max(0, observed - error),
      high: Math.min(1, observed + error),
    };
  });
  const large = bins.map((bin) => ({ ...bin, count: bin.count * 1_000_000 }));
  return (
    <>
      <Calibration {...head('Calibration')} bins={bins} />
      <Calibration {...head('Calibration, large numbers')} bins={large} />
      <Calibration {...head('Calibration, one value')} bins={bins.slice(4, 5)} />
      <Calibration {...head('Calibration, empty')} bins={[]} />
    </>
  );
}

function SparklineStates() {
  const states = [
    { name: 'many values', values: wave(28) },
    { name: 'today unfinished', values: wave(28), isUnfinished: true },
    { name: 'large numbers', values: wave(28, 1_234_567_890) },
    { name: 'nothing happened', values: wave(28, 0) },
    { name: 'one value', values: [7] },
    { name: 'empty', values: [] },
  ];
  return (
    <Part title="Sparkline">
      {states.map(({ name, ...line }) => (
        <Group key={name} justify="space-between">
          <Text>{name}</Text>
          <Sparkline label={`Sparkline, ${name}`} {...line} />
        </Group>
      ))}
    </Part>
  );
}
