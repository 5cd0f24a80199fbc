import { Group, Text } from '@mantine/core';
import classes from './plots.module.css';

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
