import { Card, Center, Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Logo } from './logo.tsx';

interface EntrancePageProps {
  readonly title: string;
  /** What else somebody may have come for. */
  readonly links: ReactNode;
  readonly children: ReactNode;
}

/** One form in the middle of the page. */
export function EntrancePage({ title, links, children }: EntrancePageProps) {
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <Center mih="100vh" p="md" component="main">
      <Stack gap="lg" w="100%" maw={384}>
        <Logo />
        <Card withBorder padding="lg">
          <Stack gap="md">
            <Title order={1}>{title}</Title>
            {children}
          </Stack>
        </Card>
        <Group justify="space-between" gap="xs">
          {links}
        </Group>
      </Stack>
    </Center>
  );
}
