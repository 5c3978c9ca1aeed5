import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { forgetSession } from '../../api/other-tabs.ts';
import { Gate } from '../signed-out-frame/signed-out-frame.tsx';
import { SecondStep } from '../two-factor/second-step.tsx';
import { PasswordStep } from './password-step.tsx';

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
      <PasswordStep onSecondStep={setSecond} onSignedIn={finish} />
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

/** Accepts only paths of this dashboard, so that a link cannot redirect a user elsewhere after sign-in. */
function localPath(next: string | null): string {
  return next !== null && /^\/(?![/\\])/.test(next) ? next : '/';
}
