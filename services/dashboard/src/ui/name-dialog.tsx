import { TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { fieldError } from '../api/api-error.ts';
import dialog from './dialog.module.css';
import { textOf } from './form.ts';
import { FormFoot } from './form-foot.tsx';
import { Modal } from './modal.tsx';

interface NameDialogProps {
  readonly title: string;
  readonly description: string;
  readonly placeholder?: string;
  /** The present name of something that is renamed. */
  readonly name?: string;
  /** The text of the button. */
  readonly submit: string;
  readonly pending: boolean;
  /** An error about the name is shown at its field. */
  readonly error: Error | null;
  readonly onSubmit: (name: string) => void;
  readonly onClose: () => void;
}

/** Asks for one name. */
export function NameDialog({
  title,
  description,
  placeholder,
  name,
  submit,
  pending,
  error,
  onSubmit,
  onClose,
}: NameDialogProps) {
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(textOf(new FormData(event.currentTarget), 'name'));
  };
  const nameError = fieldError(error, '/name');
  return (
    <Modal opened onClose={onClose} title={title} size="md">
      <form className={dialog.body} onSubmit={send}>
        <TextInput
          name="name"
          label="Name"
          description={description}
          placeholder={placeholder}
          defaultValue={name}
          required
          withAsterisk={false}
          maxLength={100}
          data-autofocus
          error={nameError}
        />
        <FormFoot
          submit={submit}
          pending={pending}
          error={nameError === undefined ? error : null}
          onCancel={onClose}
        />
      </form>
    </Modal>
  );
}
