import { Button, TextInput } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { FormEvent } from 'react';
import { fieldError } from '../../api/api-error.ts';
import { useWrite } from '../../api/queries.ts';
import { textOf } from '../../ui/form.ts';
import { PasswordInput } from '../../ui/password-input.ts';
import { ErrorNote } from '../../ui/states.tsx';
import classes from '../gate/gate.module.css';
import { secondStepOf } from '../two-factor/second-step.tsx';

interface PasswordStepProps {
  /** The only email that may sign in, if the session of a user has ended. */
  readonly email?: string;
  readonly onSecondStep: (token: string) => void;
  readonly onSignedIn: () => Promise<void>;
}

/** Asks for email and password. */
export function PasswordStep({ email, onSecondStep, onSignedIn }: PasswordStepProps) {
  const signIn = useWrite(ROUTES.session.signIn);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const body = { email: textOf(form, 'email'), password: textOf(form, 'password') };
    signIn.mutate(
      { body },
      {
        onSuccess: async (answer) => {
          const second = secondStepOf(answer);
          if (second !== null) return onSecondStep(second);
          await onSignedIn();
        },
      },
    );
  };
  const emailError = fieldError(signIn.error, '/email');
  return (
    <form className={classes.form} onSubmit={onSubmit}>
      <TextInput
        name="email"
        type="email"
        label="Email"
        autoComplete="username"
        required
        withAsterisk={false}
        {...(email === undefined ? { autoFocus: true } : { value: email, readOnly: true })}
        error={emailError}
      />
      <PasswordInput
        name="password"
        label="Password"
        autoComplete="current-password"
        data-autofocus={email !== undefined || undefined}
        required
        withAsterisk={false}
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
      />
      {signIn.error !== null && emailError === undefined && <ErrorNote error={signIn.error} />}
      <Button type="submit" loading={signIn.isPending} fullWidth>
        Sign in
      </Button>
    </form>
  );
}
