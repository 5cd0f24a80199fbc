import { Box, Button, Card, Group, Table, Text, Title } from '@mantine/core';
import { AxisLeft, type TickRendererProps } from '@visx/axis';
import { GridRows } from '@visx/grid';
import type { scaleLinear } from '@visx/scale';
import { type ReactNode, useState } from 'react';
import { useIntl } from 'react-intl';
import { useText } from '../messages/text.ts';
import { type CsvCell, csvOf, download } from './csv.ts';
import classes from './plots.module.css';

/** The heading of a plot. */
export interface PlotHead {
  readonly title: string;
  /** Unit of the numbers, such as `points` or EUR. */
  readonly unit: string;
  /** The result in a sentence. */
  readonly finding: string;
  /** A control beside the title, such as a choice of currency. */
  readonly choice?: ReactNode;
}

interface PlotColumn {
  readonly head: string;
  /** Formats a text in the table. Default: as in the file. */
  readonly text?: (text: string) => string;
  /** Formats a number in the table. Default: by the locale. */
  readonly number?: (value: number) => string;
}

interface PlotFrameProps extends PlotHead {
  /** The numbers of the plot, for its table and its file. */
  readonly columns: readonly PlotColumn[];
  readonly rows: readonly (readonly CsvCell[])[];
  readonly children: ReactNode;
}

/** The frame of a plot: its finding, the plot or a table of its numbers, and a CSV file. */
export function PlotFrame({ title, unit, finding, choice, columns, rows, children }: PlotFrameProps) {
  const t = useText();
  const [isTable, setTable] = useState(false);
  const save = () => download(`${title}.csv`, csvOf([columns.map(({ head }) => head), ...rows]));
  const small = { size: 'compact-xs', variant: 'subtle' };
  return (
    <Card withBorder component="section" aria-label={title}>
      <Group justify="space-between" align="start" gap={4}>
        <Text size="xs" c="dimmed">
          {title} · {unit}
        </Text>
        <Group gap={4} ml="auto">
          {choice}
          {rows.length > 0 && (
            <>
              <Button {...small} aria-pressed={isTable} onClick={() => setTable(!isTable)}>
                {t('plot.table')}
              </Button>
              <Button {...small} onClick={save}>
                {t('plot.csv')}
              </Button>
            </>
          )}
        </Group>
      </Group>
      <Title order={2} size="h5" mb="sm">
        {finding}
      </Title>
      {rows.length === 0 && <Text c="dimmed">{t('plot.none')}</Text>}
      {rows.length > 0 && (isTable ? <Numbers title={title} columns={columns} rows={rows} /> : children)}
    </Card>
  );
}

function Numbers({ title, columns, rows }: Pick<PlotFrameProps, 'title' | 'columns' | 'rows'>) {
  const { formatNumber } = useIntl();
  const written = (cell: CsvCell, { text, number = formatNumber }: PlotColumn): string =>
    typeof cell === 'number' ? number(cell) : (text?.(cell) ?? cell);
  const isNumber = (column: number) => rows.some((row) => typeof row[column] === 'number');
  const sideOf = (column: number) => (isNumber(column) ? 'right' : 'left');
  return (
    <Box className={classes['numbers']} role="group" aria-label={title} tabIndex={0}>
      <Table aria-label={title} fz="xs" verticalSpacing={2}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ head }, column) => (
              <Table.Th key={head} ta={sideOf(column)}>
                {head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.join()}>
              {columns.map((column, place) => (
                <Table.Td key={column.head} ta={sideOf(place)}>
                  {written(row[place] ?? '', column)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}

interface LegendProps {
  /** The lines: title and CSS class. */
  readonly lines: readonly { readonly title: string; readonly line: 'former' | 'second' | 'line' }[];
}

/** The legend of a plot with several lines. */
export function Legend({ lines }: LegendProps) {
  return (
    <Group gap="md" justify="flex-end">
      {lines.map(({ title, line }) => (
        <Group key={title} gap={6} wrap="nowrap">
          <svg width="24" height="4" aria-hidden="true">
            <line x1="0" x2="24" y1="2" y2="2" className={classes[line]} />
          </svg>
          <Text size="xs" c="dimmed">
            {title}
          </Text>
        </Group>
      ))}
    </Group>
  );
}

/** Axis without lines. Its labels are styled by the style sheet. */
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

/** The axis at the left of a plot. */
export const leftAxis = { ...plainAxis, tickLength: 6, tickLabelProps: () => beside } as const;

interface LeftGridProps {
  readonly scale: ReturnType<typeof scaleLinear<number>>;
  readonly ticks: readonly number[];
  readonly left: number;
  readonly right: number;
  readonly format: (tick: number) => string;
}

/** A grid line across the plot for each tick, with its number at the left. */
export function LeftGrid({ scale, ticks, left, right, format }: LeftGridProps) {
  const shared = { scale, left, tickValues: [...ticks] };
  return (
    <>
      <GridRows {...shared} width={right - left} className={classes['grid']} />
      <AxisLeft {...leftAxis} {...shared} tickFormat={(tick) => format(+tick)} />
    </>
  );
}

/**
 * Formats a share from 0 to 1 as a percentage. Shares below 10% have one decimal digit, so that small ones
 * are not shown as 0%.
 */
export function usePercent() {
  const { formatNumber } = useIntl();
  return (share: number): string =>
    formatNumber(share, { style: 'percent', maximumFractionDigits: share > 0 && share < 0.1 ? 1 : 0 });
}
