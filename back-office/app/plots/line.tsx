import { scaleLinear } from '@visx/scale';
import { LinePath } from '@visx/shape';
import classes from './plots.module.css';

/** Values by day. All series of a plot have the same days. */
export interface Series {
  readonly title: string;
  readonly values: readonly number[];
  /** The series is the previous period: drawn behind, dashed. */
  readonly isFormer?: boolean;
  /** The series is drawn in a second colour, dashed. */
  readonly isSecond?: boolean;
}

/** Returns the CSS class of a line. */
export function lineOf({ isFormer, isSecond }: Series): 'former' | 'second' | 'line' {
  if (isFormer) return 'former';
  return isSecond ? 'second' : 'line';
}

interface LineProps {
  readonly of: Series;
  /** The last day is today and has not ended. */
  readonly isUnfinished: boolean;
  readonly x: (day: number) => number;
  readonly y: (value: number) => number;
}

/**
 * The line of a series. The segment to an unfinished day is dotted, and its point is hollow. A single value
 * is a point.
 */
export function Line({ of, isUnfinished, x, y }: LineProps) {
  const points = of.values.map((value, day) => ({ x: x(day), y: y(value) }));
  const isOpen = isUnfinished && !of.isFormer;
  const last = points.at(-1);
  const shared = { x: (point: Point) => point.x, y: (point: Point) => point.y };
  const className = classes[lineOf(of)];
  return (
    <>
      <LinePath {...shared} data={isOpen ? points.slice(0, -1) : points} className={className} />
      {isOpen && (
        <LinePath {...shared} data={points.slice(-2)} className={`${className} ${classes['unfinished']}`} />
      )}
      {last && (isOpen || points.length === 1) && (
        <circle
          cx={last.x}
          cy={last.y}
          r="3.5"
          className={`${className} ${classes[isOpen ? 'hollow' : 'single']}`}
          data-testid={isOpen ? 'unfinished-day' : undefined}
        />
      )}
    </>
  );
}

interface Point {
  readonly x: number;
  readonly y: number;
}

interface SparklineProps {
  /** Describes the line in a sentence, for screen readers. */
  readonly label: string;
  readonly values: readonly number[];
  /** The last value is that of today, which has not ended. */
  readonly isUnfinished?: boolean;
}

const [WIDTH, HEIGHT] = [72, 24];
/** Space for the point at the end, in units of the view box. */
const MARGIN = 5;

/** A small line without axes, beside a number. */
export function Sparkline({ label, values, isUnfinished = false }: SparklineProps) {
  if (values.length === 0) return null;
  const last = Math.max(1, values.length - 1);
  const top = Math.max(1, ...values);
  const x = scaleLinear<number>({ domain: [0, last], range: [MARGIN, WIDTH - MARGIN] });
  const y = scaleLinear<number>({ domain: [0, top], range: [HEIGHT - MARGIN, MARGIN] });
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label} className={classes['sparkline']}>
      <Line of={{ title: label, values }} isUnfinished={isUnfinished} x={x} y={y} />
    </svg>
  );
}
