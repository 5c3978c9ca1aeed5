import type { PasswordInputProps } from '@mantine/core';
import { PasswordInput } from './password-input.ts';

const TOGGLE = { 'aria-label': 'Show or hide the password', tabIndex: 0 };

/** A required password, by default the present one of the user. */
export function PasswordField(props: PasswordInputProps) {
  return (
    <PasswordInput
      name="password"
      label="Your password"
      autoComplete="current-password"
      required
      visibilityToggleButtonProps={TOGGLE}
      {...props}
    />
  );
}
