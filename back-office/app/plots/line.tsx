import { scaleLinear } from '@visx/scale';
import { LinePath } from '@visx/shape';
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

/** The class of a line in the style sheet. */
export function lineOf({ isFormer, isSecond }: Series): 'former' | 'second' | 'line' {
  if (isFormer) return 'former';
  return isSecond ? 'second' : 'line';
}

interface LineProps {
  readonly of: Series;
  /** The last day is today: more may come. */
  readonly isUnfinished: boolean;
  readonly x: (day: number) => number;
  readonly y: (value: number) => number;
}

/** The way to a day that is not over is dotted, and its point hollow. A single value is a point. */
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
  /** What the line says, in a sentence: who does not see it reads this. */
  readonly label: string;
  readonly values: readonly number[];
  /** The last value is of today: more may come. */
  readonly isUnfinished?: boolean;
}

const [WIDTH, HEIGHT] = [72, 24];
/** Room for the point at the end. */
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
