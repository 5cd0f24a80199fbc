import { Button, Group, ScrollArea, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { Part } from '../design/part.tsx';
import { useText } from '../messages/text.ts';
import { csvOf, download } from './csv.ts';
import classes from './plots.module.css';
import { lineOf, type Series, TimeSeries } from './time-series.tsx';

interface PlotCardProps {
  readonly title: string;
  /** What the numbers say, in a sentence. */
  readonly finding: string;
  /** YYYY-MM-DD. */
  readonly dates: readonly string[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
}

/** A plot under its finding; the same numbers as a table and as a file. */
export function PlotCard({ title, finding, dates, series, format }: PlotCardProps) {
  const t = useText();
  const [isTable, setTable] = useState(false);
  const save = () => {
    const heads = [t('plot.day'), ...series.map((each) => each.title)];
    const rows = dates.map((date, day) => [date, ...series.map(({ values }) => values[day] ?? 0)]);
    download(`${title}.csv`, csvOf([heads, ...rows]));
  };
  const acts = (
    <Group gap={4}>
      <Button size="compact-xs" variant="subtle" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
        {t('plot.table')}
      </Button>
      <Button size="compact-xs" variant="subtle" onClick={save}>
        {t('plot.csv')}
      </Button>
    </Group>
  );
  return (
    <Part title={title} actions={acts}>
      <Text size="sm" mb="xs">
        {finding}
      </Text>
      {isTable ? (
        <DayTable title={title} dates={dates} series={series} format={format} />
      ) : (
        <>
          <TimeSeries title={`${title}. ${finding}`} dates={dates} series={series} format={format} />
          <Legend series={series} />
        </>
      )}
    </Part>
  );
}

function Legend({ series }: Pick<PlotCardProps, 'series'>) {
  return (
    <Group gap="md" justify="flex-end">
      {series.map((each) => (
        <Group key={each.title} gap={6}>
          <svg width="24" height="4" aria-hidden="true">
            <line x1="0" x2="24" y1="2" y2="2" className={classes[lineOf(each)]} />
          </svg>
          <Text size="xs" c="dimmed">
            {each.title}
          </Text>
        </Group>
      ))}
    </Group>
  );
}

function DayTable({ title, dates, series, format }: Omit<PlotCardProps, 'finding'>) {
  const t = useText();
  const { formatDate } = useIntl();
  return (
    <ScrollArea.Autosize
      mah={180}
      type="auto"
      viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': title }}
    >
      <Table aria-label={title} fz="xs" verticalSpacing={2}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('plot.day')}</Table.Th>
            {series.map((each) => (
              <Table.Th key={each.title} ta="right">
                {each.title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {dates.map((date, day) => (
            <Table.Tr key={date}>
              <Table.Td>{formatDate(date, { timeZone: 'UTC', day: 'numeric', month: 'short' })}</Table.Td>
              {series.map((each) => (
                <Table.Td key={each.title} ta="right">
                  {format(each.values[day] ?? 0)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}
