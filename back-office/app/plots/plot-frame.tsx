import { Box, Button, Card, Group, Table, Text, Title } from '@mantine/core';
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

export interface PlotColumn {
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
