import { TextInput } from '@mantine/core';
import { useText } from '../messages/text.ts';

interface Days {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

interface DayFilterProps {
  readonly search: Days;
  /** Changes when the filter is cleared. */
  readonly cleared: number;
  /** Is the last day before the first? */
  readonly isTurned: boolean;
  readonly choose: (change: Days) => void;
}

/** The first and the last day of what a list shows. */
export function DayFilter({ search, cleared, isTurned, choose }: DayFilterProps) {
  const t = useText();
  const day = (name: keyof Days, error?: string) => (
    <TextInput
      key={`${name} ${cleared}`}
      type="date"
      label={t(`filter.${name}`)}
      defaultValue={search[name] ?? ''}
      onChange={({ currentTarget: { value } }) => choose({ [name]: value || undefined })}
      error={error}
    />
  );
  return (
    <>
      {day('from')}
      {day('to', isTurned ? t('filter.turned') : undefined)}
    </>
  );
}
