import { Button } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { Link } from 'react-router';
import { fieldError, isMissing } from '../../api/api-error.ts';
import { useRead, useWrite } from '../../api/queries.ts';
import { Form } from '../../ui/form.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { Loaded, Note } from '../../ui/states.tsx';
import { Gate, useTokenOfLink } from '../signed-out-frame/signed-out-frame.tsx';

/** The page that a password reset link opens. */
export function ResetPage() {
  const token = useTokenOfLink();
  // Another link in the same tab changes the fragment only, so the document stays.
  return <Reset key={token} token={token} />;
}

function Reset({ token }: { readonly token: string }) {
  const check = useRead(ROUTES.recovery.check, { body: { token } }, { forgets: true, once: true });
  if (isMissing(check.error)) return <LinkInvalid />;
  return (
    <Gate title="Set a new password">
      <Loaded query={check}>{({ email }) => <ResetForm token={token} email={email} />}</Loaded>
    </Gate>
  );
}

function ResetForm({ token, email }: { readonly token: string; readonly email: string }) {
  const reset = useWrite(ROUTES.recovery.reset);
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
  return (
    <Form
      submit="Set password"
      change={reset}
      shown={['/password']}
      onSubmit={(text) => reset.mutate({ body: { token, password: text('password') } })}
      button={{ fullWidth: true }}
    >
      <p className="dimmed">For {email}</p>
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <PasswordField
        label="New password"
        description="At least 10 characters. All sessions end."
        autoComplete="new-password"
        minLength={10}
        autoFocus
        error={fieldError(reset.error, '/password')}
      />
    </Form>
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
