import { Button } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAccountActions } from '../../shell/account-actions.ts';
import type { MustSetUpProps } from '../../shell/shell.tsx';
import { Gate } from '../signed-out-frame/signed-out-frame.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SetUp } from './set-up.tsx';

/** The only page for a member who must set up two-factor sign-in. */
export function MustSetUp({ me, onHold }: MustSetUpProps) {
  const client = useQueryClient();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const release = () => onHold(false);
  const { signOut, signingOut, switchTo, switching } = useAccountActions(release);
  const others = me.accounts.filter(({ account_id }) => account_id !== me.account.account_id);
  const onSaved = () => {
    release();
    void client.resetQueries();
  };
  const onConfirm = (isRunning: boolean) => {
    onHold(isRunning);
    if (!isRunning) void client.invalidateQueries({ queryKey: [ROUTES.session.me.path] });
  };
  return (
    <Gate
      title="Set up two-factor sign-in"
      lead={`${me.account.name} requires it of owners and admins. You are signed in as ${me.user.email}.`}
    >
      {codes !== null ? (
        <RecoveryCodes codes={codes} onDone={onSaved} />
      ) : (
        <div className="stack">
          <SetUp onConfirm={onConfirm} onDone={setCodes} />
          {others.map(({ account_id, name }) => (
            <Button
              key={account_id}
              variant="default"
              disabled={switching}
              onClick={() => switchTo(account_id)}
            >
              Switch to {name}
            </Button>
          ))}
          <Button variant="subtle" loading={signingOut} onClick={signOut}>
            Sign out
          </Button>
        </div>
      )}
    </Gate>
  );
}
