import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** An input for a password that also reports errors to screen readers. */
export const PasswordField = (props: PasswordInputProps) => (
  <PasswordInput {...props} aria-invalid={Boolean(props.error)} />
);
