import { AxisLeft, AxisTop } from '@visx/axis';
import { HeatmapRect } from '@visx/heatmap';
import { scaleBand, scaleQuantize } from '@visx/scale';
import { useIntl } from 'react-intl';
import { useText } from '../messages/text.ts';
import { Chooser } from './chooser.tsx';
import { leftAxis, PlotFrame, type PlotHead, plainAxis, usePercent } from './plot-frame.tsx';
import classes from './plots.module.css';

/** The members who joined in one month. */
interface Cohort {
  /** YYYY-MM-DD, the first of the month. */
  readonly month: string;
  readonly size: number;
  /**
   * Share of the cohort, from 0 to 1, in the first month and in each later month. Null for a month that has
   * not ended.
   */
  readonly shares: readonly (number | null)[];
}

interface HeatMapProps extends PlotHead {
  readonly cohorts: readonly Cohort[];
}

const WIDTH = 560;
const MARGIN = { top: 22, left: 64 };
const ROW = 26;
/** Opacity steps of a cell. Values between 0.62 and 0.88 are absent, because no text is readable on them. */
const STRENGTHS = [0.06, 0.2, 0.34, 0.48, 0.62, 0.88, 1];
/** From this opacity on the text of a cell has the colour of the card. */
const STRONG = 0.88;

/** The share of each cohort that remains after each month. */
export function HeatMap({ cohorts, ...frame }: HeatMapProps) {
  const t = useText();
  const percent = usePercent();
  const nameOf = useMonth();
  const months = Math.max(0, ...cohorts.map(({ shares }) => shares.length));
  const afters = Array.from({ length: months }, (_, after) => after);
  return (
    <PlotFrame
      {...frame}
      columns={[
        { head: t('plot.cohort'), text: nameOf },
        { head: t('plot.size') },
        ...afters.map((after) => ({ head: t('plot.monthAfter', { after }), number: percent })),
      ]}
      rows={cohorts.map(({ month, size, shares }) => [
        ...[month, size],
        ...afters.map((after) => shares[after] ?? ''),
      ])}
    >
      <div className={classes['scroll']}>
        <Cells label={`${frame.title}. ${frame.finding}`} cohorts={cohorts} afters={afters} />
      </div>
    </PlotFrame>
  );
}

function useMonth() {
  const { formatDate } = useIntl();
  return (month: string) => formatDate(month, { month: 'short', year: 'numeric', timeZone: 'UTC' });
}

interface CellsProps extends Pick<HeatMapProps, 'cohorts'> {
  readonly label: string;
  readonly afters: readonly number[];
}

function Cells({ label, cohorts, afters }: CellsProps) {
  const t = useText();
  const percent = usePercent();
  const monthOf = useMonth();
  const height = MARGIN.top + ROW * cohorts.length;
  const x = scaleBand<number>({ domain: [...afters], range: [MARGIN.left, WIDTH] });
  const y = scaleBand<number>({ domain: cohorts.map((_, row) => row), range: [MARGIN.top, height] });
  const choiceOf = (index: number) => {
    const [row, after] = [Math.floor(index / afters.length), index % afters.length];
    const { month, size, shares } = cohorts[row]!;
    const share = shares[after] ?? null;
    return {
      at: x(after)! / (WIDTH - x.bandwidth()),
      below: (y(row)! + ROW) / height,
      name: `${monthOf(month)}, ${t('plot.monthAfter', { after })}`,
      values: [share === null ? t('plot.notYet') : t('plot.ofSize', { percent: percent(share), size })],
    };
  };
  return (
    <Chooser
      label={label}
      count={cohorts.length * afters.length}
      first={0}
      rowLength={afters.length}
      nearest={(right, down) => {
        const column = Math.floor((right * WIDTH - MARGIN.left) / x.bandwidth());
        const row = Math.floor((down * height - MARGIN.top) / ROW);
        const within = (place: number, count: number) => Math.min(count - 1, Math.max(0, place));
        return within(row, cohorts.length) * afters.length + within(column, afters.length);
      }}
      choiceOf={choiceOf}
    >
      {(chosen) => (
        <svg viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={label} className={classes['plot']}>
          <AxisLeft
            {...leftAxis}
            scale={y}
            left={MARGIN.left}
            tickFormat={(row) => monthOf(cohorts[+row]!.month)}
          />
          <AxisTop
            {...plainAxis}
            scale={x}
            top={MARGIN.top}
            tickLabelProps={() => ({ textAnchor: 'middle' })}
          />
          <HeatmapRect
            data={afters.map((after) => cohorts.map(({ shares }) => shares[after] ?? null))}
            bins={(column) => column}
            count={(share) => share ?? 0}
            xScale={(after) => x(after) ?? 0}
            yScale={(row) => y(row) ?? 0}
            binWidth={x.bandwidth()}
            binHeight={ROW}
            gap={2}
          >
            {(columns) =>
              columns
                .flat()
                .map((cell) => (
                  <Cell
                    key={`${cell.row} ${cell.column}`}
                    {...cell}
                    share={cell.bin}
                    isChosen={cell.row * afters.length + cell.column === chosen}
                  />
                ))
            }
          </HeatmapRect>
        </svg>
      )}
    </Chooser>
  );
}

interface CellProps extends Record<'x' | 'y' | 'width' | 'height', number> {
  readonly share: number | null;
  readonly isChosen: boolean;
}

const strengthOf = scaleQuantize({ domain: [0, 1], range: STRENGTHS });

function Cell({ share, isChosen, x, y, width, height }: CellProps) {
  const { formatNumber } = useIntl();
  const place = { x, y, width, height, rx: 3 };
  const strength = strengthOf(share ?? 0);
  return (
    <>
      {share !== null && <rect {...place} className={classes['cell']} fillOpacity={strength} />}
      {share !== null && (
        <text
          x={x + width / 2}
          y={y + height / 2}
          dy="0.34em"
          textAnchor="middle"
          className={classes[strength < STRONG ? 'weak' : 'strong']}
        >
          {formatNumber(100 * share, { maximumFractionDigits: 0 })}
        </text>
      )}
      {isChosen && <rect {...place} className={classes['chosen']} />}
    </>
  );
}
