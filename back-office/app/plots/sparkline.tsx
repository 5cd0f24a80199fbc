import { scaleLinear } from '@visx/scale';
import { Line } from './line.tsx';
import classes from './plots.module.css';

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
