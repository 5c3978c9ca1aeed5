import { Button, TextInput } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { WelcomeLink } from '@sluice/dashboard-api/session';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { fieldError, isMissing } from '../../api/api-error.ts';
import { forgetSession } from '../../api/other-tabs.ts';
import { useRead, useWrite } from '../../api/queries.ts';
import { Form } from '../../ui/form.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Gate, useTokenOfLink } from '../signed-out-frame/signed-out-frame.tsx';
import { SecondStep, secondStepOf } from '../two-factor/second-step.tsx';

/** The page of a one-time link. It creates the first owner, or a member of an account. */
export function WelcomePage() {
  const token = useTokenOfLink();
  // Another link in the same tab changes the fragment only, so the document stays.
  return <Welcome key={token} token={token} />;
}

function Welcome({ token }: { readonly token: string }) {
  const check = useRead(ROUTES.session.welcomeCheck, { body: { token } }, { forgets: true, once: true });
  const [second, setSecond] = useState<string | null>(null);
  const finish = useFinish();
  if (second !== null)
    return (
      <Gate title="Enter your code">
        <SecondStep token={second} onSignedIn={finish} onBack={() => setSecond(null)} />
      </Gate>
    );
  if (isMissing(check.error)) return <LinkInvalid />;
  return (
    <Gate title={titleOf(check.data)} lead={leadOf(check.data)}>
      <Loaded query={check}>
        {(link) => <JoinForm link={link} token={token} onSecondStep={setSecond} onJoined={finish} />}
      </Loaded>
    </Gate>
  );
}

function useFinish() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    forgetSession(client);
    await navigate('/', { replace: true });
  };
}

function LinkInvalid() {
  return (
    <Gate
      title="This link no longer works"
      lead="It was used, withdrawn, or has expired. If you used it, sign in. If not, ask an owner of the account for a new one."
    >
      <Button component={Link} to="/sign-in" variant="default" fullWidth>
        Sign in
      </Button>
    </Gate>
  );
}

function titleOf(link: WelcomeLink | undefined): string {
  if (link?.kind === 'invite') return `Join ${link.account_name}`;
  return 'Welcome to Sluice';
}

function leadOf(link: WelcomeLink | undefined): string | undefined {
  if (link === undefined) return undefined;
  return link.kind === 'invite'
    ? `You were invited as ${link.role}. If you already have a password here, use it.`
    : `You become the first owner of ${link.account_name}. Choose how you sign in.`;
}

interface JoinFormProps {
  readonly link: WelcomeLink;
  readonly token: string;
  /** The user already exists and signs in with a second step. */
  readonly onSecondStep: (token: string) => void;
  readonly onJoined: () => Promise<void>;
}

function JoinForm({ link, token, onSecondStep, onJoined }: JoinFormProps) {
  const join = useWrite(ROUTES.session.welcome);
  const onSubmit = (text: (name: string) => string) => {
    const body = {
      token,
      name: text('name'),
      email: link.email ?? text('email'),
      password: text('password'),
    };
    join.mutate(
      { body },
      {
        onSuccess: async (answer) => {
          const second = secondStepOf(answer);
          if (second !== null) return onSecondStep(second);
          await onJoined();
        },
      },
    );
  };
  return (
    <Form
      submit={link.kind === 'invite' ? `Join ${link.account_name}` : 'Create account'}
      change={join}
      shown={['/name', '/email', '/password']}
      onSubmit={onSubmit}
      button={{ fullWidth: true }}
    >
      <TextInput
        name="name"
        label="Your name"
        autoComplete="name"
        required
        autoFocus
        error={fieldError(join.error, '/name')}
      />
      <TextInput
        name="email"
        type="email"
        label="Email"
        autoComplete="username"
        required
        disabled={link.email !== null}
        {...(link.email === null ? {} : { value: link.email, readOnly: true })}
        error={fieldError(join.error, '/email')}
      />
      <PasswordField
        label="Password"
        description="At least 10 characters. A few unrelated words work best."
        autoComplete="new-password"
        minLength={10}
        error={fieldError(join.error, '/password')}
      />
    </Form>
  );
}
