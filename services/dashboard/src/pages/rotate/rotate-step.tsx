import { Button, Checkbox, TextInput } from '@mantine/core';
import type { Source } from '@sluice/contract/dashboard/sources';
import { type FormEvent, useState } from 'react';
import dialog from '../../ui/dialog.module.css';
import { ErrorNote } from '../../ui/states.tsx';

interface RotateStepProps {
  readonly source: Source;
  readonly pending: boolean;
  readonly error: Error | null;
  readonly onBack: () => void;
  readonly onRotate: () => void;
}

/** Asks for two deliberate acts, so that no single key or click can cut off a sender. */
export function RotateStep({ source, pending, error, onBack, onRotate }: RotateStepProps) {
  const [configured, setConfigured] = useState(false);
  const [typed, setTyped] = useState('');
  const ready = configured && typed.trim() === source.name;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (ready) onRotate();
  };
  return (
    <form className={dialog.body} onSubmit={onSubmit}>
      <Checkbox
        label="The new secret is configured in the sender"
        checked={configured}
        onChange={(event) => setConfigured(event.currentTarget.checked)}
        autoFocus
      />
      <TextInput
        label={`Type the name of the source: ${source.name}`}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
      />
      {error !== null && <ErrorNote error={error} />}
      <div className={dialog.buttons}>
        <Button variant="default" onClick={onBack}>
          Back
        </Button>
        <Button type="submit" color="danger" disabled={!ready} loading={pending}>
          Rotate now
        </Button>
      </div>
    </form>
  );
}
