import type { TickRendererProps } from '@visx/axis';

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
