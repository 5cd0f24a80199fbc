import { Card, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { type TextKey, useText } from '../messages/text.ts';

/** A section of a screen with its own heading. */
export function Part({
  title,
  actions,
  children,
}: {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <Card withBorder component="section" aria-label={title}>
      <Group justify="space-between" mih={28} mb="xs">
        <Title order={2} size="h5">
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </Card>
  );
}

type FactProps = { readonly children: ReactNode } & (
  | { readonly text: TextKey }
  /** A label that a person chose, which is not translated. */
  | { readonly label: string }
);

/** A label and its value on one line. */
export function Fact({ children, ...name }: FactProps) {
  const t = useText();
  return (
    <Group justify="space-between" wrap="nowrap" align="baseline" gap="md" py={2}>
      <Text size="xs" c="dimmed">
        {'label' in name ? name.label : t(name.text)}
      </Text>
      <Text size="sm" ta="right" style={{ overflowWrap: 'break-word', minWidth: 0 }}>
        {children}
      </Text>
    </Group>
  );
}
