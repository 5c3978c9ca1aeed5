import { Button } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { WelcomeLink } from '@sluice/dashboard-api/session';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { callApi } from '../../api/api-client.ts';
import { isMissing } from '../../api/api-error.ts';
import { forgetSession } from '../../api/other-tabs.ts';
import { Loaded } from '../../ui/states.tsx';
import { Gate } from '../gate/gate.tsx';
import { useTokenOfLink } from '../gate/use-token-of-link.ts';
import { SecondStep } from '../two-factor/second-step.tsx';
import { JoinForm } from './join-form.tsx';

/** The page of a one-time link. It creates the first owner, or a member of an account. */
export function WelcomePage() {
  const token = useTokenOfLink();
  // Another link in the same tab changes the fragment only, so the document stays.
  return <Welcome key={token} token={token} />;
}

function Welcome({ token }: { readonly token: string }) {
  const check = useQuery({
    queryKey: ['welcome', token],
    queryFn: ({ signal }) => callApi(ROUTES.session.welcomeCheck, { body: { token } }, signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
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
        {(link) => <JoinForm link={link} token={token} onSecondStep={setSecond} />}
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
