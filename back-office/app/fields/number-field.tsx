import { Group, NumberInput, type NumberInputProps, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { useIntl } from 'react-intl';

type Given = 'description' | 'required' | 'value' | 'defaultValue' | 'onChange' | 'error' | 'w';

interface NumberFieldProps extends Pick<NumberInputProps, Given> {
  readonly label: string;
  /** Unit beside the input, such as `days`. */
  readonly unit?: string;
  /** Maximum number of decimal digits. Default: 0. */
  readonly decimals?: number;
  /** May the number be negative? */
  readonly isSigned?: boolean;
  readonly 'data-autofocus'?: boolean;
}

/**
 * An input for a number. It keeps the typed value: an empty input is '' and never 0, and the value is not
 * clamped to a range. The rules of the form report errors. Both decimal separators are accepted.
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
