import { Group, NumberInput, type NumberInputProps, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { useIntl } from 'react-intl';

type Given = 'description' | 'required' | 'value' | 'defaultValue' | 'onChange' | 'error' | 'w';

interface NumberFieldProps extends Pick<NumberInputProps, Given> {
  readonly label: string;
  /** What is counted, beside the input, such as `days`. */
  readonly unit?: string;
  /** How many digits may follow the separator. Default: none. */
  readonly decimals?: number;
  /** May it be below 0? */
  readonly isSigned?: boolean;
  readonly 'data-autofocus'?: boolean;
}

/**
 * An input for a number. It keeps what was typed: emptied it is '' and never 0, and nothing moves into a
 * range unseen; the rules of the form say what is wrong. Both decimal separators are understood.
 */
export function NumberField({ label, unit, decimals = 0, isSigned = false, ...given }: NumberFieldProps) {
  const { formatNumberToParts } = useIntl();
  const separator = formatNumberToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.';
  return (
    <NumberInput
      {...given}
      label={
        <>
          {label}
          {unit && <VisuallyHidden> ({unit})</VisuallyHidden>}
        </>
      }
      allowDecimal={decimals > 0}
      decimalScale={decimals}
      decimalSeparator={separator}
      allowNegative={isSigned}
      clampBehavior="none"
      hideControls
      inputContainer={(input) => (unit ? <WithUnit unit={unit}>{input}</WithUnit> : input)}
    />
  );
}

function WithUnit({ unit, children }: { readonly unit: string; readonly children: ReactNode }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <div style={{ flex: 1 }}>{children}</div>
      <Text span size="sm" c="dimmed" aria-hidden="true">
        {unit}
      </Text>
    </Group>
  );
}
