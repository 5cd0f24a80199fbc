import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** An input for a password, which says to screen readers, too, that it is at fault. */
export const PasswordField = (props: PasswordInputProps) => (
  <PasswordInput {...props} aria-invalid={Boolean(props.error)} />
);
