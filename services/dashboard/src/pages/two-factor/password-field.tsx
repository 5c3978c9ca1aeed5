import { PasswordInput } from '../../ui/password-input.ts';

/** The current password, to confirm the identity of the user. */
export function PasswordField({ autoFocus = false }: { readonly autoFocus?: boolean }) {
  return (
    <PasswordInput
      name="password"
      label="Your password"
      autoComplete="current-password"
      required
      withAsterisk={false}
      autoFocus={autoFocus}
      data-autofocus={autoFocus || undefined}
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
    />
  );
}
