import { Button, NativeSelect } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import dialog from './dialog.module.css';
import { Modal } from './modal.tsx';
import { ErrorNote } from './states.tsx';

interface RotateSecretProps<Overlap extends string> {
  /** Names the secret: "secret of replies". */
  readonly secret: string;
  /** The messages that it signs: "replies". */
  readonly signed: string;
  /** The behaviour of the receiver after a rotation. Absent: its admin must enter the new secret. */
  readonly note?: string | undefined;
  /** The value of no overlap. */
  readonly none: Overlap;
  readonly rotate: { readonly isPending: boolean; readonly error: Error | null; readonly reset: () => void };
  readonly onRotate: (overlap: Overlap | '1h' | '24h') => void;
  /** Undefined before the rotation. */
  readonly made: string | undefined;
  /** Shows the new secret. */
  readonly children: (made: string, onDone: () => void) => ReactNode;
}

/** A button that rotates the secret of what Sluice sends. Its dialog asks for the overlap, then shows the new secret. */
export function RotateSecret<Overlap extends string>(props: RotateSecretProps<Overlap>) {
  const { secret, signed, note, none, rotate, onRotate, made, children } = props;
  const [opened, setOpened] = useState(false);
  const [overlap, setOverlap] = useState<Overlap | '1h' | '24h'>('24h');
  const close = () => {
    setOpened(false);
    rotate.reset();
  };
  const title = made === undefined ? `Rotate ${secret}` : `The new ${secret} is active`;
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        Rotate {secret}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={title}
        size="lg"
        closable={made === undefined && !rotate.isPending}
      >
        {made === undefined ? (
          <div className={dialog.body}>
            <p>
              {signed.charAt(0).toUpperCase() + signed.slice(1)} are signed with the new secret immediately.
              During an overlap they have two signatures, so your server can verify them with either secret.
            </p>
            {note !== undefined && <p>{note}</p>}
            <NativeSelect
              label={`Old ${secret}`}
              description={
                overlap === none ? `Your server rejects ${signed} until it has the new secret.` : undefined
              }
              data={[
                { value: '24h', label: 'Signs for 24 more hours' },
                { value: '1h', label: 'Signs for 1 more hour' },
                { value: none, label: 'Stops signing now' },
              ]}
              value={overlap}
              onChange={(event) => setOverlap(event.currentTarget.value as typeof overlap)}
            />
            {rotate.error !== null && <ErrorNote error={rotate.error} />}
            <div className={dialog.buttons}>
              <Button variant="default" disabled={rotate.isPending} onClick={close} data-autofocus>
                Cancel
              </Button>
              <Button color="danger" loading={rotate.isPending} onClick={() => onRotate(overlap)}>
                Rotate now
              </Button>
            </div>
          </div>
        ) : (
          children(made, close)
        )}
      </Modal>
    </>
  );
}
