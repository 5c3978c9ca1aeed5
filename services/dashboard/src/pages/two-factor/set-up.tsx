import { ROUTES } from '@sluice/dashboard-api/routes';
import type { TwoFactorBegun } from '@sluice/dashboard-api/two-factor';
import { encode } from 'uqr';
import { useWrite } from '../../api/queries.ts';
import { CopyTextButton } from '../../ui/copy.tsx';
import { Form } from '../../ui/form.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { SecretText } from '../../ui/secrets.tsx';
import { CodeField } from './code-field.tsx';
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
  return (
    <Form
      submit="Set up authenticator app"
      change={begin}
      onSubmit={(text) => begin.mutate({ body: { password: text('password') } })}
    >
      <PasswordField />
    </Form>
  );
}

function Scan({ begun, onConfirm, onDone }: SetUpProps & { readonly begun: TwoFactorBegun }) {
  const confirm = useWrite(ROUTES.session.confirmTwoFactor);
  const onSubmit = (text: (name: string) => string) => {
    onConfirm?.(true);
    confirm.mutate(
      { body: { code: text('code') } },
      {
        onSuccess: (answer) => onDone(answer.recovery_codes),
        // It may have been turned on all the same: the response was lost, or another tab was first.
        onError: () => onConfirm?.(false),
      },
    );
  };
  return (
    <Form submit="Turn on two-factor sign-in" change={confirm} onSubmit={onSubmit}>
      <p>Scan this with an authenticator app, or type the key into it. Then type the code that it shows.</p>
      <QrCode text={begun.uri} label="QR code for your authenticator app" />
      <SecretText text={begun.key.replace(/(.{4})(?=.)/g, '$1 ')} label="Key for your authenticator app" />
      <div>
        <CopyTextButton text={begun.key} what="key" />
      </div>
      <CodeField label="Code from the app" autoFocus />
    </Form>
  );
}

/** The light border around the code, which scanners need (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** Draws a text as a QR code: one path of dark modules on white, in both themes, as scanners expect. */
function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE });
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path fill="#000" d={darkModules(data)} />
    </svg>
  );
}

function darkModules(rows: readonly (readonly boolean[])[]): string {
  return rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
}
