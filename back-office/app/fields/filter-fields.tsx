import { Button, NativeSelect, type NativeSelectProps } from '@mantine/core';
import { useText, useWord } from '../messages/text.ts';

interface FilterChoiceProps extends Pick<NativeSelectProps, 'maw' | 'w'> {
  readonly label: string;
  /** The chosen value. Default: all. */
  readonly value: string | null | undefined;
  /** Values of an enum, or values with their labels. */
  readonly options: readonly (string | { readonly value: string; readonly label: string })[];
  /** Called without a value for all. */
  readonly onChange: (value: string | undefined) => void;
}

/** A select that limits a list to one value, or to all values. */
export function FilterChoice({ label, value, options, onChange, ...size }: FilterChoiceProps) {
  const [t, word] = [useText(), useWord()];
  return (
    <NativeSelect
      {...size}
      label={label}
      value={value ?? ''}
      onChange={({ currentTarget: { value: chosen } }) => onChange(chosen || undefined)}
      data={[
        { value: '', label: t('filter.all') },
        ...options.map((each) => (typeof each === 'string' ? { value: each, label: word(each) } : each)),
      ]}
    />
  );
}

interface ClearFilterProps {
  /** The filter, as the address has it. */
  readonly search: object;
  readonly onClear: () => void;
  /** Offset of the button, for a row of inputs that begins at the top. */
  readonly mt?: { readonly base: number; readonly sm: number };
}

/** The button that removes every condition of a list; hidden while there is none. */
export function ClearFilter({ search, onClear, mt }: ClearFilterProps) {
  const t = useText();
  if (!Object.values(search).some(Boolean)) return null;
  return (
    <Button variant="subtle" onClick={onClear} {...(mt && { mt })}>
      {t('filter.clear')}
    </Button>
  );
}
