import { Box, Card, Group, Text } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef, ReactNode } from 'react';

interface TileProps {
  readonly title: string;
  /** The recent values as a small line. Its space is reserved while it loads. */
  readonly trend?: ReactNode;
  readonly children: ReactNode;
}

/** A number below its title. */
export function Tile(figure: TileProps) {
  return (
    <Card withBorder>
      <Figure {...figure} />
    </Card>
  );
}

/** A number that links to the screen with the counted rows. */
export const LinkTile = createLink(function LinkTileCard({
  title,
  trend,
  children,
  ...link
}: TileProps & Omit<ComponentPropsWithRef<'a'>, keyof TileProps>) {
  return (
    <Card withBorder component="a" {...link}>
      <Figure title={title} trend={trend}>
        {children}
      </Figure>
    </Card>
  );
});

function Figure({ title, trend, children }: TileProps) {
  return (
    <>
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      <Group justify="space-between" gap="xs">
        <Text size="xl" fw={600}>
          {children}
        </Text>
        {trend && (
          <Box w={72} h={24}>
            {trend}
          </Box>
        )}
      </Group>
    </>
  );
}
