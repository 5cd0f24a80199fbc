import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../messages/text.ts';
import classes from './bulk-bar.module.css';

interface BulkBarProps {
  readonly count: number;
  /** On the page. */
  readonly rows: number;
  readonly onAll: () => void;
  readonly onClear: () => void;
  /** What can be done with them. */
  readonly children: ReactNode;
}

/** How many rows are selected, and what can be done with them; it stays at the foot of the screen. */
export function BulkBar({ count, rows, onAll, onClear, children }: BulkBarProps) {
  const t = useText();
  const said = count > 0 ? t('table.selected', { count }) : '';
  return (
    <>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      {count > 0 && (
        <Group role="region" aria-label={t('table.selection')} gap="xs" className={classes['bar'] ?? ''}>
          <Text size="sm" fw={500}>
            {said}
          </Text>
          {count < rows && (
            <Button size="compact-sm" variant="subtle" onClick={onAll}>
              {t('table.selectRows', { count: rows })}
            </Button>
          )}
          <Group gap="xs" className={classes['acts'] ?? ''}>
            {children}
            <Button size="compact-sm" variant="subtle" onClick={onClear}>
              {t('table.clear')}
            </Button>
          </Group>
        </Group>
      )}
    </>
  );
}
