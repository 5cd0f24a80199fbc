import { Button, Group, ScrollArea, Table, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useViewer } from '../graph/viewer.ts';
import { useText } from '../messages/text.ts';
import { csvOf, download } from './csv.ts';
import { lastDays } from './days.ts';
import { PlotFrame } from './plot-frame.tsx';
import classes from './plots.module.css';
import { lineOf, type Series, TimeSeries, useDayName } from './time-series.tsx';

interface PlotCardProps {
  readonly title: string;
  /** Of its numbers, such as `points` or EUR. */
  readonly unit: string;
  /** What the numbers say, in a sentence. */
  readonly finding: string;
  /** YYYY-MM-DD. */
  readonly dates: readonly string[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  /** What is shown of several. */
  readonly choice?: ReactNode;
}

/** A plot under its finding; the same numbers as a table and as a file. */
export function PlotCard({ title, unit, finding, dates, series, format, choice }: PlotCardProps) {
  const t = useText();
  const { workspace } = useViewer();
  const isUnfinished = dates.at(-1) === lastDays(1, workspace.timeZone);
  const shown = { title, dates, series, isUnfinished, format };
  const [isTable, setTable] = useState(false);
  const save = () => {
    const heads = [t('plot.day'), ...series.map((each) => each.title)];
    const rows = dates.map((date, day) => [date, ...series.map(({ values }) => values[day] ?? 0)]);
    download(`${title}.csv`, csvOf([heads, ...rows]));
  };
  const acts = (
    <>
      {choice}
      <Button size="compact-xs" variant="subtle" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
        {t('plot.table')}
      </Button>
      <Button size="compact-xs" variant="subtle" onClick={save}>
        {t('plot.csv')}
      </Button>
    </>
  );
  return (
    <PlotFrame title={title} unit={unit} finding={finding} acts={acts}>
      {isTable ? (
        <DayTable {...shown} />
      ) : (
        <>
          <TimeSeries {...shown} title={`${title}. ${finding}`} />
          <Legend series={series} />
        </>
      )}
    </PlotFrame>
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

interface DayTableProps extends Pick<PlotCardProps, 'title' | 'dates' | 'series' | 'format'> {
  readonly isUnfinished: boolean;
}

function DayTable({ title, dates, series, isUnfinished, format }: DayTableProps) {
  const t = useText();
  const nameOf = useDayName(isUnfinished, dates.at(-1));
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
              <Table.Td>{nameOf(date)}</Table.Td>
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
