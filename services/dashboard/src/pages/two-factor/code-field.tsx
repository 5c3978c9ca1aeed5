import { TextInput } from '@mantine/core';

interface CodeFieldProps {
  readonly label?: string;
  readonly description?: string;
  readonly autoFocus?: boolean;
}

/** Accepts the six digits of an authenticator app, or a recovery code. Browsers can autofill it. */
export function CodeField({ label = 'Code', description, autoFocus = false }: CodeFieldProps) {
  return (
    <TextInput
      name="code"
      label={label}
      {...(description === undefined ? {} : { description })}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      required
      autoFocus={autoFocus}
      data-autofocus={autoFocus || undefined}
    />
  );
}
