import { Button } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { TwoFactorBegun } from '@sluice/dashboard-api/two-factor';
import type { FormEvent } from 'react';
import { useWrite } from '../../api/queries.ts';
import { CopyTextButton } from '../../ui/copy-button.tsx';
import { textOf } from '../../ui/form.ts';
import { SecretText } from '../../ui/secret-text.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import source from '../source/settings.module.css';
import { CodeField } from './code-field.tsx';
import { PasswordField } from './password-field.tsx';
import { QrCode } from './qr-code.tsx';
import classes from './two-factor.module.css';

interface SetUpProps {
  /** A code is being verified. From here on the response may contain the recovery codes. */
  readonly onConfirm?: ((isRunning: boolean) => void) | undefined;
  /** Two-factor sign-in is on. The codes are shown once. */
  readonly onDone: (recoveryCodes: readonly string[]) => void;
}

/** Sets up an authenticator app: asks for the password, shows the QR code, and verifies a code. */
export function SetUp({ onConfirm, onDone }: SetUpProps) {
  const begin = useWrite(ROUTES.session.beginTwoFactor);
  if (begin.data !== undefined) return <Scan begun={begin.data} onConfirm={onConfirm} onDone={onDone} />;
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    begin.mutate({ body: { password: textOf(new FormData(event.currentTarget), 'password') } });
  };
  return (
    <form className={source.form} onSubmit={onSubmit}>
      <PasswordField />
      {begin.error !== null && <ErrorNote error={begin.error} />}
      <div>
        <Button type="submit" loading={begin.isPending}>
          Set up authenticator app
        </Button>
      </div>
    </form>
  );
}

function Scan({ begun, onConfirm, onDone }: SetUpProps & { readonly begun: TwoFactorBegun }) {
  const confirm = useWrite(ROUTES.session.confirmTwoFactor);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = textOf(new FormData(event.currentTarget), 'code');
    onConfirm?.(true);
    confirm.mutate(
      { body: { code } },
      {
        onSuccess: (answer) => onDone(answer.recovery_codes),
        // It may have been turned on all the same: the response was lost, or another tab was first.
        onError: () => onConfirm?.(false),
      },
    );
  };
  return (
    <form className={classes.steps} onSubmit={onSubmit}>
      <p>Scan this with an authenticator app, or type the key into it. Then type the code that it shows.</p>
      <QrCode text={begun.uri} label="QR code for your authenticator app" />
      <SecretText text={begun.key.replace(/(.{4})(?=.)/g, '$1 ')} label="Key for your authenticator app" />
      <div>
        <CopyTextButton text={begun.key} what="key" />
      </div>
      <CodeField label="Code from the app" autoFocus />
      {confirm.error !== null && <ErrorNote error={confirm.error} />}
      <div>
        <Button type="submit" loading={confirm.isPending}>
          Turn on two-factor sign-in
        </Button>
      </div>
    </form>
  );
}
