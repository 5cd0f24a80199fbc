import { AxisBottom } from '@visx/axis';
import { scaleLinear, scaleSqrt } from '@visx/scale';
import { Line, LinePath } from '@visx/shape';
import { useIntl } from 'react-intl';
import { useText } from '../messages/text.ts';
import { Chooser } from './chooser.tsx';
import { LeftGrid, Legend, PlotFrame, type PlotHead, plainAxis, usePercent } from './plot-frame.tsx';
import classes from './plots.module.css';

/** A bin of members with similar predictions. All shares are from 0 to 1. */
interface Bin {
  readonly predicted: number;
  readonly observed: number;
  /** Confidence bounds of the observed share. */
  readonly low: number;
  readonly high: number;
  readonly count: number;
}

interface CalibrationProps extends PlotHead {
  /** The bins, the lowest prediction first. */
  readonly bins: readonly Bin[];
}

const [WIDTH, HEIGHT] = [400, 320];
const MARGIN = { top: 20, right: 16, bottom: 40, left: 48 };
const MARKS = [0, 0.25, 0.5, 0.75, 1];
/** Radius of a point for the smallest and the largest count, in units of the view box. */
const RADII = [2.5, 7];

/** Predicted against observed shares. The nearer to the diagonal, the better. */
export function Calibration({ bins, ...frame }: CalibrationProps) {
  const t = useText();
  const percent = usePercent();
  return (
    <PlotFrame
      {...frame}
      columns={[
        { head: t('plot.predicted'), number: percent },
        { head: t('plot.observed'), number: percent },
        { head: t('plot.low'), number: percent },
        { head: t('plot.high'), number: percent },
        { head: frame.unit },
      ]}
      rows={bins.map(({ predicted, observed, low, high, count }) => [predicted, observed, low, high, count])}
    >
      <div className={classes['square']}>
        <Points label={`${frame.title}. ${frame.finding}`} bins={bins} unit={frame.unit} />
        <Legend
          lines={[
            { title: t('plot.diagonal'), line: 'former' },
            { title: t('plot.observed'), line: 'line' },
          ]}
        />
      </div>
    </PlotFrame>
  );
}

interface PointsProps extends Pick<CalibrationProps, 'bins' | 'unit'> {
  readonly label: string;
}

function useWords(unit: string) {
  const t = useText();
  const { formatNumber } = useIntl();
  const percent = usePercent();
  return ({ predicted, observed, low, high, count }: Bin) => {
    const within = { percent: percent(observed), from: percent(low), to: percent(high) };
    return {
      name: `${t('plot.predicted')}: ${percent(predicted)}`,
      values: [t('plot.observedWithin', within), `${formatNumber(count)} ${unit}`],
    };
  };
}

function Points({ label, bins, unit }: PointsProps) {
  const t = useText();
  const percent = usePercent();
  const wordsOf = useWords(unit);
  const [left, right, foot] = [MARGIN.left, WIDTH - MARGIN.right, HEIGHT - MARGIN.bottom];
  const x = scaleLinear<number>({ domain: [0, 1], range: [left, right] });
  const y = scaleLinear<number>({ domain: [0, 1], range: [foot, MARGIN.top] });
  const radius = scaleSqrt<number>({
    domain: [0, Math.max(...bins.map(({ count }) => count))],
    range: RADII,
  });
  const distance = (bin: Bin, share: number) => Math.abs(x(bin.predicted) - share * WIDTH);
  return (
    <Chooser
      label={label}
      count={bins.length}
      first={0}
      nearest={(share) =>
        bins.reduce((best, bin, at) => (distance(bin, share) < distance(bins[best]!, share) ? at : best), 0)
      }
      choiceOf={(at) => ({ at: x(bins[at]!.predicted) / WIDTH, ...wordsOf(bins[at]!) })}
    >
      {(chosen) => (
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label} className={classes['plot']}>
          <LeftGrid scale={y} ticks={MARKS} left={left} right={right} format={percent} />
          <AxisBottom
            {...plainAxis}
            scale={x}
            top={foot}
            tickValues={MARKS}
            tickFormat={(tick) => percent(+tick)}
            tickLabelProps={() => ({ textAnchor: 'middle' })}
          />
          <text x={0} y={10}>
            {t('plot.observed')}
          </text>
          <text x={right} y={HEIGHT - 4} textAnchor="end">
            {t('plot.predicted')}
          </text>
          <Line from={{ x: x(0), y: y(0) }} to={{ x: x(1), y: y(1) }} className={classes['former']} />
          <LinePath
            data={[...bins]}
            x={({ predicted }) => x(predicted)}
            y={({ observed }) => y(observed)}
            className={classes['line']}
          />
          {bins.map(({ predicted, observed, low, high, count }, at) => (
            <g key={predicted} className={classes[at === chosen ? 'pointChosen' : 'point']}>
              <line x1={x(predicted)} x2={x(predicted)} y1={y(low)} y2={y(high)} />
              <circle cx={x(predicted)} cy={y(observed)} r={radius(count)} />
            </g>
          ))}
        </svg>
      )}
    </Chooser>
  );
}
