import { Button, type ButtonProps, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { fieldError } from '../api/api-error.ts';
import dialog from './dialog.module.css';
import { type Change, Form } from './form.tsx';
import { Modal } from './modal.tsx';
import { ErrorNote } from './states.tsx';

interface ConfirmDialogProps {
  readonly opened: boolean;
  readonly title: string;
  /** The effect of confirming. */
  readonly children: ReactNode;
  /** Names the action: "Revoke key", never "OK". Undefined: there is nothing to confirm. */
  readonly confirm: string | undefined;
  /** The label of the dismiss button, if "Cancel" could be mistaken for the action. */
  readonly dismiss?: string;
  readonly danger?: boolean;
  /** False if the effect is not known, so that it cannot be confirmed. */
  readonly ready?: boolean;
  /** It stays open while it is pending, so that an error is seen. False if closing stops the action, or nothing has begun. */
  readonly stays?: boolean;
  readonly change: Change;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks for confirmation of an action that affects others. The dismiss button has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, title, children, confirm, dismiss = 'Cancel', danger = true } = props;
  const { ready = true, stays = true, change, onConfirm, onClose } = props;
  const { isPending: pending, error } = change;
  // An error of an earlier time that it was open says nothing about what is asked now.
  const [past, setPast] = useState(error);
  if (!opened && past !== error) setPast(error);
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="md" closable={!(stays && pending)}>
      <div className="stack">
        <div className="stack-small breaks">{children}</div>
        <div className={dialog.buttons}>
          {error !== null && error !== past && <ErrorNote error={error} />}
          <Button variant="default" disabled={stays && pending} onClick={onClose} data-autofocus>
            {dismiss}
          </Button>
          {confirm !== undefined && (
            <Button
              color={danger ? 'danger' : 'tide'}
              loading={pending}
              disabled={!ready}
              onClick={onConfirm}
            >
              {confirm}
            </Button>
          )}
        </div>
      </div>
    </Modal>
  );
}

interface ConfirmButtonProps extends Omit<ConfirmDialogProps, 'opened' | 'onClose' | 'onConfirm'> {
  readonly label: string;
  /** The look of the button. */
  readonly button?: ButtonProps;
  /** `close` closes the dialog. */
  readonly onConfirm: (close: () => void) => void;
}

/** A button whose action is confirmed in a dialog. */
export function ConfirmButton({ label, button, onConfirm, ...props }: ConfirmButtonProps) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" {...button} onClick={open}>
        {label}
      </Button>
      <ConfirmDialog {...props} opened={opened} onConfirm={() => onConfirm(close)} onClose={close} />
    </>
  );
}

interface NameDialogProps {
  readonly title: string;
  readonly description: string;
  readonly placeholder?: string;
  /** The present name of something that is renamed. */
  readonly name?: string;
  /** The text of the button. */
  readonly submit: string;
  readonly change: Change;
  /** More fields. */
  readonly children?: ReactNode;
  /** `text` reads one of them by its name. */
  readonly onSubmit: (name: string, text: (field: string) => string) => void;
  readonly onClose: () => void;
}

/** Asks for one name. */
export function NameDialog(props: NameDialogProps) {
  const { title, description, placeholder, name, submit, change, children, onSubmit, onClose } = props;
  return (
    <Modal opened onClose={onClose} title={title} size="md">
      <Form
        submit={submit}
        change={change}
        shown={['/name']}
        onSubmit={(text) => onSubmit(text('name'), text)}
        onCancel={onClose}
      >
        <TextInput
          name="name"
          label="Name"
          description={description}
          placeholder={placeholder}
          defaultValue={name}
          required
          maxLength={100}
          data-autofocus
          error={fieldError(change.error, '/name')}
        />
        {children}
      </Form>
    </Modal>
  );
}
