import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { type PointerEvent, useState } from 'react';
import { useIntl } from 'react-intl';
import { useText } from '../messages/text.ts';
import { marksOf } from './days.ts';
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
  /** The last day is today: more may come. */
  readonly isUnfinished: boolean;
  readonly format: (value: number) => string;
}

const [WIDTH, HEIGHT] = [560, 180];
const MARGIN = { top: 8, right: 8, bottom: 22, left: 56 };
const MARKS = 5;

/** The class of a line in the style sheet. */
export function lineOf({ isFormer, isSecond }: Series): 'former' | 'second' | 'line' {
  if (isFormer) return 'former';
  return isSecond ? 'second' : 'line';
}

/** A day as plots and their tables write it; of today, that it is not over. */
export function useDayName(isUnfinished: boolean, last: string | undefined) {
  const t = useText();
  const { formatDate } = useIntl();
  return (date: string): string => {
    const day = formatDate(date, { timeZone: 'UTC', day: 'numeric', month: 'short' });
    return isUnfinished && date === last ? t('plot.soFar', { day }) : day;
  };
}

type Point = (value: number) => number;

/** Lines over days. The values of a day show where a pointer, a finger or the arrow keys choose it. */
export function TimeSeries({ title, dates, series, isUnfinished, format }: TimeSeriesProps) {
  const nameOf = useDayName(isUnfinished, dates.at(-1));
  const [chosen, setChosen] = useState<number | null>(null);
  const last = dates.length - 1;
  const top = Math.max(1, ...series.flatMap(({ values }) => values));
  const x = scaleLinear([0, Math.max(1, last)], [MARGIN.left, WIDTH - MARGIN.right]);
  const y = scaleLinear([0, top], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(3);
  // Values are counts: there is no half of one.
  const ticks = y.ticks(3).filter(Number.isInteger);
  const choose = ({ currentTarget, clientX }: PointerEvent<HTMLElement>): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const day = Math.round(x.invert(((clientX - left) / width) * WIDTH));
    setChosen(Math.min(last, Math.max(0, day)));
  };
  const valuesOf = (day: number) =>
    series.map(({ title: name, values }) => `${name}: ${format(values[day] ?? 0)}`);
  const shown = chosen ?? last;
  return (
    <div
      className={classes['frame']}
      onPointerMove={choose}
      onPointerDown={choose}
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setChosen(null)}
    >
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={title} className={classes['plot']}>
        {ticks.map((tick) => (
          <g key={tick} transform={`translate(0 ${y(tick)})`}>
            <line x1={MARGIN.left} x2={WIDTH - MARGIN.right} className={classes['grid']} />
            <text x={MARGIN.left - 6} dy="0.32em" textAnchor="end">
              {format(tick)}
            </text>
          </g>
        ))}
        <DayMarks dates={dates} x={x} />
        {chosen !== null && (
          <line
            x1={x(chosen)}
            x2={x(chosen)}
            y1={MARGIN.top}
            y2={HEIGHT - MARGIN.bottom}
            className={classes['grid']}
          />
        )}
        {series.map((each) => (
          <Line key={each.title} of={each} isUnfinished={isUnfinished} x={x} y={y} />
        ))}
      </svg>
      <input
        type="range"
        className={classes['days']}
        aria-label={title}
        aria-valuetext={[nameOf(dates[shown]!), ...valuesOf(shown)].join(', ')}
        min={0}
        max={last}
        value={shown}
        onChange={({ currentTarget: { valueAsNumber } }) => setChosen(valueAsNumber)}
        onFocus={() => setChosen(shown)}
        onBlur={() => setChosen(null)}
      />
      {chosen !== null && (
        <Values at={x(chosen) / WIDTH} day={nameOf(dates[chosen]!)} values={valuesOf(chosen)} />
      )}
    </div>
  );
}

/** Some of the days below the lines, the first and the last among them. */
function DayMarks({ dates, x }: Pick<TimeSeriesProps, 'dates'> & { readonly x: Point }) {
  const { formatDate } = useIntl();
  const anchorOf = (day: number) => {
    if (day === 0) return 'start';
    return day === dates.length - 1 ? 'end' : 'middle';
  };
  return marksOf(dates.length, MARKS).map((day) => (
    <text key={day} x={x(day)} y={HEIGHT - 4} textAnchor={anchorOf(day)}>
      {formatDate(dates[day], { timeZone: 'UTC', day: 'numeric', month: 'short' })}
    </text>
  ));
}

interface LineProps extends Pick<TimeSeriesProps, 'isUnfinished'> {
  readonly of: Series;
  readonly x: Point;
  readonly y: Point;
}

/** The way to a day that is not over is dotted, and its point hollow. */
function Line({ of, isUnfinished, x, y }: LineProps) {
  const { values } = of;
  const path = line<number>((_, day) => x(day), y);
  const className = classes[lineOf(of)];
  if (!isUnfinished || of.isFormer || values.length < 2)
    return <path d={path(values) ?? ''} className={className} />;
  const last = values.length - 1;
  return (
    <>
      <path d={path(values.slice(0, last)) ?? ''} className={className} />
      <path
        d={`M${x(last - 1)} ${y(values[last - 1]!)} L${x(last)} ${y(values[last]!)}`}
        className={`${className} ${classes['unfinished']}`}
      />
      <circle
        cx={x(last)}
        cy={y(values[last]!)}
        r="3.5"
        className={`${className} ${classes['hollow']}`}
        data-testid="unfinished-day"
      />
    </>
  );
}

interface ValuesProps {
  /** 0 at the left end of the plot, 1 at the right end. */
  readonly at: number;
  readonly day: string;
  readonly values: readonly string[];
}

function Values({ at, day, values }: ValuesProps) {
  const share = `${100 * at}%`;
  return (
    <div className={classes['values']} style={{ left: share, transform: `translateX(-${share})` }}>
      <strong>{day}</strong>
      {values.map((value) => (
        <div key={value}>{value}</div>
      ))}
    </div>
  );
}
