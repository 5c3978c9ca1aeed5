import { Button, TextInput } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { WelcomeLink } from '@sluice/dashboard-api/session';
import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { fieldError } from '../../api/api-error.ts';
import { forgetSession } from '../../api/other-tabs.ts';
import { useWrite } from '../../api/queries.ts';
import { textOf } from '../../ui/form.ts';
import { PasswordInput } from '../../ui/password-input.ts';
import { ErrorNote } from '../../ui/states.tsx';
import classes from '../gate/gate.module.css';
import { secondStepOf } from '../two-factor/second-step.tsx';

interface JoinFormProps {
  readonly link: WelcomeLink;
  readonly token: string;
  /** The user already exists and signs in with a second step. */
  readonly onSecondStep: (token: string) => void;
}

export function JoinForm({ link, token, onSecondStep }: JoinFormProps) {
  const join = useWrite(ROUTES.session.welcome);
  const client = useQueryClient();
  const navigate = useNavigate();
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const body = {
      token,
      name: textOf(form, 'name'),
      email: link.email ?? textOf(form, 'email'),
      password: textOf(form, 'password'),
    };
    join.mutate(
      { body },
      {
        onSuccess: async (answer) => {
          const second = secondStepOf(answer);
          if (second !== null) return onSecondStep(second);
          forgetSession(client);
          await navigate('/', { replace: true });
        },
      },
    );
  };
  const errors = ['/name', '/email', '/password'].map((pointer) => fieldError(join.error, pointer));
  return (
    <form className={classes.form} onSubmit={onSubmit}>
      <TextInput
        name="name"
        label="Your name"
        autoComplete="name"
        required
        withAsterisk={false}
        autoFocus
        error={errors[0]}
      />
      <TextInput
        name="email"
        type="email"
        label="Email"
        autoComplete="username"
        required
        withAsterisk={false}
        disabled={link.email !== null}
        {...(link.email === null ? {} : { value: link.email, readOnly: true })}
        error={errors[1]}
      />
      <PasswordInput
        name="password"
        label="Password"
        description="At least 10 characters. A few unrelated words work best."
        autoComplete="new-password"
        required
        withAsterisk={false}
        minLength={10}
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
        error={errors[2]}
      />
      {join.error !== null && errors.every((error) => error === undefined) && (
        <ErrorNote error={join.error} />
      )}
      <Button type="submit" loading={join.isPending} fullWidth>
        {link.kind === 'invite' ? `Join ${link.account_name}` : 'Create account'}
      </Button>
    </form>
  );
}
