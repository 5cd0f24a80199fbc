import { NativeSelect, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { type ChosenDays, daysOf, isReversed, PERIODS, periodOf } from '../design/days.ts';
import { useViewer } from '../graph/viewer.ts';
import { useText } from '../messages/text.ts';

interface DateRangeProps {
  /** Label of the select. Default: “Period”. */
  readonly label?: string;
  readonly days: ChosenDays;
  readonly onChange: (days: { from: string | undefined; to: string | undefined }) => void;
}

/**
 * The first and the last day of a list, in the time zone of the workspace. They are chosen by a named period
 * or one by one. The two date inputs have eight tab stops, so they are shown only while days are chosen.
 */
export function DateRange({ label, days: { from, to }, onChange }: DateRangeProps) {
  const t = useText();
  const { timeZone } = useViewer().workspace;
  // The address follows the inputs. If the address changes by itself (back, clear), the inputs follow it.
  const [typed, setTyped] = useState<ChosenDays>({ from, to });
  const [isOwn, setOwn] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another address changes the inputs
  useEffect(() => {
    if (typed.from === from && typed.to === to) return;
    setTyped({ from, to });
    setOwn(false);
  }, [from, to]);
  const choose = (days: ChosenDays) => {
    setTyped(days);
    onChange({ from: days.from, to: days.to });
  };
  const period = periodOf(typed, timeZone);
  const hasDays = isOwn || Boolean(typed.from || typed.to);
  const day = (name: keyof ChosenDays) => (
    <TextInput
      type="date"
      label={t(`filter.${name}`)}
      value={typed[name] ?? ''}
      onChange={({ currentTarget: { value } }) => {
        setOwn(true);
        choose({ ...typed, [name]: value || undefined });
      }}
      error={name === 'to' && isReversed(typed) && t('filter.turned')}
    />
  );
  return (
    <>
      <NativeSelect
        label={label ?? t('filter.period')}
        value={isOwn ? 'own' : (period ?? (hasDays ? 'own' : ''))}
        onChange={({ currentTarget: { value } }) => {
          const chosen = PERIODS.find((each) => each === value);
          setOwn(value === 'own');
          if (value !== 'own') choose(chosen ? daysOf(chosen, timeZone) : {});
        }}
        data={[
          { value: '', label: t('filter.anyTime') },
          ...PERIODS.map((value) => ({ value, label: t(`filter.${value}`) })),
          { value: 'own', label: t('filter.ownDays') },
        ]}
      />
      {hasDays && day('from')}
      {hasDays && day('to')}
    </>
  );
}
