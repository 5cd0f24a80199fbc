import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import { useText } from '../messages/text.ts';
import type { ShownColumns } from './kept-columns.ts';

interface ColumnChoiceProps {
  readonly columns: readonly {
    readonly key: string;
    readonly title: string;
    readonly isActs?: boolean;
  }[];
  readonly shown: ShownColumns;
  readonly onChange: (shown: ShownColumns) => void;
}

/** Which columns are shown; the first one, which names the row, always is. */
export function ColumnChoice({ columns, shown, onChange }: ColumnChoiceProps) {
  const t = useText();
  const free = columns.slice(1).filter(({ isActs }) => !isActs);
  const choose = (key: string, isShown: boolean) =>
    onChange({ ...Object.fromEntries(free.map((each) => [each.key, shown[each.key]!])), [key]: isShown });
  return (
    <Popover position="bottom-end" trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button size="compact-sm" variant="subtle">
          {t('table.columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('table.columns')}>
        <Stack gap="xs">
          {free.map(({ key, title }) => (
            <Checkbox
              key={key}
              label={title}
              checked={shown[key] ?? false}
              onChange={({ currentTarget: { checked } }) => choose(key, checked)}
            />
          ))}
          <Button size="compact-sm" variant="default" onClick={() => onChange({})}>
            {t('table.reset')}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
