import { Button, NativeSelect, TextInput } from '@mantine/core';
import type { Overlap } from '@sluice/contract/overlap';
import type { Source } from '@sluice/dashboard-api/sources';
import { type FormEvent, useState } from 'react';
import { Checkbox } from '../../ui/checkbox.ts';
import dialog from '../../ui/dialog.module.css';
import { isNameTyped } from '../../ui/is-name-typed.ts';
import { OVERLAP_CHOICES } from '../../ui/overlap-choices.ts';
import { ErrorNote } from '../../ui/states.tsx';

interface RotateStepProps {
  readonly what: 'source' | 'channel';
  readonly source: Source;
  readonly pending: boolean;
  readonly error: Error | null;
  readonly onBack: () => void;
  readonly onRotate: (overlap: Overlap) => void;
}

/** Asks for two deliberate actions, so that no single key or click can cut off a sender. */
export function RotateStep({ what, source, pending, error, onBack, onRotate }: RotateStepProps) {
  const [configured, setConfigured] = useState(false);
  const [typed, setTyped] = useState('');
  const [overlap, setOverlap] = useState<Overlap>('0');
  const ready = configured && isNameTyped(typed, source.name);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (ready) onRotate(overlap);
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
        label={`Type the name of the ${what}: ${source.name}`}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
      />
      <NativeSelect
        label="Old secret"
        description={
          overlap === '0'
            ? undefined
            : 'Anyone with the old secret can send until then. Choose this only if it has not leaked.'
        }
        data={OVERLAP_CHOICES}
        value={overlap}
        onChange={(event) => setOverlap(event.currentTarget.value as Overlap)}
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
