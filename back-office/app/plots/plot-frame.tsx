import { Box, Button, Card, Group, Table, Text, Title } from '@mantine/core';
import { AxisLeft, type TickRendererProps } from '@visx/axis';
import { GridRows } from '@visx/grid';
import type { scaleLinear } from '@visx/scale';
import { type ReactNode, useState } from 'react';
import { useIntl } from 'react-intl';
import { useText } from '../messages/text.ts';
import { type CsvCell, csvOf, download } from './csv.ts';
import classes from './plots.module.css';

/** What every plot says above itself. */
export interface PlotHead {
  readonly title: string;
  /** Of its numbers, such as `points` or EUR. */
  readonly unit: string;
  /** What the numbers say, in a sentence. */
  readonly finding: string;
  /** What is shown of several, or done with it. */
  readonly choice?: ReactNode;
}

interface PlotColumn {
  readonly head: string;
  /** How the table writes a text. Default: as the file has it. */
  readonly text?: (text: string) => string;
  /** How the table writes a number. Default: in the language of the reader. */
  readonly number?: (value: number) => string;
}

interface PlotFrameProps extends PlotHead {
  /** The numbers of the plot, for its table and its file. */
  readonly columns: readonly PlotColumn[];
  readonly rows: readonly (readonly CsvCell[])[];
  readonly children: ReactNode;
}

/** A plot under its finding; the same numbers as a table and as a file. */
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
  /** Each line: what it is, and its class in the style sheet. */
  readonly lines: readonly { readonly title: string; readonly line: 'former' | 'second' | 'line' }[];
}

/** Which line is what. */
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

/** A share from 0 to 1 in hundredths; a small one is not said to be none. */
export function usePercent() {
  const { formatNumber } = useIntl();
  return (share: number): string =>
    formatNumber(share, { style: 'percent', maximumFractionDigits: share > 0 && share < 0.1 ? 1 : 0 });
}
