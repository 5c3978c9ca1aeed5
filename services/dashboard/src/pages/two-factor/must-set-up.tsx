import { Button } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { Me } from '@sluice/dashboard-api/session';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { forgetSession } from '../../api/other-tabs.ts';
import { useWrite } from '../../api/queries.ts';
import { Gate } from '../gate/gate.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SetUp } from './set-up.tsx';
import classes from './two-factor.module.css';

/** The only page for a member who must set up two-factor sign-in. */
export function MustSetUp({ me }: { readonly me: Me }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const signOut = useWrite(ROUTES.session.signOut);
  const change = useWrite(ROUTES.session.switchAccount);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const others = me.accounts.filter(({ account_id }) => account_id !== me.account.account_id);
  const again = () => void client.resetQueries();
  const leave = () => {
    forgetSession(client);
    void navigate('/sign-in');
  };
  return (
    <Gate
      title="Set up two-factor sign-in"
      lead={`${me.account.name} requires it of owners and admins. You are signed in as ${me.user.email}.`}
    >
      {codes !== null ? (
        <RecoveryCodes codes={codes} onDone={again} />
      ) : (
        <div className={classes.stack}>
          <SetUp onDone={setCodes} />
          {others.map(({ account_id, name }) => (
            <Button
              key={account_id}
              variant="default"
              onClick={() => change.mutate({ body: { account_id } }, { onSuccess: again })}
            >
              Switch to {name}
            </Button>
          ))}
          <Button variant="subtle" onClick={() => signOut.mutate({}, { onSettled: leave })}>
            Sign out
          </Button>
        </div>
      )}
    </Gate>
  );
}
