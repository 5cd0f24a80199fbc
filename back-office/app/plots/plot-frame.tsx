import { Card, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface PlotFrameProps {
  readonly title: string;
  /** Of its numbers, such as `points` or EUR. */
  readonly unit: string;
  /** What the numbers say, in a sentence. */
  readonly finding: string;
  /** Buttons beside the title. */
  readonly acts: ReactNode;
  readonly children: ReactNode;
}

/** A plot under its finding. */
export function PlotFrame({ title, unit, finding, acts, children }: PlotFrameProps) {
  return (
    <Card withBorder component="section" aria-label={title}>
      <Group justify="space-between" wrap="nowrap" align="start">
        <Text size="xs" c="dimmed">
          {title} · {unit}
        </Text>
        <Group gap={4} wrap="nowrap">
          {acts}
        </Group>
      </Group>
      <Title order={2} size="h5" mb="sm">
        {finding}
      </Title>
      {children}
    </Card>
  );
}
