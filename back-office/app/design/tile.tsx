import { Card, Text } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef, ReactNode } from 'react';

interface TileProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A number under its name. */
export function Tile({ title, children }: TileProps) {
  return (
    <Card withBorder>
      <Figure title={title}>{children}</Figure>
    </Card>
  );
}

/** A number that leads to what it counts. */
export const LinkTile = createLink(function LinkTileCard({
  title,
  children,
  ...link
}: TileProps & Omit<ComponentPropsWithRef<'a'>, keyof TileProps>) {
  return (
    <Card withBorder component="a" {...link}>
      <Figure title={title}>{children}</Figure>
    </Card>
  );
});

function Figure({ title, children }: TileProps) {
  return (
    <>
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      <Text size="xl" fw={600}>
        {children}
      </Text>
    </>
  );
}
