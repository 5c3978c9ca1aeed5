import { Button } from '@mantine/core';
import type { RotationPrepared } from '@sluice/dashboard-api/sources';
import { SECRET_VARIABLE } from '../../samples/sample.ts';
import { Ago } from '../../ui/ago.tsx';
import { downloadText } from '../../ui/clipboard.ts';
import { CopyTextButton } from '../../ui/copy-button.tsx';
import dialog from '../../ui/dialog.module.css';
import { Icon } from '../../ui/icons.tsx';
import { Note } from '../../ui/note.tsx';
import { SecretText } from '../../ui/secret-text.tsx';

interface ConfigureStepProps {
  readonly prepared: RotationPrepared;
  readonly onNext: () => void;
  readonly onCancel: () => void;
}

export function ConfigureStep({ prepared, onNext, onCancel }: ConfigureStepProps) {
  const {
    signing_secret: secret,
    accepted_24h: accepted,
    last_delivery_at: last,
    expires_at: until,
  } = prepared;
  return (
    <div className={dialog.body}>
      <Note tone="info">
        The new secret is <strong>not active yet</strong>. The current one works until you confirm in the next
        step.
      </Note>
      <SecretText text={secret} label="New signing secret" />
      <div className={dialog.row}>
        <CopyTextButton text={secret} what="new secret" primary autoFocus />
        <Button
          variant="default"
          leftSection={<Icon name="download" size={16} />}
          onClick={() => downloadText('sluice-signing-secret.env', `${SECRET_VARIABLE}=${secret}\n`)}
        >
          Download .env
        </Button>
      </div>
      <p className="dimmed">
        {accepted === 1 ? '1 request' : `${accepted.toLocaleString('en')} requests`} used the current secret
        in the last 24 hours.{' '}
        {last !== null && (
          <>
            The last delivery arrived <Ago at={last} />.{' '}
          </>
        )}
        Confirm the new secret before{' '}
        <time dateTime={until}>{new Date(until).toLocaleTimeString('en-GB')}</time>.
      </p>
      <div className={dialog.buttons}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button onClick={onNext}>Next</Button>
      </div>
    </div>
  );
}
