import { Button, PasswordInput, TextInput } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { fieldError } from '../../api/api-error.ts';
import { forgetSession } from '../../api/other-tabs.ts';
import { useWrite } from '../../api/queries.ts';
import { textOf } from '../../ui/form.ts';
import { ErrorNote } from '../../ui/states.tsx';
import classes from '../gate/gate.module.css';
import { Gate } from '../gate/gate.tsx';
import { SecondStep, secondStepOf } from '../two-factor/second-step.tsx';

export function SignInPage() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [second, setSecond] = useState<string | null>(null);
  const finish = async () => {
    forgetSession(client);
    await navigate(localPath(search.get('next')), { replace: true });
  };
  if (second !== null)
    return (
      <Gate title="Enter your code">
        <SecondStep token={second} onSignedIn={finish} onBack={() => setSecond(null)} />
      </Gate>
    );
  return (
    <Gate title="Sign in to Sluice">
      <FirstStep onSecondStep={setSecond} onSignedIn={finish} />
      <p className="small">
        <Link to="/forgot-password">Forgot password?</Link>
      </p>
      <p className="dimmed small">
        No account yet? Ask an owner of the account for an invitation link. Sluice prints the link for the
        first owner when it starts.
      </p>
    </Gate>
  );
}

interface FirstStepProps {
  readonly onSecondStep: (token: string) => void;
  readonly onSignedIn: () => Promise<void>;
}

function FirstStep({ onSecondStep, onSignedIn }: FirstStepProps) {
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
        autoFocus
        error={emailError}
      />
      <PasswordInput
        name="password"
        label="Password"
        autoComplete="current-password"
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

/** Accepts only paths of this dashboard, so that a link cannot redirect a user elsewhere after sign-in. */
function localPath(next: string | null): string {
  return next !== null && /^\/(?![/\\])/.test(next) ? next : '/';
}
