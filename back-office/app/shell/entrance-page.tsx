import { Card, Center, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

interface EntrancePageProps {
  readonly title: string;
  /** Links to other pages for visitors. */
  readonly links: ReactNode;
  readonly children: ReactNode;
}

/** A page with one form in the middle. */
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

function Logo() {
  return (
    <Group gap="xs" wrap="nowrap">
      <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="#1d4ed8" />
        <path d="M10 7v17h13" fill="none" stroke="#fff" strokeWidth="4" strokeLinecap="round" />
        <circle cx="21" cy="11" r="4" fill="#ffd166" />
      </svg>
      <Text fw={700} visibleFrom="xs">
        Loyalty Platform
      </Text>
    </Group>
  );
}
