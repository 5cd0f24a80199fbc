import { Table, Text } from '@mantine/core';
import { Count } from '../design/values.tsx';
import classes from './plots.module.css';

export interface Bar {
  readonly key: string;
  readonly label: string;
  readonly value: number;
  /** What it would be; drawn below the value where it is known. */
  readonly after?: number | undefined;
}

const WIDTH = 100;

/** Numbers side by side: a bar, and the number in words beside it. */
export function Bars({ title, bars }: { readonly title: string; readonly bars: readonly Bar[] }) {
  const top = Math.max(1, ...bars.flatMap(({ value, after = 0 }) => [value, after]));
  const widthOf = (value: number) => (WIDTH * value) / top;
  return (
    <Table aria-label={title} layout="fixed" withRowBorders={false} verticalSpacing={4}>
      <Table.Tbody>
        {bars.map(({ key, label, value, after }) => (
          <Table.Tr key={key}>
            <Table.Th scope="row" fw={400} w={130}>
              {label}
            </Table.Th>
            <Table.Td>
              <svg
                viewBox={`0 0 ${WIDTH} 8`}
                preserveAspectRatio="none"
                className={classes['bars']}
                aria-hidden="true"
              >
                <rect
                  width={widthOf(value)}
                  height={after === undefined ? 8 : 3}
                  className={classes['bar']}
                />
                {after !== undefined && (
                  <rect y="4" width={widthOf(after)} height="4" className={classes['barAfter']} />
                )}
              </svg>
            </Table.Td>
            <Table.Td w={130} ta="right">
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
