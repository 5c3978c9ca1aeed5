import { Button } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { Link } from 'react-router';
import { callApi } from '../../api/api-client.ts';
import { fieldError, isMissing } from '../../api/api-error.ts';
import { useWrite } from '../../api/queries.ts';
import { textOf } from '../../ui/form.ts';
import { Note } from '../../ui/note.tsx';
import { PasswordInput } from '../../ui/password-input.ts';
import { ErrorNote, Loaded } from '../../ui/states.tsx';
import gate from '../gate/gate.module.css';
import { Gate } from '../gate/gate.tsx';
import { useTokenOfLink } from '../gate/use-token-of-link.ts';

/** The page that a password reset link opens. */
export function ResetPage() {
  const token = useTokenOfLink();
  // Another link in the same tab changes the fragment only, so the document stays.
  return <Reset key={token} token={token} />;
}

function Reset({ token }: { readonly token: string }) {
  const check = useQuery({
    queryKey: ['password-reset', token],
    queryFn: ({ signal }) => callApi(ROUTES.recovery.check, { body: { token } }, signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (isMissing(check.error)) return <LinkInvalid />;
  return (
    <Gate title="Set a new password">
      <Loaded query={check}>{({ email }) => <ResetForm token={token} email={email} />}</Loaded>
    </Gate>
  );
}

function ResetForm({ token, email }: { readonly token: string; readonly email: string }) {
  const reset = useWrite(ROUTES.recovery.reset);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    reset.mutate({ body: { token, password: textOf(new FormData(event.currentTarget), 'password') } });
  };
  if (reset.isSuccess)
    return (
      <>
        <div role="status">
          <Note tone="ok">Your password is set. All sessions have ended. Sign in with the new password.</Note>
        </div>
        <Button component={Link} to="/sign-in" fullWidth>
          Sign in
        </Button>
      </>
    );
  const passwordError = fieldError(reset.error, '/password');
  return (
    <form className={gate.form} onSubmit={onSubmit}>
      <p className="dimmed">For {email}</p>
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <PasswordInput
        name="password"
        label="New password"
        description="At least 10 characters. All sessions end."
        autoComplete="new-password"
        minLength={10}
        required
        withAsterisk={false}
        autoFocus
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
        error={passwordError}
      />
      {reset.error !== null && passwordError === undefined && <ErrorNote error={reset.error} />}
      <Button type="submit" loading={reset.isPending} fullWidth>
        Set password
      </Button>
    </form>
  );
}

function LinkInvalid() {
  return (
    <Gate
      title="This link no longer works"
      lead="It was used already, or it has expired. Links for a new password work once, for 30 minutes."
    >
      <Button component={Link} to="/forgot-password" fullWidth>
        Ask for a new link
      </Button>
    </Gate>
  );
}
