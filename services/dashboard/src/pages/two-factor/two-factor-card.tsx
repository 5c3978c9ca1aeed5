import { Button } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { TwoFactorState } from '@sluice/dashboard-api/two-factor';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useRead, useWrite } from '../../api/queries.ts';
import { Ago } from '../../ui/ago.tsx';
import { Chip } from '../../ui/chip.tsx';
import { type Change, Form } from '../../ui/form.tsx';
import { Modal } from '../../ui/modal.tsx';
import { Card } from '../../ui/page.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { Loaded, Note } from '../../ui/states.tsx';
import { CodeField } from './code-field.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SetUp } from './set-up.tsx';

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
    <div className="stack">
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
    <div className="stack">
      <p className="dimmed">
        On since {state.since !== null && <Ago at={state.since} />}. {left} of 10 recovery codes left.
      </p>
      {left < 3 && <Note tone="warn">Few recovery codes are left. Create new ones.</Note>}
      <div className="row">
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
          change={renew}
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
          change={end}
          onProve={(body) => end.mutate({ body }, { onSuccess: close })}
          onClose={close}
        >
          Your password alone signs you in from now on. Your recovery codes stop working.
        </ProveDialog>
      )}
    </div>
  );
}

interface ProveDialogProps {
  readonly title: string;
  /** The effect of the change. */
  readonly children: ReactNode;
  readonly submit: string;
  readonly change: Change;
  readonly onProve: (proof: { readonly password: string; readonly code: string }) => void;
  readonly onClose: () => void;
}

/** Asks for password and code before a change that weakens sign-in. */
function ProveDialog(props: ProveDialogProps) {
  const { title, children, submit, change, onProve, onClose } = props;
  return (
    <Modal opened onClose={onClose} title={title} size="md" closable={!change.isPending}>
      <Form
        submit={submit}
        change={change}
        onSubmit={(text) => onProve({ password: text('password'), code: text('code') })}
        onCancel={onClose}
      >
        <p>{children}</p>
        <PasswordField autoFocus data-autofocus />
        <CodeField description="From your authenticator app, or a recovery code." />
      </Form>
    </Modal>
  );
}
