import { Table, Text } from '@mantine/core';
import { scaleLinear } from '@visx/scale';
import { Bar as Rect } from '@visx/shape';
import { Count } from '../design/values.tsx';
import { useText } from '../messages/text.ts';
import { PlotFrame, type PlotHead } from './plot-frame.tsx';
import classes from './plots.module.css';

export interface Bar {
  readonly key: string;
  readonly label: string;
  readonly value: number;
  /** The value after a planned change, as a second bar below the first. */
  readonly after?: number | undefined;
}

interface BarsProps extends PlotHead {
  /** Head of the column with the labels. */
  readonly head: string;
  readonly bars: readonly Bar[];
}

const WIDTH = 100;

/** Numbers as bars, each with its label and its value. */
export function Bars({ head, bars, ...frame }: BarsProps) {
  const t = useText();
  const hasAfter = bars.some(({ after }) => after !== undefined);
  return (
    <PlotFrame
      {...frame}
      columns={[{ head }, { head: frame.unit }, ...(hasAfter ? [{ head: t('plot.after') }] : [])]}
      rows={bars.map(({ label, value, after }) => [label, value, ...(after === undefined ? [] : [after])])}
    >
      <BarTable title={frame.title} bars={bars} />
    </PlotFrame>
  );
}

function BarTable({ title, bars }: Pick<BarsProps, 'title' | 'bars'>) {
  const top = Math.max(1, ...bars.flatMap(({ value, after = 0 }) => [value, after]));
  const x = scaleLinear<number>({ domain: [0, top], range: [0, WIDTH] });
  return (
    <Table aria-label={title} layout="fixed" withRowBorders={false} verticalSpacing={4}>
      <Table.Tbody>
        {bars.map(({ key, label, value, after }) => (
          <Table.Tr key={key}>
            <Table.Th scope="row" fw={400} className={`${classes['side']} ${classes['label']}`}>
              {label}
            </Table.Th>
            <Table.Td>
              <svg
                viewBox={`0 0 ${WIDTH} 8`}
                preserveAspectRatio="none"
                className={classes['bars']}
                aria-hidden="true"
              >
                <Rect width={x(value)} height={after === undefined ? 8 : 3} className={classes['bar']} />
                {after !== undefined && (
                  <Rect y={4} width={x(after)} height={4} className={classes['barAfter']} />
                )}
              </svg>
            </Table.Td>
            <Table.Td className={classes['side']} ta="right">
              <Text size="sm">
                <Count of={value} />
                {after !== undefined && (
                  <>
                    {' → '}
                    <Count of={after} />
                  </>
                )}
              </Text>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
