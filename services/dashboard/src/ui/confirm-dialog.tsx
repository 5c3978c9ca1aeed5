import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './dialog.module.css';
import { ErrorNote } from './states.tsx';

interface ConfirmDialogProps {
  readonly opened: boolean;
  readonly title: string;
  /** What will be so once it is confirmed. */
  readonly children: ReactNode;
  /** Names the act: "Revoke key", never "OK". */
  readonly confirm: string;
  /** Names the way out, where "Cancel" could be taken for the act. */
  readonly dismiss?: string;
  readonly danger?: boolean;
  readonly pending: boolean;
  readonly error: Error | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something is done that others will notice. The way out has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, title, children, confirm, dismiss = 'Cancel', danger = true } = props;
  const { pending, error, onConfirm, onClose } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="md">
      <div className={classes.body}>
        <div className={classes.effect}>{children}</div>
        {error !== null && <ErrorNote error={error} />}
        <div className={classes.buttons}>
          <Button variant="default" onClick={onClose} data-autofocus>
            {dismiss}
          </Button>
          <Button color={danger ? 'danger' : 'tide'} loading={pending} onClick={onConfirm}>
            {confirm}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
