import { AxisBottom } from '@visx/axis';
import { scaleLinear } from '@visx/scale';
import { useIntl } from 'react-intl';
import { useViewer } from '../graph/viewer.ts';
import { useText } from '../messages/text.ts';
import { Chooser } from './chooser.tsx';
import { lastDays, marksOf } from './days.ts';
import { Line, lineOf, type Series } from './line.tsx';
import { LeftGrid, Legend, PlotFrame, type PlotHead, plainAxis } from './plot-frame.tsx';
import classes from './plots.module.css';

interface Days {
  /** YYYY-MM-DD. */
  readonly dates: readonly string[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
}

const [WIDTH, HEIGHT] = [560, 180];
const MARGIN = { top: 8, right: 8, bottom: 22, left: 56 };
const MARKS = 5;

/** Lines over days. */
export function TimeSeries({ dates, series, format, ...head }: PlotHead & Days) {
  const t = useText();
  const { workspace } = useViewer();
  const dayOf = useDay();
  const isUnfinished = dates.at(-1) === lastDays(1, workspace.timeZone);
  const nameOf = (date: string): string =>
    isUnfinished && date === dates.at(-1) ? t('plot.soFar', { day: dayOf(date) }) : dayOf(date);
  const lines = { label: `${head.title}. ${head.finding}`, dates, series, format, isUnfinished, nameOf };
  return (
    <PlotFrame
      {...head}
      columns={[
        { head: t('plot.day'), text: nameOf },
        ...series.map(({ title }) => ({ head: title, number: format })),
      ]}
      rows={dates.map((date, day) => [date, ...series.map(({ values }) => values[day] ?? 0)])}
    >
      <Lines {...lines} />
      <Legend lines={series.map((each) => ({ title: each.title, line: lineOf(each) }))} />
    </PlotFrame>
  );
}

function useDay() {
  const { formatDate } = useIntl();
  return (date: string) => formatDate(date, { timeZone: 'UTC', day: 'numeric', month: 'short' });
}

interface LinesProps extends Days {
  /** What the plot shows, in a sentence. */
  readonly label: string;
  /** The last day is today and has not ended. */
  readonly isUnfinished: boolean;
  readonly nameOf: (date: string) => string;
}

function Lines({ label, dates, series, format, isUnfinished, nameOf }: LinesProps) {
  const dayOf = useDay();
  const last = dates.length - 1;
  const top = Math.max(1, ...series.flatMap(({ values }) => values));
  const [left, right, foot] = [MARGIN.left, WIDTH - MARGIN.right, HEIGHT - MARGIN.bottom];
  const x = scaleLinear<number>({ domain: [0, Math.max(1, last)], range: [left, right] });
  const y = scaleLinear<number>({ domain: [0, top], range: [foot, MARGIN.top], nice: 3 });
  // Values are counts, so ticks are integers.
  const ticks = y.ticks(3).filter(Number.isInteger);
  const sideOf = (day: number) => {
    if (day === 0) return 'start';
    return day === last ? 'end' : 'middle';
  };
  return (
    <Chooser
      label={label}
      count={dates.length}
      first={last}
      nearest={(share) => Math.round(x.invert(share * WIDTH))}
      choiceOf={(day) => ({
        at: x(day) / WIDTH,
        name: nameOf(dates[day]!),
        values: series.map(({ title, values }) => `${title}: ${format(values[day] ?? 0)}`),
      })}
    >
      {(chosen) => (
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label} className={classes['plot']}>
          <LeftGrid scale={y} ticks={ticks} left={left} right={right} format={format} />
          <AxisBottom
            {...plainAxis}
            scale={x}
            top={foot}
            tickValues={marksOf(dates.length, MARKS)}
            tickFormat={(day) => dayOf(dates[+day]!)}
            tickLabelProps={(day) => ({ textAnchor: sideOf(+day) })}
          />
          {chosen !== null && (
            <line x1={x(chosen)} x2={x(chosen)} y1={MARGIN.top} y2={foot} className={classes['mark']} />
          )}
          {series.map((each) => (
            <Line key={each.title} of={each} isUnfinished={isUnfinished} x={x} y={y} />
          ))}
        </svg>
      )}
    </Chooser>
  );
}
