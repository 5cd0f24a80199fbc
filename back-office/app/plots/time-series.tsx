import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { useIntl } from 'react-intl';
import classes from './plots.module.css';

/** Values by day, all lines of the same days. */
export interface Series {
  readonly title: string;
  readonly values: readonly number[];
  /** Of the days before: drawn behind, dashed. */
  readonly isFormer?: boolean;
  /** Drawn in another colour than the first, and dashed. */
  readonly isSecond?: boolean;
}

interface TimeSeriesProps {
  /** What the plot shows, in a sentence. */
  readonly title: string;
  /** YYYY-MM-DD. */
  readonly dates: readonly string[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
}

const [WIDTH, HEIGHT] = [560, 180];
const MARGIN = { top: 8, right: 8, bottom: 22, left: 56 };

/** The class of a line in the style sheet. */
export function lineOf({ isFormer, isSecond }: Series): 'former' | 'second' | 'line' {
  if (isFormer) return 'former';
  return isSecond ? 'second' : 'line';
}

/** Lines over days. The pointer on a day shows its values. */
export function TimeSeries({ title, dates, series, format }: TimeSeriesProps) {
  const { formatDate } = useIntl();
  const dayOf = (date: string) => formatDate(date, { timeZone: 'UTC', day: 'numeric', month: 'short' });
  const top = Math.max(1, ...series.flatMap(({ values }) => values));
  const x = scaleLinear([0, Math.max(1, dates.length - 1)], [MARGIN.left, WIDTH - MARGIN.right]);
  const y = scaleLinear([0, top], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(3);
  // Values are counts: there is no half of one.
  const ticks = y.ticks(3).filter(Number.isInteger);
  const path = line<number>((_, day) => x(day), y);
  const step = x(1) - x(0);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={title} className={classes['plot']}>
      {ticks.map((tick) => (
        <g key={tick} transform={`translate(0 ${y(tick)})`}>
          <line x1={MARGIN.left} x2={WIDTH - MARGIN.right} className={classes['grid']} />
          <text x={MARGIN.left - 6} dy="0.32em" textAnchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
      <text x={MARGIN.left} y={HEIGHT - 4}>
        {dayOf(dates[0]!)}
      </text>
      <text x={WIDTH - MARGIN.right} y={HEIGHT - 4} textAnchor="end">
        {dayOf(dates.at(-1)!)}
      </text>
      {series.map((each) => (
        <path key={each.title} d={path(each.values) ?? ''} className={classes[lineOf(each)]} />
      ))}
      {dates.map((date, day) => (
        <rect
          key={date}
          className={classes['day']}
          x={x(day) - step / 2}
          y={MARGIN.top}
          width={step}
          height={HEIGHT - MARGIN.top - MARGIN.bottom}
        >
          <title>
            {[
              dayOf(date),
              ...series.map(({ title: name, values }) => `${name}: ${format(values[day] ?? 0)}`),
            ].join('\n')}
          </title>
        </rect>
      ))}
    </svg>
  );
}
