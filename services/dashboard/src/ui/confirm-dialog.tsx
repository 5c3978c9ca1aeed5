import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import classes from './dialog.module.css';
import { Modal } from './modal.tsx';
import { ErrorNote } from './states.tsx';

interface ConfirmDialogProps {
  readonly opened: boolean;
  readonly title: string;
  /** The effect of confirming. */
  readonly children: ReactNode;
  /** Names the action: "Revoke key", never "OK". */
  readonly confirm: string;
  /** The label of the dismiss button, if "Cancel" could be mistaken for the action. */
  readonly dismiss?: string;
  readonly danger?: boolean;
  /** False if the effect is not known, so that it cannot be confirmed. */
  readonly ready?: boolean;
  /** It stays open while it is pending, so that an error is seen. False if closing stops the action, or nothing has begun. */
  readonly stays?: boolean;
  readonly pending: boolean;
  readonly error: Error | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks for confirmation of an action that affects others. The dismiss button has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, title, children, confirm, dismiss = 'Cancel', danger = true } = props;
  const { ready = true, stays = true, pending, error, onConfirm, onClose } = props;
  // An error of an earlier time that it was open says nothing about what is asked now.
  const [past, setPast] = useState(error);
  if (!opened && past !== error) setPast(error);
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="md" closable={!(stays && pending)}>
      <div className={classes.body}>
        <div className={classes.effect}>{children}</div>
        {error !== null && error !== past && <ErrorNote error={error} />}
        <div className={classes.buttons}>
          <Button variant="default" disabled={stays && pending} onClick={onClose} data-autofocus>
            {dismiss}
          </Button>
          <Button color={danger ? 'danger' : 'tide'} loading={pending} disabled={!ready} onClick={onConfirm}>
            {confirm}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
