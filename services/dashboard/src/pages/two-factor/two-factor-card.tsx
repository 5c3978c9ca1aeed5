import { Button } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { TwoFactorState } from '@sluice/dashboard-api/two-factor';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useRead, useWrite } from '../../api/queries.ts';
import { Ago } from '../../ui/ago.tsx';
import { Chip } from '../../ui/chip.tsx';
import dialog from '../../ui/dialog.module.css';
import { Note } from '../../ui/note.tsx';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { ProveDialog } from './prove-dialog.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SetUp } from './set-up.tsx';
import classes from './two-factor.module.css';

const STATE = [ROUTES.session.twoFactor, ROUTES.session.me, ROUTES.session.list, ROUTES.members.list];

/** Turns two-factor sign-in on and off. */
export function TwoFactorCard() {
  const state = useRead(ROUTES.session.twoFactor, {});
  const client = useQueryClient();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const onSaved = () => {
    setCodes(null);
    for (const { path } of STATE) void client.invalidateQueries({ queryKey: [path] });
  };
  return (
    <Card title="Two-factor sign-in" aside={state.data?.on === true && <Chip tone="ok">on</Chip>}>
      {codes !== null ? (
        <RecoveryCodes codes={codes} onDone={onSaved} />
      ) : (
        <Loaded query={state}>
          {(shown) => (shown.on ? <On state={shown} onCodes={setCodes} /> : <Off onCodes={setCodes} />)}
        </Loaded>
      )}
    </Card>
  );
}

interface StateProps {
  readonly onCodes: (codes: readonly string[]) => void;
}

function Off({ onCodes }: StateProps) {
  return (
    <div className={classes.stack}>
      <p className="dimmed">
        Signing in then needs a code from an app on your phone as well as the password. Turning it on ends
        your other sessions.
      </p>
      <SetUp onDone={onCodes} />
    </div>
  );
}

function On({ state, onCodes }: StateProps & { readonly state: TwoFactorState }) {
  const [asking, setAsking] = useState<'end' | 'codes' | null>(null);
  const end = useWrite(ROUTES.session.endTwoFactor, STATE);
  const renew = useWrite(ROUTES.session.newRecoveryCodes);
  const close = () => setAsking(null);
  const left = state.recovery_codes_left;
  return (
    <div className={classes.stack}>
      <p className="dimmed">
        On since {state.since !== null && <Ago at={state.since} />}. {left} of 10 recovery codes left.
      </p>
      {left < 3 && <Note tone="warn">Few recovery codes are left. Create new ones.</Note>}
      <div className={dialog.row}>
        <Button variant="default" onClick={() => setAsking('codes')}>
          {' '}
          Create new recovery codes{' '}
        </Button>
        <Button variant="default" onClick={() => setAsking('end')}>
          Turn off
        </Button>
      </div>
      {asking === 'codes' && (
        <ProveDialog
          title="Create new recovery codes?"
          submit="Create new codes"
          pending={renew.isPending}
          error={renew.error}
          onProve={(body) =>
            renew.mutate({ body }, { onSuccess: (answer) => onCodes(answer.recovery_codes) })
          }
          onClose={close}
        >
          The old recovery codes stop working now.
        </ProveDialog>
      )}
      {asking === 'end' && (
        <ProveDialog
          title="Turn off two-factor sign-in?"
          submit="Turn off"
          pending={end.isPending}
          error={end.error}
          onProve={(body) => end.mutate({ body }, { onSuccess: close })}
          onClose={close}
        >
          Your password alone signs you in from now on. Your recovery codes stop working.
        </ProveDialog>
      )}
    </div>
  );
}
