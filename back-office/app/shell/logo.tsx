import { Group, Text } from '@mantine/core';

export function Logo() {
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
