import { AxisLeft, type TickRendererProps } from '@visx/axis';
import { GridRows } from '@visx/grid';
import type { scaleLinear } from '@visx/scale';
import classes from './plots.module.css';

/** Letters of a tick as the style sheet has them, without lines. */
export const plainAxis = {
  hideAxisLine: true,
  hideTicks: true,
  tickComponent: ({ x, y, dy, textAnchor, formattedValue }: TickRendererProps) => (
    <text x={x} y={y} dy={dy} textAnchor={textAnchor}>
      {formattedValue}
    </text>
  ),
} as const;

const beside = { dy: '0.32em', textAnchor: 'end' } as const;

/** Left of what it measures. */
export const leftAxis = { ...plainAxis, tickLength: 6, tickLabelProps: () => beside } as const;

interface LeftGridProps {
  readonly scale: ReturnType<typeof scaleLinear<number>>;
  readonly ticks: readonly number[];
  readonly left: number;
  readonly right: number;
  readonly format: (tick: number) => string;
}

/** A line across the plot for each tick, and its number on the left. */
export function LeftGrid({ scale, ticks, left, right, format }: LeftGridProps) {
  const shared = { scale, left, tickValues: [...ticks] };
  return (
    <>
      <GridRows {...shared} width={right - left} className={classes['grid']} />
      <AxisLeft {...leftAxis} {...shared} tickFormat={(tick) => format(+tick)} />
    </>
  );
}
